"""The `json` parser under any cut of any message, against the standard decoder, and its time."""

from __future__ import annotations

import json
import random
import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.formats.reading import check_order, check_random_cuts, joined, read
from webapp.document.text import to_utf16
from webapp.engine.formats import (
    BlockEnd,
    BlockFault,
    BlockStart,
    Event,
    Omission,
    Prose,
    Search,
    Text,
)
from webapp.engine.formats.json_edits import JsonParser
from webapp.engine.formats.json_strings import StringDecoder

PIECES = (
    *("{", "}", "[", "]", '"', ":", ",", "}]}", '"}', '"},'),
    *('"path":"a"', '"old":"x"', '"new":"y"', '"new":"y', '"file":"b"', '"edits":[', '"edits":'),
    *('{"path":"a","old":"x","new":"', '"replace_all":', '"input":{', '"a":1', "true", "null"),
    *("\\", "\\u", "\\ud83d", "\\ude00", "\ud83d", "\ude00", "\\n", "\\r", "\\r\\n", "\n", "\r\n"),
    *("\r", " ", " " * 301, "1e5", "01", "abc", "```", "```json\n", "~~~\n", "hello"),
    *("# ... rest of the code ...", "\\n# ... rest of the code ...\\n", "#"),
)
STARTS = ("", '{"edits":[{"path":"z",', '{"path":"z","old":"', '{"old":"x","new":"', "```json\n[")


@st.composite
def messages(draw: st.DrawFn) -> str:
    pieces = draw(st.lists(st.sampled_from(PIECES), max_size=20))
    return draw(st.sampled_from(STARTS)) + "".join(pieces)


@given(messages(), st.randoms(use_true_random=False))
def test_no_cut_of_any_message_changes_the_events(message: str, rng: random.Random) -> None:
    check_random_cuts(JsonParser, message, rng)


@given(st.binary(max_size=200))
def test_no_bytes_raise(data: bytes) -> None:
    for start in STARTS:
        check_order(read(JsonParser, start + data.decode("latin-1")))


TEXTS = st.text(
    st.characters(exclude_categories=[]) | st.sampled_from('\\"\n#.\ud83d\ude00$&<'), max_size=30
)


@given(
    st.lists(st.tuples(TEXTS, TEXTS, st.permutations(("path", "old", "new"))), max_size=4),
    st.booleans(),
    st.integers(1, 9),
)
def test_what_the_standard_encoder_writes_comes_back(
    edits: list[tuple[str, str, list[str]]], is_ascii: bool, size: int
) -> None:
    fields = [{"path": "a", "old": old, "new": new} for old, new, _ in edits]
    ordered = [
        {key: one[key] for key in keys} for one, (_, _, keys) in zip(fields, edits, strict=True)
    ]
    message = to_utf16(json.dumps({"edits": ordered}, ensure_ascii=is_ascii))
    parser = JsonParser()
    events: list[Event] = []
    for at in range(0, len(message), size):
        events += parser.push(message[at : at + size])
    check_order(events + parser.finish())
    expected: list[Event] = []
    for old, new, _ in edits:
        expected += [BlockStart("a", verbatim=True), Search(_lf(old)), Text(_lf(new)), BlockEnd()]
    told = joined([Text(e.text) if isinstance(e, Omission) else e for e in events])
    assert told == [event for event in expected if event != Text("")]


def _lf(text: str) -> str:
    return to_utf16(text).replace("\r\n", "\n").replace("\r", "\n")


@given(TEXTS, st.booleans(), st.integers(1, 7))
def test_a_decoded_string_never_ends_within_a_pair(text: str, is_ascii: bool, size: int) -> None:
    text = to_utf16(text)
    spelled = to_utf16(json.dumps(text, ensure_ascii=is_ascii))[1:]
    decoder = StringDecoder()
    out: list[str] = []
    for at in range(0, len(spelled), size):
        piece, _, is_over = decoder.push(spelled[at : at + size], 0)
        out.append(piece)
        assert is_over == (at + size >= len(spelled))
    assert "".join(out) == text
    told = [piece for piece in out if piece]
    for before, after in pairwise(told):
        halves = before[-1], after[0]
        assert not ("\ud800" <= halves[0] <= "\udbff" and "\udc00" <= halves[1] <= "\udfff")


@given(st.text(st.sampled_from('{}[]":, abc01\n'), max_size=60))
def test_what_is_no_edit_is_prose_to_the_letter(message: str) -> None:
    events = read(JsonParser, message)
    assert "".join(event.text for event in events if isinstance(event, Prose)) == message


def test_a_cut_edit_is_never_complete() -> None:
    message = '{"edits":[{"path":"a","old":"x","new":"y\\n","replace_all":false}]}'
    over = message.index("}") + 1
    for cut in range(over):
        ends = [event for event in read(JsonParser, message[:cut]) if isinstance(event, BlockEnd)]
        assert [end.fault for end in ends] in ([], [BlockFault.CUT]), cut
    assert BlockEnd() in read(JsonParser, message[:over])


@pytest.mark.parametrize(
    "piece",
    [
        *("x", '"', "\\", "\\u", "\\ud83d", "\n", "\r", " ", "{", "[", "[{", "1", "`", "#"),
        *('{"a":', '{"path":"a","old":"x","new":"y"},', '{"old":"x","new":"y"},', '"edits":[{'),
    ],
)
@pytest.mark.parametrize(
    "start", ["", "[", '{"edits":[', '{"path":"a","old":"', '{"path":"a","old":"x","new":"', '{"']
)
def test_time_grows_with_the_message_alone(piece: str, start: str) -> None:
    def seconds(count: int) -> float:
        parser = JsonParser()
        parser.push(start)
        began = time.process_time()
        for _ in range(count):
            parser.push(piece)
        parser.finish()
        return time.process_time() - began

    assert min(seconds(2000) for _ in range(3)) < 12 * min(seconds(500) for _ in range(3)) + 0.01
