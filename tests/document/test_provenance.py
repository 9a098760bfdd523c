"""Characters through changes, and what taking hunks back leaves, against an oracle of our own."""

from __future__ import annotations

import random
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.document.characters import Characters, Who, glyphs
from webapp.document.changes import ChangeError, ChangeSet
from webapp.document.piecelist import PERSON, Key
from webapp.document.provenance import Provenance, Span
from webapp.document.takeback import take_back, take_back_clear

ONE: Key = ("t", 1)
TWO: Key = ("t", 2)
LATER: Key = ("u", 1)


class Scene:
    """A text followed by both, which must agree at every step."""

    def __init__(self, text: str) -> None:
        self.provenance, self.oracle = Provenance(text), Characters(text)

    @property
    def text(self) -> str:
        return self.oracle.text()

    def edit(self, start: int, end: int, text: str, who: Who = None) -> None:
        change = ChangeSet.of(len(self.text), [(start, end, text)])
        self.provenance.edit(change, who or PERSON)
        self.oracle.edit(change, who)
        assert self.provenance.text() == self.text and self.provenance.length == len(self.text)

    def replaces(self, old: str, new: str, who: Who = None) -> None:
        assert self.text.count(old) == 1, (old, self.text)
        at = self.text.index(old)
        self.edit(at, at + len(old), new, who)

    def types(self, behind: str, new: str) -> None:
        at = self.text.index(behind) + len(behind)
        self.edit(at, at, new)

    def taken_back(self, *keys: Key) -> str:
        return take_back(self.provenance, keys).change.apply(self.text)

    def mixed(self, *keys: Key) -> dict[Key, tuple[str, str]]:
        found = take_back(self.provenance, keys).mixed
        return {key: (mixed.now, mixed.then) for key, mixed in found.items()}

    def undo(self, *keys: Key) -> None:
        change = take_back(self.provenance, keys).change
        self.provenance.undo(change, keys)
        self.oracle.undo(change, keys)
        assert self.provenance.text() == self.text


class Chance:
    """Random people and turns in one file."""

    def __init__(self, rnd: random.Random) -> None:
        self.rnd = rnd
        self.glyphs = glyphs()
        self.scene = Scene(self.lines(rnd.randint(0, 6)))
        self.keys: list[Key] = [(turn, n) for turn in "tu" for n in (1, 2, 3)]
        self.undone: set[Key] = set()

    def word(self, most: int = 3) -> str:
        return "".join(next(self.glyphs) for _ in range(self.rnd.randint(1, most)))

    def lines(self, count: int) -> str:
        last = self.word(1) if self.rnd.random() < 0.3 else ""
        return "".join(self.word() + "\n" for _ in range(count)) + last

    def whole_lines(self, count: int) -> str:
        return "".join(self.word() + "\n" for _ in range(count))

    def place(self) -> tuple[int, int]:
        """Return a range: of whole lines, of anything, empty, or at an edge of what there is."""
        text = self.scene.text
        rnd = self.rnd
        starts = [0, *(i + 1 for i, c in enumerate(text) if c == "\n"), len(text)]
        kind = rnd.random()
        if kind < 0.4:
            one, two = sorted([rnd.choice(starts), rnd.choice(starts)])
            return one, min(two, one + 12)
        at = rnd.randint(0, len(text)) if kind < 0.8 else rnd.choice(starts)
        return at, min(len(text), at + rnd.choice([0, 0, 1, 2, 5]))

    def step(self) -> None:
        rnd, scene = self.rnd, self.scene
        start, end = self.place()
        kind = rnd.random()
        standing = [key for key in self.keys if key not in self.undone]
        if kind < 0.45:
            new = rnd.choice([self.word(1), "\n" + self.word(), self.lines(1), "", "\n"])
            scene.edit(start, end if new else max(end, start), new)
        elif kind < 0.55 and end > start:  # moves it, as two changes or one
            moved = scene.text[start:end]
            scene.edit(start, end, "")
            at, _ = self.place()
            fresh = "".join(c if c == "\n" else next(self.glyphs) for c in moved)
            scene.edit(at, at, fresh)
        elif kind < 0.92 and standing:
            new = rnd.choice([self.lines(rnd.randint(1, 3)), "", self.word()])
            scene.edit(start, end, new, rnd.choice(standing))
        elif standing:
            keys = rnd.sample(standing, rnd.randint(1, len(standing)))
            scene.undo(*keys)
            self.undone.update(keys)


