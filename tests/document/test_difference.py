"""The difference between two texts: exact, small where little changed, and quick at any size."""

from __future__ import annotations

import random
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webapp.document.changes import ChangeSet
from webapp.document.difference import difference

_LINES = st.lists(st.sampled_from(["a\n", "b\n", "c\n", "\n", "dé\r\n", "x"]), max_size=30)


def _applied(old: str, new: str) -> str:
    return ChangeSet.of(len(old), difference(old, new), keep_cr=True).apply(old)


@given(_LINES, _LINES)
def test_it_makes_the_new_text_of_the_old(old: list[str], new: list[str]) -> None:
    assert _applied("".join(old), "".join(new)) == "".join(new)


@given(_LINES, _LINES)
def test_ranges_rise_and_leave_something_between_them(old: list[str], new: list[str]) -> None:
    end = -1
    for start, stop, _ in difference("".join(old), "".join(new)):
        assert start > end
        assert stop >= start
        end = stop


@pytest.mark.parametrize(
    ("old", "new", "changes"),
    [
        ("same\n", "same\n", []),
        ("a\nb\nc\n", "a\nB\nc\n", [(2, 3, "B")]),
        ("a\nb\nc\n", "a\nc\n", [(2, 4, "")]),
        ("a\nc\n", "a\nb\nc\n", [(2, 2, "b\n")]),
        ("a\nb", "a\nb\n", [(3, 3, "\n")]),
        ("", "a", [(0, 0, "a")]),
        ("one\nx\ntwo\n", "ONE\nx\nTWO\n", [(0, 3, "ONE"), (6, 9, "TWO")]),
        ("}\n}\n}\na\n", "}\n}\nb\n}\na\n", [(4, 4, "b\n")]),
    ],
    ids=[
        "nothing", "a line", "a line gone", "a line more", "the last line end", "from nothing",
        "two places", "among lines that repeat",
    ],
)  # fmt: skip
def test_what_stayed_is_left_alone(old: str, new: str, changes: list[tuple[int, int, str]]) -> None:
    assert difference(old, new) == changes


@pytest.mark.parametrize("words", [2, 50, 100_000], ids=["few", "some", "many kinds of lines"])
def test_two_megabytes_that_share_little_are_quick(words: int) -> None:
    dice = random.Random(words)
    old = "".join(f"line {dice.randrange(words)}\n" for _ in range(200_000))
    new = "".join(f"line {dice.randrange(words)}\n" for _ in range(200_000))
    begun_s = time.process_time()
    changes = difference(old, new)
    assert time.process_time() - begun_s < 5
    assert ChangeSet.of(len(old), changes).apply(old) == new
