"""How tests read a message: its events in one line each, and the same for any cut."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

from webapp.engine.formats import (
    BlockEnd,
    BlockStart,
    Delete,
    Event,
    FileEnd,
    FileStart,
    Move,
    Omission,
    Parser,
    Prose,
    Search,
    Text,
)

Make = Callable[[], Parser]


def joined(events: list[Event]) -> list[Event]:
    """Return the events with neighbours of one kind as one."""
    out: list[Event] = []
    for event in events:
        last = out[-1] if out else None
        if isinstance(event, Text) and isinstance(last, Text):
            out[-1] = Text(last.text + event.text)
        elif isinstance(event, Prose) and isinstance(last, Prose):
            out[-1] = Prose(last.text + event.text)
        else:
            out.append(event)
    return out


def read(make: Make, message: str, *cuts: int) -> list[Event]:
    """Return the joined events of a message that comes in pieces, cut at these places."""
    parser = make()
    events: list[Event] = []
    for start, end in zip((0, *cuts), (*cuts, len(message)), strict=True):
        events += parser.push(message[start:end])
    return joined(events + parser.finish())


def lined(events: list[Event]) -> list[str]:
    """Return the events as lines, with "|" for LF.

    `edit a.py [anchor, anchor] end: old -> new`, `edit a.py: (fault)`, `add a.py: text`,
    `delete a.py`, `move a.py to b.py`, `say text`; lines that stand for omitted code in ⟨⟩.
    """
    return list(_lined(events))


def _lined(events: list[Event]) -> Iterator[str]:
    head = old = new = ""
    for event in events:
        match event:
            case Prose(text):
                yield f"say {text}".replace("\n", "|")
            case Delete(path):
                yield f"delete {path}"
            case Move(path, to):
                yield f"move {path} to {to}"
            case FileStart(path=path):
                head, new = f"add {path}", ""
            case BlockStart():
                head, old, new = _head(event), "", ""
            case Search(text):
                old = f"{text} -> "
            case Text(text):
                new += text
            case Omission(text):
                new += f"⟨{text}⟩"
            case FileEnd():
                ends = f" ({event.fault})" * (not event.complete) + " crlf" * event.crlf
                yield f"{head}: {new}{ends}".replace("\n", "|")
            case BlockEnd():
                ends = f"({event.fault})" * (not event.complete) + " crlf" * event.crlf
                yield f"{head}: {old}{new}{ends}".replace("\n", "|")


def _head(start: BlockStart) -> str:
    anchors = f" [{', '.join(start.anchors)}]" if start.anchors else ""
    return f"edit {start.path}{anchors}{' end' * start.at_end}"


_FOLLOWS: dict[tuple[str, type], str] = {
    ("prose", Prose): "prose",
    ("prose", Delete): "prose",
    ("prose", Move): "prose",
    ("prose", FileStart): "file",
    ("file", Text): "file",
    ("file", Omission): "file",
    ("file", FileEnd): "prose",
    ("prose", BlockStart): "block",
    ("block", Search): "found",
    ("block", BlockEnd): "prose",
    ("found", Text): "found",
    ("found", Omission): "found",
    ("found", BlockEnd): "prose",
}


def check_order(events: list[Event]) -> None:
    """Check that the events come in the order that the parsers' contract promises."""
    state = "prose"
    for event in events:
        assert (state, type(event)) in _FOLLOWS, events
        state = _FOLLOWS[state, type(event)]
    assert state == "prose", events


def check_cuts(make: Make, message: str) -> None:
    """Check that no single cut changes the events, nor cutting it everywhere."""
    whole = read(make, message)
    check_order(whole)
    for cut in range(len(message) + 1):
        assert read(make, message, cut) == whole, cut
    assert read(make, message, *range(1, len(message))) == whole


def check_random_cuts(make: Make, message: str, rng: random.Random) -> None:
    """Check that a few cuts at random places do not change the events, nor every cut."""
    whole = read(make, message)
    check_order(whole)
    for count in (1, 2, 5):
        cuts = sorted(rng.choices(range(len(message) + 1), k=count))
        assert read(make, message, *cuts) == whole, (message, cuts)
    assert read(make, message, *range(1, len(message))) == whole, message
