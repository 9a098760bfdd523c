"""Random texts and changes that go where an algebra breaks.

Texts are short and of few letters, so that changes meet; they hold line breaks, emoji, joined
emoji, combining marks and lone halves of pairs, and changes cut anywhere, also through a pair.
"""

import random

from webapp.document.changes import ChangeSet
from webapp.document.text import to_utf16

_PIECES = [
    "a",
    "b",
    "c",
    "\n",
    "\n\n",
    " ",
    "é",
    "e\u0301",
    "中",
    "😀",
    "👩‍💻",
    "\ud83d",
    "\ude00",
    "xyz",
]
PIECES = [to_utf16(piece) for piece in _PIECES]


def random_text(rnd: random.Random, pieces: int = 8) -> str:
    """Return utf16 text of at most so many pieces; quite often an empty one."""
    return "".join(rnd.choice(PIECES) for _ in range(rnd.randint(0, pieces)))


def random_json(rnd: random.Random, length: int, sections: int = 6) -> list[object]:
    """Return a change's JSON for a text of `length`, also with neighbours that touch."""
    value: list[object] = []
    left = length
    for _ in range(rnd.randint(0, sections)):
        step = min(left, rnd.choice([0, 1, 1, 2, 3, length]))
        kind = rnd.randrange(4)
        inserted = random_text(rnd, 3).split("\n")
        if kind == 0:
            value.append(step)
        elif kind == 1:
            value.append([step])
        else:
            value.append([step if kind == 2 else 0, *inserted])
        left -= step if kind < 3 else 0
    value.append(left)
    return value


def random_change(rnd: random.Random, length: int, sections: int = 6) -> ChangeSet:
    """Return a change for a text of `length`; sometimes one that changes nothing."""
    return ChangeSet.from_json(random_json(rnd, length, sections), length)
