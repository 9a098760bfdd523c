"""Our algebra and CodeMirror's, on the same random cases: 4,300 scenes of 16 questions each."""

import random
from collections.abc import Callable
from typing import Any

import pytest

from tests.document.oracle import Oracle
from tests.document.randoms import PIECES, random_change, random_json, random_text
from tests.document.seeds import cases
from webapp.document.changes import ChangeSet

Question = tuple[dict[str, Any], Any]


def _scene(rnd: random.Random, text: str, sections: int = 6) -> list[Question]:
    """Return questions for the oracle, each with our own answer."""
    length = len(text)
    a = random_change(rnd, length, sections)
    b = random_change(rnd, length, sections)
    if rnd.random() < 0.3:  # changes as histories make them, not only as people type them
        a = a.compose(random_change(rnd, a.new_length, sections))
    if rnd.random() < 0.3:
        a = random_change(rnd, length, sections).map(a).map(a.invert(text))
        assert a.length == length
    after = random_change(rnd, a.new_length, sections)
    ja, jb, jafter = a.to_json(), b.to_json(), after.to_json()
    positions = sorted(rnd.randint(0, length) for _ in range(4))
    raw = random_json(rnd, length, sections)
    specs = _specs(rnd, length)
    return [
        ({"op": "apply", "text": text, "a": ja}, a.apply(text)),
        ({"op": "compose", "a": ja, "b": jafter}, a.compose(after).to_json()),
        ({"op": "map", "a": ja, "b": jb, "before": False}, a.map(b).to_json()),
        ({"op": "map", "a": ja, "b": jb, "before": True}, a.map(b, before=True).to_json()),
        ({"op": "map", "a": jb, "b": ja, "before": False}, b.map(a).to_json()),
        ({"op": "map", "a": jb, "b": ja, "before": True}, b.map(a, before=True).to_json()),
        ({"op": "invert", "text": text, "a": ja}, a.invert(text).to_json()),
        (
            {"op": "mapPos", "a": ja, "positions": positions, "assoc": -1},
            [a.map_pos(pos, -1) for pos in positions],
        ),
        (
            {"op": "mapPos", "a": ja, "positions": positions, "assoc": 1},
            [a.map_pos(pos, 1) for pos in positions],
        ),
        ({"op": "iter", "a": ja, "individual": False}, _listed(a.iter_changes())),
        ({"op": "iter", "a": ja, "individual": True}, _listed(a.iter_changes(individual=True))),
        ({"op": "facts", "a": ja}, [a.length, a.new_length, a.is_empty]),
        ({"op": "of", "length": length, "specs": specs}, ChangeSet.of(length, specs).to_json()),
        # What is not in normal form reads as the same change.
        ({"op": "apply", "text": text, "a": raw}, ChangeSet.from_json(raw, length).apply(text)),
        ({"op": "json", "a": ja}, ChangeSet.from_json(ja, length).to_json()),
    ]


def _listed(changes: Any) -> list[list[Any]]:
    return [list(change) for change in changes]


def _specs(rnd: random.Random, length: int) -> list[tuple[int, int, str]]:
    """Return changes that do not overlap, in any order, some at one place."""
    cuts = sorted(rnd.randint(0, length) for _ in range(2 * rnd.randint(0, 4)))
    specs = [
        (start, end, random_text(rnd, 2).replace("\n", rnd.choice(["\n", "\r\n", "\r"])))
        for start, end in zip(cuts[::2], cuts[1::2], strict=True)
    ]
    rnd.shuffle(specs)
    return specs


def _compare(oracle: Oracle, labelled: list[tuple[str, Question]]) -> None:
    answers = oracle.ask([request for _, (request, _) in labelled])
    for (label, (request, ours)), theirs in zip(labelled, answers, strict=True):
        assert ours == theirs, f"{label}: CodeMirror answers otherwise to {request!a}"


def _scenes(
    oracle: Oracle, name: str, count: int, text_of: Callable[[random.Random], str], sections: int
) -> int:
    labelled = [
        (label, question)
        for label, rnd in cases(name, count)
        for question in _scene(rnd, text_of(rnd), sections)
    ]
    _compare(oracle, labelled)
    return len(labelled)


def test_short_texts(oracle: Oracle) -> None:
    asked = sum(_scenes(oracle, f"short-{part}", 500, random_text, 6) for part in range(8))
    assert asked >= 20_000


def test_empty_texts(oracle: Oracle) -> None:
    _scenes(oracle, "empty", 100, lambda rnd: "", 6)


def test_many_sections(oracle: Oracle) -> None:
    _scenes(oracle, "sections", 200, lambda rnd: random_text(rnd, 120), 80)


def test_big_texts(oracle: Oracle) -> None:
    def big(rnd: random.Random) -> str:
        block = "".join(rnd.choice(PIECES) for _ in range(2_000))
        return block * 100

    _scenes(oracle, "big", 3, big, 12)


@pytest.mark.parametrize(
    ("text", "value", "expected"),
    [
        # One emoji for another of the same high half: what a browser really sends.
        ("a\ud83d\ude00b", [2, [1, "\ude01"], 1], "a\ud83d\ude01b"),
        ("\ud83d\ude00", [1, [1]], "\ud83d"),
        ("", [[0, "a", "", "b"]], "a\n\nb"),
        ("", [], ""),
        ("abc", [3], "abc"),
    ],
)
def test_named_cases(oracle: Oracle, text: str, value: list[Any], expected: str) -> None:
    change = ChangeSet.from_json(value, len(text))
    assert change.apply(text) == expected
    assert change.to_json() == value
    _compare(oracle, [("named", ({"op": "apply", "text": text, "a": value}, expected))])
