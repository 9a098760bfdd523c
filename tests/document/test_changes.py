"""What a change refuses, and the laws that every change obeys."""

from typing import Any

import pytest
from hypothesis import given, seed, settings
from hypothesis import strategies as st

from tests.document.randoms import PIECES
from tests.document.seeds import SEED
from webapp.document.changes import MAX_LENGTH, ChangeError, ChangeSet

texts = st.lists(st.sampled_from(PIECES), max_size=8).map("".join)


@st.composite
def changes(draw: st.DrawFn, length: int) -> ChangeSet:
    """Draw a change for a text of `length`."""
    value: list[object] = []
    left = length
    for _ in range(draw(st.integers(0, 5))):
        step = draw(st.integers(0, left))
        left -= step
        value.append(step if draw(st.booleans()) else [step, *draw(texts).split("\n")])
    return ChangeSet.from_json([*value, left], length)


def law(test: Any) -> Any:
    """Run a property on the same examples every time."""
    return seed(SEED)(
        settings(max_examples=400, deadline=None, database=None)(given(st.data())(test))
    )


@law
def test_map_either_way_gives_one_text(data: st.DataObject) -> None:
    text = data.draw(texts)
    a, b = data.draw(changes(len(text))), data.draw(changes(len(text)))
    one = a.compose(b.map(a)).apply(text)
    assert one == b.compose(a.map(b, before=True)).apply(text)
    assert one == b.map(a).apply(a.apply(text))


@law
def test_compose_is_one_after_the_other(data: st.DataObject) -> None:
    text = data.draw(texts)
    a = data.draw(changes(len(text)))
    b = data.draw(changes(a.new_length))
    c = data.draw(changes(b.new_length))
    assert a.compose(b).apply(text) == b.apply(a.apply(text))
    assert a.compose(b).compose(c).apply(text) == a.compose(b.compose(c)).apply(text)


@law
def test_invert_brings_the_text_back(data: st.DataObject) -> None:
    text = data.draw(texts)
    change = data.draw(changes(len(text)))
    back = change.invert(text)
    assert back.apply(change.apply(text)) == text
    assert back.invert(change.apply(text)) == change


@law
def test_json_is_the_change(data: st.DataObject) -> None:
    change = data.draw(changes(len(data.draw(texts))))
    assert ChangeSet.from_json(change.to_json(), change.length) == change


@law
def test_nothing_is_neutral(data: st.DataObject) -> None:
    change = data.draw(changes(len(data.draw(texts))))
    nothing = ChangeSet.empty(change.length)
    assert nothing.compose(change) == change == change.compose(ChangeSet.empty(change.new_length))
    assert change.map(nothing) == change
    assert nothing.map(change).is_empty


@law
def test_positions_keep_their_order(data: st.DataObject) -> None:
    change = data.draw(changes(len(data.draw(texts))))
    before, behind = (
        [change.map_pos(pos, assoc) for pos in range(change.length + 1)] for assoc in (-1, 1)
    )
    assert before == sorted(before) and behind == sorted(behind)
    assert all(low <= high for low, high in zip(before, behind, strict=True))
    assert before[0] == 0 and behind[-1] == change.new_length


@law
def test_parts_are_the_whole(data: st.DataObject) -> None:
    text = data.draw(texts)
    change = data.draw(changes(len(text)))
    parts = [(start, end, inserted) for start, end, _, _, inserted in change.iter_changes()]
    assert ChangeSet.of(len(text), parts).apply(text) == change.apply(text)
    assert bool(parts) != change.is_empty
    for _, _, start_new, end_new, inserted in change.iter_changes():
        assert change.apply(text)[start_new:end_new] == inserted