@settings(max_examples=300, deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 40))
def test_what_is_taken_back_at_random(seed: int, steps: int) -> None:
    chance = Chance(random.Random(seed))
    for _ in range(steps):
        chance.step()
    standing = [key for key in chance.keys if key not in chance.undone]
    scene = chance.scene
    for count in range(len(standing) + 1):
        keys = chance.rnd.sample(standing, count)
        taken = take_back(scene.provenance, keys)
        scene.oracle.check(taken.change, keys)
        clear, which = take_back_clear(scene.provenance, keys)
        scene.oracle.check(clear.change, which)
        assert which | clear.mixed.keys() == set(keys)
    assert take_back(scene.provenance, chance.undone).change.is_empty


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 2**32))
def test_with_nobody_else_all_of_a_turn_back_is_the_text_before(seed: int) -> None:
    chance = Chance(random.Random(seed))
    before = chance.scene.text
    for _ in range(chance.rnd.randint(1, 20)):
        start, end = chance.place()
        chance.scene.edit(start, end, chance.lines(1), chance.rnd.choice([ONE, TWO]))
    taken, clear = take_back_clear(chance.scene.provenance, [ONE, TWO])
    assert taken.change.apply(chance.scene.text) == before
    assert clear == {ONE, TWO} and not taken.mixed


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 2**32))
def test_whole_lines_of_people_beside_and_between_are_never_mixed(seed: int) -> None:
    chance = Chance(random.Random(seed))
    scene = Scene(chance.whole_lines(5))
    at = scene.text.index("\n") + 1
    scene.edit(at, scene.text.index("\n", at) + 1, chance.whole_lines(3), ONE)
    for _ in range(chance.rnd.randint(1, 6)):
        starts = [0, *(i + 1 for i, c in enumerate(scene.text) if c == "\n")]
        where = chance.rnd.choice(starts)
        scene.edit(where, where, chance.word() + "\n")
    assert not scene.mixed(ONE)


# What people fear

OLD = "one\ntwo\nthree\n"


def changed(new: str = "TWO\n") -> Scene:
    """Return a scene in which the model has replaced the second line."""
    scene = Scene(OLD)
    scene.replaces("two\n", new, ONE)
    return scene


def test_what_nobody_touched_is_as_it_was() -> None:
    scene = changed()
    assert scene.taken_back(ONE) == OLD and not scene.mixed(ONE)


@pytest.mark.parametrize(
    ("behind", "typed", "then"),
    [
        ("one\n", "mine\n", "one\nmine\ntwo\nthree\n"),
        ("TWO\n", "mine\n", "one\ntwo\nmine\nthree\n"),
        ("TWO", "\nmine", "one\ntwo\nmine\nthree\n"),
        ("one", "\nmine", "one\nmine\ntwo\nthree\n"),
    ],
    ids=["above", "below", "below, by Enter", "above, by Enter"],
)
def test_a_line_typed_at_the_edge_stays_whole(behind: str, typed: str, then: str) -> None:
    scene = changed()
    scene.types(behind, typed)
    assert scene.taken_back(ONE) == then
    assert not scene.mixed(ONE)


def test_a_line_typed_letter_by_letter_between_the_models_stays_whole() -> None:
    scene = changed("A\nB\n")
    for behind, letter in [("A", "\n"), ("A\n", "    "), ("    ", "x"), ("    x", "\n")]:
        scene.types(behind, letter)
    assert scene.text == "one\nA\n    x\n\nB\nthree\n"
    assert scene.taken_back(ONE) == "one\ntwo\n    x\n\nthree\n"
    assert not scene.mixed(ONE)


def test_typing_in_the_models_line_is_mixed_and_nothing_of_it_is_lost() -> None:
    scene = changed()
    scene.types("TW", "xx")
    assert scene.mixed(ONE) == {ONE: ("TWxxO\n", "two\nxx\n")} or "xx" in scene.taken_back(ONE)
    now, then = scene.mixed(ONE)[ONE]
    assert now == "TWxxO\n" and "xx" in then and "two" in then


