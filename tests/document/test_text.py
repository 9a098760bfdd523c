"""Units, lines and endings, and JSON that keeps half a pair."""

import json

import pytest

from tests.document.randoms import random_text
from tests.document.seeds import cases
from webapp.document.text import (
    dumps_ascii,
    from_utf16,
    line_ending,
    line_start,
    loads_utf16,
    normalise,
    restore,
    to_utf16,
)

WHOLE = ["", "plain", "é", "e\u0301", "中文", "😀", "a👩‍💻b", "\U0010ffff\U00010000", "\uffff"]


@pytest.mark.parametrize("text", WHOLE)
def test_round_trip(text: str) -> None:
    inside = to_utf16(text)
    assert len(inside) == len(text.encode("utf-16-le")) // 2
    assert from_utf16(inside) == text
    assert to_utf16(inside) == inside
    assert from_utf16(text) == text


def test_units_are_those_of_utf16() -> None:
    for label, rnd in cases("units", 500):
        text = random_text(rnd, 12)
        units = text.encode("utf-16-le", "surrogatepass")
        joined = units.decode("utf-16-le", "surrogatepass")
        assert from_utf16(text) == joined, label
        assert to_utf16(joined) == text, label


def test_lone_halves_stay() -> None:
    for text in ("\ud83d", "\ude00", "\ude00\ud83d", "a\ud83db"):
        assert from_utf16(text) == text == to_utf16(text)


def test_lines() -> None:
    assert [line_start("ab\n\ncd\n", line) for line in range(1, 7)] == [0, 3, 4, 7, 7, 7]
    assert [line_start("ab\ncd", line) for line in range(1, 4)] == [0, 3, 5]
    assert line_start("", 1) == 0
    assert line_start("a\u2028b\x0bc\rd", 2) == 7


@pytest.mark.parametrize(
    ("text", "ending", "inside"),
    [
        ("", "lf", ""),
        ("one line", "lf", "one line"),
        ("a\nb\n", "lf", "a\nb\n"),
        ("a\r\nb\r\n", "crlf", "a\nb\n"),
        ("a\rb\r", "cr", "a\nb\n"),
        ("\r\n", "crlf", "\n"),
        ("\r\r\n", "mixed", "\r\r\n"),
        ("a\nb\r\n", "mixed", "a\nb\r\n"),
        ("a\rb\n", "mixed", "a\rb\n"),
    ],
)
def test_endings(text: str, ending: str, inside: str) -> None:
    assert line_ending(text) == ending
    assert normalise(text) == (inside, ending)
    assert restore(*normalise(text)) == text


def test_json_keeps_halves_and_splits_pairs() -> None:
    raw = dumps_ascii({"a": [to_utf16("😀"), "\ud83d", "é", 1, None, True]})
    assert raw == '{"a":["\\ud83d\\ude00","\\ud83d","\\u00e9",1,null,true]}'
    assert loads_utf16(raw) == {"a": ["\ud83d\ude00", "\ud83d", "é", 1, None, True]}
    assert loads_utf16('{"😀": "😀"}') == {"\ud83d\ude00": "\ud83d\ude00"}
    assert loads_utf16('["\\uD83D\\uDE00"]') == ["\ud83d\ude00"]


@pytest.mark.parametrize("raw", ["", "{", "NaN", "[Infinity]", "[" * 100_000, '{"a":' * 100_000])
def test_json_refuses(raw: str) -> None:
    with pytest.raises(ValueError):
        loads_utf16(raw)


def test_json_splits_pairs_at_any_depth() -> None:
    value = loads_utf16("[" * 100 + '"\\ud83d\\ude00"' + "]" * 100)
    for _ in range(100):
        (value,) = value
    assert value == "\ud83d\ude00"


def test_json_has_no_infinities() -> None:
    with pytest.raises(ValueError):
        dumps_ascii([float("inf")])
    assert json.loads(dumps_ascii(["\u2028"])) == ["\u2028"]
