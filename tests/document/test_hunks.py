"""Hunks through later changes: what they cover, when they are touched, what reverting leaves."""

import random

import pytest

from tests.document.randoms import random_change, random_text
from tests.document.seeds import cases
from webapp.document.changes import ChangeError, ChangeSet
from webapp.document.hunks import Hunk, HunkStatus, revert_changes


def hunk(start: int, end: int, old_text: str = "") -> Hunk:
    """Return an open hunk of that range."""
    return Hunk("h", "t", "f", 0, start, end, old_text)


# A text of 10 characters with the hunk at 4 to 7: (change, range after it, touched).
THEIRS = {
    "inserts at the start": ((4, 4, "ab"), (6, 9), False),
    "inserts at the end": ((7, 7, "ab"), (4, 7), False),
    "inserts before": ((1, 1, "ab"), (6, 9), False),
    "inserts behind": ((9, 9, "ab"), (4, 7), False),
    "inserts inside": ((5, 5, "ab"), (4, 9), True),
    "deletes up to the start": ((2, 4, ""), (2, 5), False),
    "deletes from the end": ((7, 9, ""), (4, 7), False),
    "replaces up to the start": ((2, 4, "abc"), (5, 8), False),
    "replaces from the end": ((7, 9, "abc"), (4, 7), False),
    "deletes the first character": ((4, 5, ""), (4, 6), True),
    "deletes the last character": ((6, 7, ""), (4, 6), True),
    "deletes over the start": ((2, 5, ""), (2, 4), True),
    "deletes over the end": ((6, 9, ""), (4, 6), True),
    "deletes all of it": ((4, 7, ""), (4, 4), True),
    "replaces all of it": ((4, 7, "ab"), (4, 6), True),
    "replaces more than all": ((3, 8, "ab"), (3, 3), True),
    "replaces inside": ((5, 6, "abc"), (4, 9), True),
}


@pytest.mark.parametrize(("change", "ends", "touched"), THEIRS.values(), ids=THEIRS)
def test_somebody_elses_change(
    change: tuple[int, int, str], ends: tuple[int, int], touched: bool
) -> None:
    after = hunk(4, 7).follow(ChangeSet.of(10, [change]), own=False)
    assert (after.start, after.end, after.touched) == (*ends, touched)


@pytest.mark.parametrize(
    ("change", "ends"),
    [((7, 7, "ab"), (4, 9)), ((4, 4, "ab"), (4, 9)), ((5, 6, ""), (4, 6)), ((1, 1, "ab"), (6, 9))],
    ids=["at the end", "at the start", "inside", "before"],
)
def test_own_change(change: tuple[int, int, str], ends: tuple[int, int]) -> None:
    after = hunk(4, 7).follow(ChangeSet.of(10, [change]), own=True)
    assert (after.start, after.end, after.touched) == (*ends, False)


def test_touched_stays_touched() -> None:
    once = hunk(4, 7).follow(ChangeSet.of(10, [(5, 5, "x")]), own=False)
    assert once.follow(ChangeSet.of(11, [(0, 1, "")]), own=False).touched
    assert once.follow(ChangeSet.of(11, [(8, 8, "y")]), own=True).touched


@pytest.mark.parametrize(
    ("old_text", "pos"),
    [("line\n", 4), ("\nline", 6), ("word", 4)],
    ids=["whole line", "last line", "word"],
)
def test_text_typed_where_something_was_deleted(old_text: str, pos: int) -> None:
    after = hunk(4, 4, old_text).follow(ChangeSet.of(10, [(4, 4, "ab")]), own=False)
    assert (after.start, after.end, after.touched) == (pos, pos, False)


def test_deleting_around_a_deletion_touches_it() -> None:
    assert hunk(4, 4, "x").follow(ChangeSet.of(10, [(3, 5, "")]), own=False).touched
    assert (
        not hunk(4, 4, "x").follow(ChangeSet.of(10, [(2, 4, ""), (4, 6, "y")]), own=False).touched
    )


