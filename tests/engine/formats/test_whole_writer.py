"""The streaming line diff: named cases, and properties over random files, cuts and people."""

from __future__ import annotations

import itertools
import random
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webapp.document.changes import ChangeSet
from webapp.engine.formats.whole_writer import Flush, Mark, RegionWriter


@dataclass
class Stage:
    """A text in which every character knows who wrote it, with a writer at work on it."""

    text: str
    start: int = 0
    end: int | None = None
    cells: list[tuple[str, str, int]] = field(init=False)
    writer: RegionWriter = field(init=False)
    hunks: dict[int, Mark] = field(default_factory=dict)
    yields: int = 0

    def __post_init__(self) -> None:
        self._numbers = itertools.count()
        self.cells = [self._cell(char, "old") for char in self.text]
        self.writer = RegionWriter(self.text, self.start, self.end)

    def _cell(self, char: str, by: str) -> tuple[str, str, int]:
        return char, by, next(self._numbers)

    def apply(self, change: ChangeSet, by: str) -> None:
        cells: list[tuple[str, str, int]] = []
        done = 0
        for start, end, _, _, inserted in change.iter_changes(True):
            cells += self.cells[done:start]
            cells += [self._cell(char, by) for char in inserted]
            done = end
        self.cells = cells + self.cells[done:]
        self.text = change.apply(self.text)
        assert self.text == "".join(char for char, _, _ in self.cells)

    def take(self) -> Flush | None:
        flush = self.writer.take(self.text)
        if flush is None:
            return None
        if flush.change is not None:
            self.apply(flush.change, "model")
        assert 0 <= flush.at <= len(self.text)
        for mark in flush.marks:
            assert 0 <= mark.start <= mark.end <= len(self.text)
            self.hunks[mark.key] = mark
        return flush

    def say(self, *pieces: str) -> None:
        for piece in pieces:
            self.writer.push(piece)
            self.take()

    def close(self) -> str:
        self.writer.close()
        self.take()
        return self.text

    def person(self, start: int, end: int, inserted: str) -> None:
        change = ChangeSet.of(len(self.text), [(start, end, inserted)])
        self.apply(change, "person")
        self.yields += self.writer.follow(change)

    def types(self, where: str, inserted: str, after: bool = True) -> None:
        """Somebody types behind (or before) the one place where `where` stands."""
        assert self.text.count(where) == 1
        at = self.text.index(where) + (len(where) if after else 0)
        self.person(at, at, inserted)

    def rollback(self) -> None:
        change = self.writer.rollback(self.text)
        if change is not None:
            self.apply(change, "model")


OLD = "def a():\n    return 1\n\ndef b():\n    return 2\n"


def test_unchanged_text_is_never_touched() -> None:
    stage = Stage(OLD)
    before = list(stage.cells)
    for char in OLD:
        stage.say(char)
    assert stage.close() == OLD
    assert stage.cells == before
    assert stage.hunks == {}


def test_a_new_line_shows_while_it_grows_and_old_lines_stay_apart() -> None:
    stage = Stage("a\nb\n")
    stage.say("a\n", "ne")
    assert stage.text == "a\nne\nb\n"
    stage.say("w")
    assert stage.text == "a\nnew\nb\n"
    stage.say("\nmo", "re\n")
    assert stage.text == "a\nnew\nmore\nb\n"
    stage.say("b\n")
    assert stage.close() == "a\nnew\nmore\nb\n"


def test_what_could_still_be_an_old_line_is_held_back() -> None:
    stage = Stage("alpha\nbeta\n")
    stage.say("al")
    assert stage.text == "alpha\nbeta\n"
    stage.say("be")  # "albe" is no old line
    assert stage.text == "albe\nalpha\nbeta\n"
    stage.say("\nbet")
    assert stage.text == "albe\nalpha\nbeta\n"