def test_deleting_all_of_a_hunk_leaves_the_old_text_to_bring_back() -> None:
    scene = changed()
    scene.replaces("TWO\n", "")
    assert scene.taken_back(ONE) == OLD and not scene.mixed(ONE)


def test_deleting_a_part_of_it_brings_that_part_never_back() -> None:
    scene = changed("TWO\nMORE\n")
    scene.replaces("TWO\n", "")
    assert scene.taken_back(ONE) == OLD and not scene.mixed(ONE)


def test_the_old_text_typed_again_does_not_come_twice_without_a_word() -> None:
    scene = changed()
    scene.replaces("TWO\n", "two\n")
    taken, clear = take_back_clear(scene.provenance, [ONE])
    assert taken.change.is_empty and clear == set()
    assert taken.mixed[ONE].now == "two\n" and taken.mixed[ONE].then == "two\ntwo\n"


def test_a_hunk_that_a_later_turn_swallowed_waits_for_a_word() -> None:
    scene = changed()
    scene.replaces("TWO\n", "2\n", LATER)
    assert scene.mixed(ONE) == {ONE: ("2\n", "two\n2\n")}
    assert scene.taken_back(LATER) == "one\nTWO\nthree\n"
    scene.undo(LATER)
    assert not scene.mixed(ONE) and scene.taken_back(ONE) == OLD


def test_both_turns_back_at_once_is_the_text_before() -> None:
    scene = changed()
    scene.replaces("TWO\n", "2\n", LATER)
    assert scene.taken_back(ONE, LATER) == OLD and not scene.mixed(ONE, LATER)


def test_a_turn_swallowed_and_taken_back_is_not_brought_back_with_the_later_one() -> None:
    scene = changed()
    scene.replaces("TWO\n", "2\n", LATER)
    scene.undo(ONE)
    assert scene.text == "one\ntwo\n2\nthree\n"
    assert scene.taken_back(LATER) == OLD


def test_what_a_person_deleted_around_it_stays_gone() -> None:
    scene = changed("TWO\nMORE\n")
    scene.edit(0, scene.text.index("MORE"), "")
    assert scene.taken_back(ONE) == "two\nthree\n"


def test_a_line_of_ones_own_on_a_break_of_the_models_is_not_glued_without_a_word() -> None:
    scene = changed("A\nB\nC\n")
    scene.replaces("B", "mine")  # the break behind it is the model's
    assert scene.mixed(ONE)[ONE][0] == "A\nmine\nC\n"


def test_the_end_of_a_file_without_a_last_break() -> None:
    scene = Scene("a")
    scene.edit(1, 1, "\nNEW", ONE)
    scene.edit(len(scene.text), len(scene.text), "\nmine")
    assert scene.taken_back(ONE) == "a\nmine" and not scene.mixed(ONE)


def test_what_a_turn_took_from_another_authors_line_comes_back() -> None:
    scene = Scene("a\nb\n")
    scene.types("a\n", "mine\n")
    scene.replaces("mine\nb\n", "B\n", ONE)
    assert scene.taken_back(ONE) == "a\nmine\nb\n"


# What reverts, roll-backs and restores did


def test_reverting_twice_does_nothing() -> None:
    scene = changed()
    scene.undo(ONE)
    assert scene.text == OLD
    assert take_back(scene.provenance, [ONE]).change.is_empty


def test_hunks_of_one_turn_one_after_another() -> None:
    scene = changed()
    scene.replaces("three\n", "", TWO)
    scene.undo(TWO)
    assert scene.text == "one\nTWO\nthree\n"
    scene.types("TWO\n", "mine\n")
    assert scene.taken_back(ONE) == "one\ntwo\nmine\nthree\n"


def test_hunks_that_are_taken_back_later_are_not_yet_lost() -> None:
    """Where the log does not say which hunks of a turn a revert was about."""
    scene = changed()
    scene.replaces("three\n", "THREE\n", TWO)
    change = take_back(scene.provenance, [TWO]).change
    scene.provenance.undo(change, [ONE, TWO])
    assert scene.provenance.text() == "one\nTWO\nthree\n"
    assert take_back(scene.provenance, [ONE]).change.apply("one\nTWO\nthree\n") == OLD