def test_write_takes_in_what_the_turn_replaces() -> None:
    text = "one\ntwo\nthree\n"
    first = ChangeSet.of(len(text), [(4, 4, "2\n")])
    grown = hunk(4, 4).write(first, text)
    assert (grown.start, grown.end, grown.old_text) == (4, 6, "")
    text = first.apply(text)
    second = ChangeSet.of(len(text), [(6, 10, "")])
    grown = grown.write(second, text)
    text = second.apply(text)
    assert text == "one\n2\nthree\n"
    assert (grown.start, grown.end, grown.old_text) == (4, 6, "two\n")
    assert revert_changes([grown], len(text)).apply(text) == "one\ntwo\nthree\n"


def test_revert_refuses_what_does_not_fit() -> None:
    with pytest.raises(ChangeError):
        revert_changes([hunk(4, 7)], 6)
    with pytest.raises(ChangeError):
        revert_changes([hunk(1, 4), hunk(3, 5)], 10)
    with pytest.raises(ChangeError):
        revert_changes([hunk(1, 2), Hunk("i", "t", "other", 1, 3, 4, "")], 10)


def test_revert_keeps_the_cr_of_a_mixed_file() -> None:
    assert revert_changes([hunk(1, 2, "\r\n")], 3).apply("axb") == "a\r\nb"


def test_status_is_its_name() -> None:
    assert HunkStatus("rolled_back") is HunkStatus.ROLLED_BACK
    assert f"{HunkStatus.OPEN}" == "open"


def _edit_elsewhere(rnd: random.Random, text: str, hunks: list[Hunk]) -> ChangeSet:
    """Return somebody's change that leaves the hunks alone, often right at their edges."""
    while True:
        change = random_change(rnd, len(text), 3)
        if rnd.random() < 0.5:
            one = rnd.choice(hunks)
            edge = rnd.choice([one.start, one.end])
            change = ChangeSet.of(len(text), [(edge, edge, random_text(rnd, 2))])
        if not any(one.follow(change, own=False).touched for one in hunks):
            return change


def test_reverting_gives_the_text_as_if_the_hunk_had_never_been() -> None:
    """The people's changes, mapped back to a text without the hunk, give the same text."""
    for label, rnd in cases("revert", 1_500):
        before = random_text(rnd, 12)
        start, end = sorted(rnd.randint(0, len(before)) for _ in range(2))
        turn = ChangeSet.of(len(before), [(start, end, random_text(rnd, 4))])
        if turn.is_empty:
            continue
        text = turn.apply(before)
        one = hunk(start, start, "").write(turn, before)
        assert (one.start, one.old_text) == (start, before[start:end]), label
        undo = turn.invert(before)
        expected = before
        for _ in range(rnd.randint(0, 4)):
            change = _edit_elsewhere(rnd, text, [one])
            # The same place rule as the hunk's: at the point of a deletion the old text goes
            # first, unless it was the last line.
            after_it = one.start == one.end and not (
                one.old_text.startswith("\n") and not one.old_text.endswith("\n")
            )
            without = change.map(undo, before=not after_it)
            undo = undo.map(change, before=after_it)
            expected = without.apply(expected)
            text = change.apply(text)
            one = one.follow(change, own=False)
        assert not one.touched, label
        assert revert_changes([one], len(text)).apply(text) == expected, label


def test_reverting_a_turn_of_many_hunks_leaves_what_people_typed() -> None:
    for label, rnd in cases("revert many", 500):
        before = "".join(rnd.choice("abc\n") for _ in range(rnd.randint(6, 30)))
        cuts = sorted(rnd.sample(range(len(before) + 1), 4))
        specs = [(cuts[0], cuts[1], "MM"), (cuts[2], cuts[3], rnd.choice(["", "MMM"]))]
        text, hunks = before, list[Hunk]()
        for ordinal, (start, end, inserted) in enumerate(reversed(specs)):
            change = ChangeSet.of(len(text), [(start, end, inserted)])
            hunks = [one.follow(change, own=False) for one in hunks]
            new = Hunk(str(ordinal), "t", "f", ordinal, start, start, "")
            hunks.append(new.write(change, text))
            text = change.apply(text)
        people = 0
        for _ in range(5):
            pos = rnd.randint(0, len(text))
            change = ChangeSet.of(len(text), [(pos, pos, "P")])
            if any(one.follow(change, own=False).touched for one in hunks):
                continue
            people += 1
            hunks = [one.follow(change, own=False) for one in hunks]
            text = change.apply(text)
        reverted = revert_changes(hunks, len(text)).apply(text)
        assert reverted.replace("P", "") == before, label
        assert reverted.count("P") == people, label