def test_old_lines_go_only_when_a_later_unique_line_passes_them() -> None:
    stage = Stage("one\ntwo\nthree\nfour\n")
    stage.say("1\n2\n")
    assert stage.text == "1\n2\none\ntwo\nthree\nfour\n"
    stage.say("three\n")
    assert stage.text == "1\n2\nthree\nfour\n"
    (hunk,) = stage.hunks.values()
    assert (hunk.start, hunk.end, hunk.old, hunk.status) == (0, 4, "one\ntwo\n", "applied")
    assert (hunk.added_lines, hunk.removed_lines) == (2, 2)


@pytest.mark.parametrize("later", ["x\n}\ny\n}\n", "x\n\ny\n\n", "x\n   \ny\n   \n"])
def test_a_line_that_is_blank_or_stands_twice_passes_nothing(later: str) -> None:
    stage = Stage("start\n" + later)
    stage.say(later.split("\n")[1] + "\n")
    assert stage.text.endswith("start\n" + later)


@pytest.mark.parametrize("cut", [1, 3, 100])
def test_old_lines_that_are_written_again_at_the_end_of_a_hunk_stay_untouched(cut: int) -> None:
    old = "a\n    x\n}\n\nlast\n}\n"
    stage = Stage(old)
    before = list(stage.cells)
    new = "a\n    y\n}\n\nlast\nmore\n}\n"
    stage.say(*(new[at : at + cut] for at in range(0, len(new), cut)))
    assert stage.close() == new
    gone = {cell for cell in before if cell not in stage.cells}
    assert "".join(cell[0] for cell in sorted(gone, key=lambda cell: cell[2])) == "    x\n"
    assert [(hunk.old, hunk.added_lines) for hunk in stage.hunks.values()] == [
        ("    x\n", 1),
        ("", 1),
    ]


def test_a_deleted_line_makes_a_hunk_without_text() -> None:
    stage = Stage("a\nb\nc\n")
    stage.say("a\nc\n")
    assert stage.close() == "a\nc\n"
    (hunk,) = stage.hunks.values()
    assert (hunk.start, hunk.end, hunk.old) == (2, 2, "b\n")


def test_the_end_of_a_stream_deletes_nothing() -> None:
    stage = Stage(OLD)
    stage.say("def a():\n", "    return 10\n")
    stage.rollback()
    assert stage.text == OLD


def test_the_fence_deletes_what_is_left() -> None:
    stage = Stage(OLD)
    stage.say("def a():\n    return 1\n")
    assert stage.close() == "def a():\n    return 1\n"


@pytest.mark.parametrize(
    ("old", "new", "result"),
    [
        ("a\nb", "a\nb\n", "a\nb"),
        ("a\nb", "a\nB\n", "a\nB"),
        ("a\nb", "a\n", "a"),
        ("a\nb", "a\nb\nc\n", "a\nb\nc"),
        ("a\nb", "x\na\n", "x\na"),
        ("a\nb", "a\n\n", "a\n"),
        ("b", "", ""),
        ("b", "c\nd\n", "c\nd"),
        ("a\n}\n}", "b\n}\n}\n", "b\n}\n}"),
        ("a\n}", "}\n", "}"),
        ("", "a\n", "a\n"),
        ("", "", ""),
        ("\n", "a\n", "a\n"),
        ("a\n\n", "a\n", "a\n"),
    ],
)
@pytest.mark.parametrize("cut", [1, 2, 100])
def test_the_final_line_end_stays_as_it_was(old: str, new: str, result: str, cut: int) -> None:
    stage = Stage(old)
    stage.say(*(new[at : at + cut] for at in range(0, len(new), cut)))
    assert stage.close() == result


def test_a_region_leaves_the_rest_alone() -> None:
    stage = Stage("top\na\nb\nbottom\n", 4, 8)
    stage.say("a\nB\n")
    assert stage.close() == "top\na\nB\nbottom\n"


