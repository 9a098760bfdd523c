"""Where a hunk goes: behind a cursor or lines that narrow it, at the end, inside a line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import pytest

from webapp.engine.locate import Ambiguous, Found, Missing, locate
from webapp.engine.locate_index import Index
from webapp.engine.locate_lines import Level

TWO: Final = """class First:
    def run(self):
        pass

    def stop(self):
        pass


class Second:
    def run(self):
        pass

    def rest(self):
        return 0


def run():
    pass
"""


@dataclass(frozen=True)
class Case:
    """What is looked for, and the line (from 1) that it is found at, or lines, or None."""

    old: str
    at: int | tuple[int, ...] | None
    anchors: tuple[str, ...] = ()
    text: str = TWO
    after: str = ""
    """The cursor stands right behind the one place where this stands."""
    at_end: bool = False
    lost: str | None = None
    """The anchor that is missing."""


CASES: Final[dict[str, Case]] = {
    "several places and nothing that narrows": Case("        pass\n", (3, 6, 11)),
    "one class is no method": Case("        pass\n", (3, 6), ("class First:",)),
    "a method in a class": Case("        pass\n", 3, ("class First:", "    def run(self):")),
    "the method of that name in the second class": Case(
        "        pass\n", 11, ("class Second:", "    def run(self):")
    ),
    "a name that is not indented as it stands": Case(
        "        pass\n", 11, ("class Second:", "def run(self):")
    ),
    "a name at two places, with the lines behind both": Case(
        "        pass\n", (3, 11), ("    def run(self):",)
    ),
    "a name at two places, with the lines behind one": Case(
        "        pass\n\n    def rest(self):\n", 11, ("    def run(self):",)
    ),
    "a name that stands exactly wins over one that is indented": Case(
        "    pass\n", 18, ("def run():",)
    ),
    "lines that stand elsewhere do not help a name that stands nowhere": Case(
        "        return 0\n", None, ("class Third:",), lost="class Third:"
    ),
    "a second name that is not behind the first": Case(
        "        pass\n", None, ("class Second:", "    def stop(self):"), lost="    def stop(self):"
    ),
    "part of a name's line is not its name": Case(
        "        pass\n", None, ("class Fir",), lost="class Fir"
    ),
    "lines that do not stand behind the name": Case("class First:\n", None, ("class Second:",)),
    "lines behind the block that the name opens": Case("def run():\n", 17, ("class First:",)),
    "behind the cursor": Case("        pass\n", 11, after="class Second:\n"),
    "what stands before the cursor alone": Case("class First:\n", None, after="class Second:\n"),
    "what begins right at the cursor": Case("class Second:\n", 9, after="class First:\n"),
    "a name before the cursor whose block goes on there": Case(
        "        pass\n",
        6,
        ("class First:",),
        after="class First:\n    def run(self):\n        pass\n",
    ),
    "a name before the cursor whose block is over": Case(
        "        return 0\n", None, ("class First:",), after="class Second:\n", lost="class First:"
    ),
    "a class named again for its second method": Case(
        "        pass\n",
        6,
        ("class First:", "    def stop(self):"),
        after="class First:\n    def run(self):\n        pass\n",
    ),
    "the last of equal places, at the end": Case("foo\n", 4, text="x\nfoo\ny\nfoo\n", at_end=True),
    "what does not end the file, at the end": Case("x\n", None, text="x\nfoo\n", at_end=True),
    "at the end of a file without a final line end": Case(
        "foo\n", 3, text="foo\nx\nfoo", at_end=True
    ),
    "at the end by indentation": Case("foo\n", 3, text="  foo\nx\n  foo\n", at_end=True),
    "behind a name, at the end": Case("b\n", 4, ("a",), text="b\na\nb\nb\n", at_end=True),
    "a flat list, and the line behind the one that is named": Case(
        "b\n", 3, ("a",), text="b\na\nb\n"
    ),
    "a flat list, and two such lines": Case("b\n", (2, 3), ("a",), text="a\nb\nb\n"),
    "a name with another kind of quote": Case(
        "  x\n", 2, ("say 'a'",), text="say \u2018a\u2019\n  x\ny\n  x\n"
    ),
    "a name with white space behind it": Case("  x\n", 2, ("a:",), text="a: \n  x\nb:\n  x\n"),
    "a name in a file of mixed line ends": Case("  x\n", 2, ("a:",), text="a:\r\n  x\nb:\r\n  x\n"),
    "blank lines inside a block do not end it": Case(
        "  x\n", 4, ("a:",), text="a:\n  y\n\n  x\nb:\n  x\n"
    ),
    "a block of tabs": Case("\tx\n", 2, ("a {",), text="a {\n\tx\n}\nb {\n\tx\n}\n"),
    "old lines that reach beyond the block": Case(
        "\tx\n}\n", 2, ("a {",), text="a {\n\tx\n}\nb {\n\tx\n}\n"
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_the_place(name: str) -> None:
    case = CASES[name]
    after = case.text.index(case.after) + len(case.after) if case.after else 0
    got = locate(case.text, case.old, after=after, anchors=case.anchors, at_end=case.at_end)
    match case.at:
        case int():
            assert isinstance(got, Found)
            assert case.text.count("\n", 0, got.start) + 1 == case.at
        case None:
            assert isinstance(got, Missing)
            assert got.anchor == case.lost
        case lines:
            assert got == Ambiguous(lines)


INSERTS: Final[dict[str, tuple[str, tuple[str, ...], int, bool, int | None]]] = {
    "right behind the line that is named": ("a\nb\nc\n", ("b",), 0, False, 4),
    "behind the last of several": ("a\nb\nc\n", ("a", "b"), 0, False, 4),
    "behind a last line without a line end": ("a\nb", ("b",), 0, False, 3),
    "behind a name at two places": ("a\nb\na\n", ("a",), 0, False, None),
    "behind a name before the cursor": ("a\nb\n", ("a",), 4, False, None),
    "behind a name that stands nowhere": ("a\nb\n", ("c",), 0, False, None),
    "at the end": ("a\nb\n", (), 0, True, 4),
    "at the end of nothing": ("", (), 0, True, 0),
    "at the end, behind a name": ("a\nb\n", ("a",), 0, True, 4),
}


@pytest.mark.parametrize("name", INSERTS)
def test_where_new_lines_go_in(name: str) -> None:
    text, anchors, after, at_end, at = INSERTS[name]
    got = locate(text, "", anchors=anchors, after=after, at_end=at_end)
    if at is None:
        assert not isinstance(got, Found)
    else:
        assert got == Found(at, at)


PIECES: Final[dict[str, tuple[str, str, str | tuple[int, ...] | None]]] = {
    "part of a line": ("x = f(1)\ny\n", "f(1)", "f(1)"),
    "the same part twice in a line": ("a a\n", "a", (1, 1)),
    "from inside one line into another": ("abc\ndef\n", "c\nd", "c\nd"),
    "a part that is a line elsewhere is still two": ("foo\nfoo()\n", "foo", (1, 2)),
    "lines at another indentation": ("    a\n    b\nc\n", "  a\n  b", "    a\n    b\n"),
    "lines with another kind of quote": (
        "say \u201chi\u201d\n",
        'say "hi"',
        "say \u201chi\u201d\n",
    ),
    "part of a line with another kind of quote": ("say \u201chi\u201d\n", '"hi"', None),
}


@pytest.mark.parametrize("name", PIECES)
def test_text_that_may_stand_inside_a_line(name: str) -> None:
    text, old, found = PIECES[name]
    got = locate(text, old, verbatim=True)
    match found:
        case str():
            assert isinstance(got, Found)
            assert text[got.start : got.end] == found
        case None:
            assert isinstance(got, Missing)
        case lines:
            assert got == Ambiguous(lines)


def test_a_level_says_how_the_lines_differ() -> None:
    text = "a\nb \nc \u2014 d\n    e\n"
    levels = {"a\n": 0, "b\n": 1, "c - d\n": 2, "e\n": 3}
    for old, level in levels.items():
        got = locate(text, old)
        assert isinstance(got, Found)
        assert got.level is Level(level)


def test_an_index_of_another_text_is_brought_up_to_the_text() -> None:
    index = Index("something else\n")
    assert locate("  a\n", "a\n", index=index) == locate("  a\n", "a\n")
    assert locate("b\n  a\n", "a\n", index=index) == locate("b\n  a\n", "a\n")