def test_a_revert_that_rewrites_lines_in_between_makes_them_nobody_elses() -> None:
    """The quick way back replaces all of a hunk's range, lines that stay in it too."""
    scene = Scene("a\nb\nc\nd\n")
    scene.replaces("a\n", "A\n", ONE)
    scene.replaces("c\n", "C\n", ONE)
    scene.replaces("d\n", "D\n", TWO)
    change = ChangeSet.of(8, [(0, 6, "a\nb\nc\n")])
    scene.provenance.undo(change, [ONE])
    assert take_back(scene.provenance, [ONE]).change.is_empty
    taken = take_back(scene.provenance, [TWO])
    assert taken.change.apply(scene.provenance.text()) == "a\nb\nc\nd\n" and not taken.mixed


def test_a_roll_back_leaves_what_an_earlier_turn_wrote_as_it_was() -> None:
    scene = changed()
    scene.replaces("TWO\n", "2\n", LATER)
    rolled_back = ChangeSet.of(len(scene.text), [(4, 6, "TWO\n")])
    scene.provenance.undo(rolled_back, [LATER])
    taken = take_back(scene.provenance, [ONE])
    assert taken.change.apply("one\nTWO\nthree\n") == OLD and not taken.mixed


def test_what_a_restore_brought_back_is_not_brought_back_again() -> None:
    scene = changed("TWO\nMORE\n")
    text = scene.text
    scene.provenance.restore(ChangeSet.of(len(text), [(4, 13, "two\n")]))
    assert scene.provenance.text() == OLD
    assert take_back(scene.provenance, [ONE]).change.is_empty


def test_a_restore_of_some_lines_and_new_ones() -> None:
    scene = Scene("a\nb\nc\n")
    scene.replaces("a\nb\nc\n", "X\n", ONE)
    scene.provenance.restore(ChangeSet.of(2, [(0, 2, "a\nnew\nc\n")]))
    assert scene.provenance.text() == "a\nnew\nc\n"
    then = take_back(scene.provenance, [ONE]).change.apply("a\nnew\nc\n")
    assert sorted(then.split()) == ["a", "b", "c", "new"]
    assert then.index("a") < then.index("b") < then.index("c")


def test_what_a_restore_made_live_again_is_the_models_again() -> None:
    scene = changed()
    scene.replaces("TWO\n", "")
    scene.provenance.restore(ChangeSet.of(len(scene.text), [(4, 4, "TWO\n")]))
    assert take_back(scene.provenance, [ONE]).change.apply("one\nTWO\nthree\n") == OLD


# Several hunks in one change


def test_each_hunk_of_a_change_has_its_own_characters() -> None:
    provenance = Provenance("a\nb\nc\nd\n")
    change = ChangeSet.of(8, [(0, 2, "A\n"), (4, 6, ""), (8, 8, "E\n")])
    provenance.edit(change, ("t", 3), [Span(ONE, 0, 2, "a\n"), Span(TWO, 4, 4, "c\n")])
    text = "A\nb\nd\nE\n"
    assert provenance.text() == text
    assert take_back(provenance, [ONE]).change.apply(text) == "a\nb\nd\nE\n"
    assert take_back(provenance, [TWO]).change.apply(text) == "A\nb\nc\nd\nE\n"
    assert take_back(provenance, [("t", 3)]).change.apply(text) == "A\nb\nd\n"


def test_hunks_that_touch_in_one_change_are_told_apart() -> None:
    """A line between them that a person had changed is gone, so their texts are one insertion."""
    provenance = Provenance("a\nd\n")
    change = ChangeSet.of(4, [(2, 2, "ONE\nTWO\n")])
    provenance.edit(change, TWO, [Span(ONE, 2, 6), Span(TWO, 6, 10)])
    assert take_back(provenance, [ONE]).change.apply("a\nONE\nTWO\nd\n") == "a\nTWO\nd\n"
    assert take_back(provenance, [TWO]).change.apply("a\nONE\nTWO\nd\n") == "a\nONE\nd\n"


