"""The index of a text's lines agrees with the text, whatever changes it."""

from __future__ import annotations

import itertools
import random
import time

from webapp.engine.locate import Ambiguous, Found, locate
from webapp.engine.locate_index import Index
from webapp.engine.locate_lines import fold


def agrees(index: Index, text: str) -> None:
    lines = text.split("\n")
    assert [line.text for line in index.lines(0, len(lines) + 5)] == lines
    assert index.count == len(lines)
    starts = [0, *itertools.accumulate(len(line) + 1 for line in lines)]
    for number in {0, len(lines) // 2, len(lines) - 1}:
        assert index.offset(number) == starts[number]
        assert index.line_at(starts[number]) == number
        found = index.lines(number, 1)[0]
        assert index.number(found) == number
        assert found in index.stands(found.key)
    assert index.offset(len(lines)) == len(text)
    for line in set(lines):
        stands = index.stands(fold(line).strip())
        assert sum(other.text == line for other in stands) == lines.count(line)


def block_end(lines: list[str], number: int) -> int:
    def depth(line: str) -> int:
        return len(line) - len(line.lstrip())

    for later in range(number + 1, len(lines)):
        if lines[later].strip() and depth(lines[later]) <= depth(lines[number]):
            return later
    return len(lines)


def test_it_follows_every_change() -> None:
    rng = random.Random(11)
    kinds = ["a", "  b", "", "    c — d", "\te", "f" * 40, " "]
    for _ in range(30):
        text = "\n".join(rng.choice(kinds) for _ in range(rng.choice([0, 1, 5, 200, 700])))
        index = Index(text)
        agrees(index, text)
        for _ in range(25):
            start = rng.randint(0, len(text))
            end = min(len(text), start + rng.choice([0, 0, 1, 7, 300, 9000]))
            new = "\n".join(rng.choice(kinds) for _ in range(rng.choice([0, 1, 2, 40, 400])))
            text = text[:start] + new + text[end:]
            index.catch_up(text)
            agrees(index, text)


def test_it_follows_a_change_of_everything() -> None:
    for old, new in (("", "a\n"), ("a\n", ""), ("a", "b"), ("a\n" * 999, "b"), ("b", "a\n" * 999)):
        index = Index(old)
        index.catch_up(new)
        agrees(index, new)


def test_where_a_block_ends() -> None:
    rng = random.Random(12)
    for _ in range(40):
        lines = [
            rng.choice(["", " " * rng.randrange(5) + "x"]) for _ in range(rng.choice([3, 30, 900]))
        ]
        index = Index("\n".join(lines))
        for _ in range(20):
            number = rng.randrange(len(lines))
            if lines[number]:
                assert index.block_end(number) == block_end(lines, number)


def test_answers_with_a_kept_index_are_those_without() -> None:
    rng = random.Random(13)
    kinds = ["a", "  a", "b ", "c", "‘d’", "", "  e"]
    text = "\n".join(rng.choice(kinds) for _ in range(60)) + "\n"
    index = Index()
    for _ in range(800):
        lines = text.split("\n")
        first = rng.randrange(len(lines) - 1)
        old = "\n".join(line.strip() for line in lines[first : first + rng.randint(1, 4)]) + "\n"
        after = rng.choice([0, 0, rng.randrange(len(text))])
        anchors = rng.choice([(), (), (lines[rng.randrange(len(lines))].strip() or "a",)])
        at_end = rng.random() < 0.1
        got = locate(text, old, after=after, anchors=anchors, at_end=at_end, index=index)
        assert got == locate(text, old, after=after, anchors=anchors, at_end=at_end)
        start = rng.randrange(len(text))
        text = text[:start] + rng.choice(["x\n", "", "  a\n", "\n"]) + text[start + 1 :]


def test_lines_that_stand_everywhere_take_little_time() -> None:
    text = "  x\n" * 50_000
    index = Index(text)
    begun_s = time.process_time()
    for old in ("x\n", "x\n" * 2_000, "x\n" * 2_000 + "y\n", "\n"):
        assert not isinstance(locate(text, old, index=index, near=False), Found)
    assert isinstance(locate(text, "x\n", anchors=("x",), index=index), Ambiguous)
    assert time.process_time() - begun_s < 5


def test_many_blocks_in_a_long_file_take_little_time() -> None:
    lines = [f"    value_{number} = {number}" for number in range(20_000)]
    text, index = "\n".join(lines) + "\n", Index()
    begun_s = time.process_time()
    for number in range(0, 20_000, 40):
        place = locate(text, f"value_{number} = {number}\n", index=index)
        assert isinstance(place, Found)
        text = text[: place.start] + "    gone\n" + text[place.end :]
    assert time.process_time() - begun_s < 5