BAD = {
    "no list": ({"a": 1}, "not an object"),
    "a string": ("[1]", "not a string"),
    "null": (None, "not nothing"),
    "a number": (3, "not a number"),
    "a section of null": ([None], "not nothing"),
    "a section that is an object": ([{"0": 1}], "not an object"),
    "a section that is a string": (["3"], "not a string"),
    "an empty section": ([1, [], 2], "empty list"),
    "a negative retain": ([4, -1], "below zero"),
    "a negative deletion": ([[-3, "abc"], 3], "below zero"),
    "a fraction kept": ([1.5, 1.5], "not a fraction"),
    "a whole fraction": ([3.0], "not a fraction"),
    "a fraction deleted": ([[0.5, "x"], 3], "not a fraction"),
    "not a number": ([float("nan")], "not a fraction"),
    "true kept": ([True, 2], "not true or false"),
    "true deleted": ([[True], 2], "not true or false"),
    "a string deleted": ([["1", "x"], 3], "not a string"),
    "a list deleted": ([[[1], "x"], 3], "not a list"),
    "a line that is a number": ([[0, 1], 3], "not a number"),
    "a line that is null": ([[0, "a", None], 3], "not nothing"),
    "a line that is a list": ([[0, ["a"]], 3], "not a list"),
    "LF in a line": ([[0, "a\nb"], 3], "line break"),
    "CR in a line": ([[0, "a\rb"], 3], "line break"),
    "CRLF at a line's end": ([[0, "a", "b\r\n"], 3], "line break"),
    "too short": ([2], "length 2, but the text has 3"),
    "too long": ([2, [2]], "length 4, but the text has 3"),
    "for an empty text": ([], "length 0, but the text has 3"),
    "huge": ([10**400], "more characters than"),
    "just too large": ([MAX_LENGTH + 1], "more characters than"),
}


@pytest.mark.parametrize(("value", "why"), BAD.values(), ids=BAD)
def test_from_json_refuses(value: object, why: str) -> None:
    with pytest.raises(ChangeError, match=why):
        ChangeSet.from_json(value, 3)


def test_from_json_joins_what_codemirror_would() -> None:
    loose = [0, 1, 0, 1, [0], [1], [0, ""], [1, ""], [0, "a"], [0, "b", "c"], 0]
    assert ChangeSet.from_json(loose, 4).to_json() == [2, [2], [0, "ab", "c"]]


def test_from_json_splits_pairs() -> None:
    change = ChangeSet.from_json([[0, "😀"]], 0)
    assert change.new_length == 2
    assert change == ChangeSet.from_json([[0, "\ud83d\ude00"]], 0)


def test_cr_stays_only_in_files_that_mix() -> None:
    value = [[0, "a\r", "b"]]
    assert ChangeSet.from_json(value, 0, keep_cr=True).apply("") == "a\r\nb"
    with pytest.raises(ChangeError):
        ChangeSet.from_json([[0, "a\r\n"]], 0, keep_cr=True)
    assert ChangeSet.of(0, [(0, 0, "a\r\nb\rc")]).apply("") == "a\nb\nc"
    assert ChangeSet.of(0, [(0, 0, "a\r\nb\rc")], keep_cr=True).apply("") == "a\r\nb\rc"


@pytest.mark.parametrize(
    "ranges",
    [
        [(-1, 0, "a")],
        [(2, 1, "a")],
        [(0, 4, "")],
        [(0, 2, ""), (1, 3, "")],
        [(1, 3, ""), (2, 2, "x")],
    ],
    ids=["before the text", "backwards", "behind the text", "overlapping", "inside another"],
)
def test_of_refuses(ranges: list[tuple[int, int, str]]) -> None:
    with pytest.raises(ChangeError):
        ChangeSet.of(3, ranges)


def test_lengths_that_do_not_fit() -> None:
    three, four = ChangeSet.of(3, [(0, 0, "x")]), ChangeSet.empty(4)
    for call in (
        lambda: three.apply("ab"),
        lambda: three.invert("abcd"),
        lambda: three.map(four),
        lambda: four.map(three),
        lambda: three.compose(ChangeSet.empty(3)),
        lambda: three.map_pos(4),
        lambda: three.map_pos(-1),
    ):
        with pytest.raises(ChangeError):
            call()


def test_operands_stay_as_they_were() -> None:
    a, b = ChangeSet.of(3, [(1, 2, "x")]), ChangeSet.of(3, [(0, 3, "yy")])
    shown = a.to_json(), b.to_json()
    a.map(b), b.map(a), a.compose(ChangeSet.of(3, [(0, 1, "z")])), a.invert("abc")
    assert (a.to_json(), b.to_json()) == shown
    with pytest.raises(AttributeError):
        a.anything = 1  # type: ignore[attr-defined]  # what must not work