def test_a_line_of_a_file_with_mixed_line_ends_is_the_same_line() -> None:
    stage = Stage("a\r\nb\nc\r\n")
    stage.say("a\nb\nC\n")
    assert stage.close() == "a\r\nb\nC\r\n"


def test_somebody_elses_line_below_stays_and_keeps_its_place() -> None:
    stage = Stage("a\nb\nc\n")
    stage.say("A\n")
    stage.types("b\n", "mine\n")
    stage.say("b\nC\n")
    assert stage.close() == "A\nb\nmine\nC\n"
    assert stage.yields == 0


def test_a_line_that_somebody_changed_is_passed_by_its_old_text() -> None:
    stage = Stage("a\nb\nc\n")
    stage.types("b", "!")
    stage.say("a\nb\nC\n")
    assert stage.close() == "a\nb!\nC\n"


def test_a_line_that_somebody_changed_is_never_deleted() -> None:
    stage = Stage("a\nb\nc\nd\n")
    stage.types("b", "!")
    stage.say("a\nd\n")
    assert stage.close() == "a\nb!\nd\n"
    assert [(hunk.start, hunk.end, hunk.old) for hunk in stage.hunks.values()] == [(5, 5, "c\n")]


def test_a_line_that_somebody_deleted_stays_deleted() -> None:
    stage = Stage("a\nb\nc\n")
    stage.person(2, 4, "")
    stage.say("a\nb\nC\n")
    assert stage.close() == "a\nC\n"


def test_typing_inside_the_open_hunk_makes_the_model_yield_there_only() -> None:
    stage = Stage("a\nb\nc\nd\n")
    stage.say("a\nnew one\nnew two\n")
    stage.types("new one", "!")
    assert stage.yields == 1
    stage.say("new three\n")
    assert stage.text == "a\nnew one!\nnew two\nb\nc\nd\n"
    assert [hunk.status for hunk in stage.hunks.values()] == ["yielded"]
    stage.say("c\nD\n")
    assert stage.close() == "a\nnew one!\nnew two\nb\nc\nD\n"
    assert [hunk.status for hunk in stage.hunks.values()] == ["yielded", "applied"]


@pytest.mark.parametrize(
    ("start", "end", "inserted"),
    [(3, 3, "x"), (8, 8, "x"), (8, 8, "x\n"), (2, 2, "x"), (2, 8, ""), (1, 3, ""), (7, 9, "")],
)
def test_every_way_to_touch_the_open_hunk_is_noticed(start: int, end: int, inserted: str) -> None:
    stage = Stage("a\nb\nc\n")
    stage.say("a\nnew 1\n")
    stage.person(start, end, inserted)
    assert stage.yields == 1


@pytest.mark.parametrize(
    ("start", "end", "inserted"), [(0, 0, "x"), (2, 2, "x\n"), (9, 9, "x"), (8, 9, ""), (0, 1, "")]
)
def test_typing_beside_the_open_hunk_makes_nobody_yield(
    start: int, end: int, inserted: str
) -> None:
    stage = Stage("a\nb\nc\n")
    stage.say("a\nnew 1\n")
    stage.person(start, end, inserted)
    assert stage.yields == 0


def test_after_a_yield_the_rest_of_a_half_written_line_is_dropped() -> None:
    stage = Stage("a\nb\n")
    stage.say("a\nret")
    stage.types("ret", "!")
    stage.say("urn\nmore\n")
    assert stage.text == "a\nret!\nb\n"
    stage.rollback()
    assert stage.text == "a\nret!\nb\n"


def test_rollback_undoes_a_hunk_whose_end_was_not_written_yet() -> None:
    stage = Stage("a\nb\nc\n")
    stage.say("a\nnew\n")
    stage.writer.push("c\nnext\n")
    assert stage.text == "a\nnew\nb\nc\n"
    stage.rollback()
    assert stage.text == "a\nb\nc\n"