def test_of_hunks_that_touch_each_has_deleted_its_own() -> None:
    provenance = Provenance("a\nb\nd\n")
    change = ChangeSet.of(6, [(2, 4, "ONE\nTWO\n")])
    provenance.edit(change, TWO, [Span(ONE, 2, 6, ""), Span(TWO, 6, 10, "b\n")])
    text = "a\nONE\nTWO\nd\n"
    assert take_back(provenance, [ONE]).change.apply(text) == "a\nTWO\nd\n"
    assert take_back(provenance, [TWO]).change.apply(text) in ("a\nb\nONE\nd\n", "a\nONE\nb\nd\n")


def test_of_a_deletion_that_two_hunks_made_together_each_has_its_part() -> None:
    provenance = Provenance("a\nb\nc\nd\n")
    change = ChangeSet.of(8, [(2, 6, "")])
    provenance.edit(change, ("t", 3), [Span(ONE, 2, 2, "b\n"), Span(TWO, 2, 2, "c\n")])
    assert take_back(provenance, [ONE]).change.apply("a\nd\n") == "a\nb\nd\n"
    assert take_back(provenance, [TWO]).change.apply("a\nd\n") == "a\nc\nd\n"


def test_a_hunk_that_only_touches_another_has_no_part_in_it() -> None:
    provenance = Provenance("a\nb\nc\n")
    change = ChangeSet.of(6, [(2, 4, "NEW\n"), (4, 6, "")])
    provenance.edit(change, ONE, [Span(TWO, 6, 6, "c\n")])
    assert take_back(provenance, [TWO]).change.apply("a\nNEW\n") == "a\nNEW\nc\n"
    assert take_back(provenance, [ONE]).change.apply("a\nNEW\n") == "a\nb\n"


def test_an_open_hunk_behind_a_complete_one_in_one_change() -> None:
    provenance = Provenance("a\nd\n")
    provenance.edit(ChangeSet.of(4, [(2, 2, "ONE\nTWO\n")]), TWO, [Span(ONE, 2, 6)])
    text = "a\nONE\nTWO\nd\n"
    assert take_back(provenance, [ONE]).change.apply(text) == "a\nTWO\nd\n"
    assert take_back(provenance, [TWO]).change.apply(text) == "a\nONE\nd\n"


def test_a_change_for_another_text_is_refused() -> None:
    with pytest.raises(ChangeError):
        Provenance("ab").edit(ChangeSet.empty(3), PERSON)
    with pytest.raises(ChangeError):
        Provenance("ab").undo(ChangeSet.empty(3), [ONE])


# Cost


def test_ten_thousand_changes_of_two_megabytes_take_seconds_at_most() -> None:
    rnd = random.Random(1)
    text = "line of text here\n" * 111_000
    provenance = Provenance(text)
    length = len(text)
    keys: list[Key] = [("t", number) for number in range(7)]
    begun_s = time.thread_time()
    for number in range(10_000):
        start = rnd.randrange(length)
        end = min(length, start + rnd.choice([0, 0, 3, 40]))
        change = ChangeSet.of(length, [(start, end, "xyz\n"[: rnd.randint(0, 4)])])
        provenance.edit(change, keys[number % 7] if number % 2 else PERSON)
        length = change.new_length
    taken, clear = take_back_clear(provenance, keys)
    assert time.thread_time() - begun_s < 4
    assert taken.change.length == length and not clear


def test_typing_where_much_has_died_is_no_slower() -> None:
    provenance = Provenance("x" * 40_000)
    length = 40_000
    begun_s = time.thread_time()
    for number in range(40_000, 0, -4):
        provenance.edit(ChangeSet.of(length, [(number - 4, number - 3, "")]), PERSON)
        length -= 1
    provenance.edit(ChangeSet.of(length, [(5, length - 5, "")]), PERSON)
    for number in range(2_000):
        change = ChangeSet.of(10 + number, [(5 + number, 5 + number, "y")])
        provenance.edit(change, PERSON)
    assert time.thread_time() - begun_s < 4
    assert provenance.text() == "x" * 5 + "y" * 2_000 + "x" * 5