def test_rollback_keeps_hunks_that_are_complete() -> None:
    stage = Stage("a\nb\nc\nd\n")
    stage.say("a\nB\nc\n", "half")
    stage.rollback()
    assert stage.text == "a\nB\nc\nd\n"


def test_joined_lines_are_parted_again_before_the_model_writes_between_them() -> None:
    stage = Stage("a\nb\nc\n")
    stage.say("a\n")
    stage.person(1, 2, "")
    stage.say("new\n")
    assert stage.text == "a\nnew\nb\nc\n"


def test_what_is_applied_counts_what_stands() -> None:
    stage = Stage("a\nb\nc\nd\n")
    stage.say("a\nBBB\nc\n", "half")
    assert stage.writer.received_utf16 == 12
    assert stage.writer.applied_utf16 == 12
    stage.rollback()
    assert stage.writer.applied_utf16 == 8


LINES = st.sampled_from(["", "    ", "}", "x = 1", "x = 12", "y", "def f():", "    return x", "é"])
TEXTS = st.lists(LINES, max_size=12)


@st.composite
def rewrites(draw: st.DrawFn) -> tuple[str, str]:
    """Draw a file and what a model makes of it."""
    old = draw(TEXTS)
    new = list(old)
    for _ in range(draw(st.integers(0, 4))):
        at = draw(st.integers(0, len(new)))
        new[at : at + draw(st.integers(0, 3))] = draw(st.lists(LINES, max_size=3))
    text = "\n".join(old)
    if old and draw(st.booleans()):
        text += "\n"
    return text, "".join(line + "\n" for line in new)


def pieces(text: str, chance: random.Random) -> list[str]:
    found = []
    while text:
        size = chance.randint(1, 6)
        found.append(text[:size])
        text = text[size:]
    return found


def expected(old: str, new: str) -> str:
    return new.removesuffix("\n") if old and not old.endswith("\n") else new


@given(rewrites(), st.randoms(use_true_random=False))
def test_at_the_fence_the_text_is_the_models(case: tuple[str, str], chance: random.Random) -> None:
    old, new = case
    stage = Stage(old)
    for piece in pieces(new, chance):
        stage.writer.push(piece)
        if chance.random() < 0.6:
            stage.take()
    assert stage.close() == expected(old, new)


@given(rewrites(), st.randoms(use_true_random=False))
def test_each_hunk_taken_back_alone_gives_the_old_text(
    case: tuple[str, str], chance: random.Random
) -> None:
    old, new = case
    stage = Stage(old)
    for piece in pieces(new, chance):
        stage.writer.push(piece)
        if chance.random() < 0.6:
            flush = stage.take()
            for key in {mark.key for mark in flush.marks} if flush else ():
                assert stage.hunks[key].start <= stage.hunks[key].end
    # One take alone, so that all marks are in the coordinates of one text.
    alone = Stage(old)
    alone.writer.push(new)
    alone.writer.close()
    alone.take()
    for hunk in sorted(alone.hunks.values(), key=lambda hunk: (hunk.start, hunk.end), reverse=True):
        back = ChangeSet.of(len(alone.text), [(hunk.start, hunk.end, hunk.old)])
        alone.text = back.apply(alone.text)
    assert alone.text == old


@given(rewrites(), st.randoms(use_true_random=False))
def test_people_elsewhere_change_nothing_for_the_region(
    case: tuple[str, str], chance: random.Random
) -> None:
    old, new = case
    if old and not old.endswith("\n"):
        old += "\n"
    stage = Stage("top\n" + old + "bottom\n", 4, 4 + len(old))
    above, below = "top\n", "bottom\n"
    for piece in pieces(new, chance):
        stage.writer.push(piece)
        if chance.random() < 0.6:
            stage.take()
        if chance.random() < 0.5:
            at = chance.randint(0, 3)
            stage.person(at, at, "+")
            above = above[:at] + "+" + above[at:]
        if chance.random() < 0.5:
            at = chance.randint(1, len(below))
            place = len(stage.text) - len(below) + at
            stage.person(place, place, "é")
            below = below[:at] + "é" + below[at:]
    assert stage.close() == above + new + below
    assert stage.yields == 0


def disturb(stage: Stage, chance: random.Random) -> None:
    size = len(stage.text)
    start = chance.randint(0, size)
    end = min(size, start + chance.choice([0, 0, 0, 1, 2, 5, 9]))
    inserted = chance.choice(["", "z", "z\n", "\n", "\nz", "zz\nz"])
    if start < end or inserted:
        stage.person(start, end, inserted)


@given(rewrites(), st.randoms(use_true_random=False), st.booleans())
def test_what_people_typed_and_did_not_delete_survives_in_order(
    case: tuple[str, str], chance: random.Random, stopped: bool
) -> None:
    old, new = case
    stage = Stage(old)
    parts = pieces(new, chance)
    for piece in parts[: chance.randint(0, len(parts))] if stopped else parts:
        stage.writer.push(piece)
        if chance.random() < 0.6:
            mine = [cell for cell in stage.cells if cell[1] == "person"]
            stage.take()
            assert [cell for cell in stage.cells if cell[1] == "person"] == mine
        if chance.random() < 0.4:
            disturb(stage, chance)
    mine = [cell for cell in stage.cells if cell[1] == "person"]
    if stopped:
        opened = [(place.start, place.end) for place in stage.writer._places if place.shown]
        untouched = {
            cell
            for place in stage.writer._places
            if place.shown and not place.yielded
            for cell in stage.cells[place.start : place.end]
        }
        assert len(opened) <= 1
        assert all(by == "model" for _, by, _ in untouched)
        stage.rollback()
        assert not untouched & set(stage.cells)
    else:
        stage.close()
    assert [cell for cell in stage.cells if cell[1] == "person"] == mine


@given(rewrites(), st.randoms(use_true_random=False))
def test_when_nobody_typed_a_stop_leaves_complete_hunks_and_old_text_alone(
    case: tuple[str, str], chance: random.Random
) -> None:
    old, new = case
    stage = Stage(old)
    parts = pieces(new, chance)
    for piece in parts[: chance.randint(0, len(parts))]:
        stage.say(piece)
    opened = [mark for mark in stage.hunks.values() if mark.status == "open"]
    held = {cell for mark in opened for cell in stage.cells[mark.start : mark.end]}
    stage.rollback()
    assert not held & set(stage.cells)
    kept = [mark for mark in stage.hunks.values() if mark.status == "applied"]
    written = sum(1 for _, by, _ in stage.cells if by == "model")
    assert written == sum(mark.end - mark.start for mark in kept)


def test_a_long_file_costs_what_is_written_not_its_square() -> None:
    """Each take hands over sections in proportion to what changed, however long the file is."""
    lines = [f"line {number}" for number in range(5000)]
    stage = Stage("\n".join(lines) + "\n")
    writer = stage.writer
    for number, line in enumerate(lines):
        writer.push(line + "\n")
        if number % 50 == 0:
            writer.push(f"new {number}\n")
            flush = writer.take(stage.text)
            assert flush is not None and flush.change is not None
            assert flush.change.section_count <= 3
            stage.text = flush.change.apply(stage.text)
    stage.writer.close()
    flush = writer.take(stage.text)
    assert stage.text.count("\n") == 5100


def test_the_cursor_stands_behind_what_was_written_and_before_the_line_break_it_owes() -> None:
    stage = Stage("one\ntwo\n")
    stage.writer.push("one\nzwe")
    flush = stage.take()
    assert flush is not None
    assert stage.text[: flush.at].endswith("zwe")
    stage.writer.push("i\n")
    flush = stage.take()
    assert flush is not None
    assert stage.text[: flush.at].endswith("zwei\n")
