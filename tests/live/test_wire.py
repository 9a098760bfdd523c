"""Every frame of tests/wire/, and the bounds that a file of examples cannot hold."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.live.shapes import FRAMES, check, fits
from webapp.document.text import to_utf16
from webapp.live import wire

WIRE = Path(__file__).parent.parent / "wire"
PAGE = json.loads((WIRE / "from_page.json").read_text())
ID = "p" * 20
FILE = "f" * 20


def _named(case: dict[str, Any]) -> str:
    return str(case["name"])


@pytest.mark.parametrize("case", PAGE["good"], ids=_named)
def test_good_frames_become_messages_with_the_same_fields(case: dict[str, Any]) -> None:
    frame = case["frame"]
    message = wire.decode(json.dumps(frame))

    assert type(message).__name__.lower() == frame["t"]
    for name, value in frame.items():
        if name == "t":
            continue
        held = getattr(message, name)
        if name in ("sel", "files", "hunks"):
            held = list(held)
        elif name == "updates":
            held = [{"n": update.n, "c": update.c} for update in held]
        assert held == value


@pytest.mark.parametrize("case", PAGE["bad"], ids=_named)
def test_bad_frames_are_refused_with_their_code(case: dict[str, Any]) -> None:
    text = case["text"] if "text" in case else json.dumps(case["frame"])
    with pytest.raises(wire.WireError) as caught:
        wire.decode(text)
    assert (caught.value.code, caught.value.id) == (case["code"], case.get("id", ""))


def test_every_kind_has_good_and_bad_examples() -> None:
    kinds = {cls.__name__.lower() for cls in wire.Message.__args__}
    assert kinds == {case["frame"]["t"] for case in PAGE["good"]}
    assert all(
        any(case.get("frame", {}).get("t") == kind for case in PAGE["bad"]) for kind in kinds
    )


def test_astral_characters_arrive_as_two_code_units_however_they_are_spelled() -> None:
    for spelled in ('"\U0001f600"', '"\\ud83d\\ude00"'):
        text = f'{{"t":"prompt","id":"{ID}","text":{spelled}}}'
        message = wire.decode(text)
        assert isinstance(message, wire.Prompt)
        assert message.text == to_utf16("\U0001f600")
        assert len(message.text) == 2


@pytest.mark.parametrize("letter", ["x", "é", "\U0001f600"])
def test_a_frame_is_measured_in_bytes(letter: str) -> None:
    frame = {"t": "tree", "id": ID, "op": "create", "file": FILE, "path": "a", "text": ""}
    room_bytes = wire.FRAME_BYTES - len(json.dumps(frame))
    count, rest = divmod(room_bytes, len(letter.encode()))
    fits = json.dumps({**frame, "text": letter * count + "x" * rest}, ensure_ascii=False)
    assert len(fits.encode()) == wire.FRAME_BYTES
    assert isinstance(wire.decode(fits), wire.Tree)
    with pytest.raises(wire.WireError) as caught:
        wire.decode(fits.replace('"text": "', '"text": "y'))
    assert caught.value.code == "big"


def test_a_push_is_bounded_in_updates() -> None:
    def push(count: int) -> str:
        updates = [{"n": n, "c": [1]} for n in range(1, count + 1)]
        return json.dumps({"t": "push", "id": ID, "file": FILE, "v": 0, "updates": updates})

    assert isinstance(wire.decode(push(wire.PUSH_UPDATES)), wire.Push)
    with pytest.raises(wire.WireError) as caught:
        wire.decode(push(wire.PUSH_UPDATES + 1))
    assert (caught.value.code, caught.value.id) == ("shape", ID)


def test_deep_nesting_is_bad_json_and_not_a_crash() -> None:
    with pytest.raises(wire.WireError) as caught:
        wire.decode('{"t":"push","updates":' + "[" * 100_000)
    assert caught.value.code == "json"


def test_a_frame_goes_out_in_ascii_with_half_a_pair() -> None:
    text = wire.encode({"t": "file", "text": "\ud83d caf\u00e9"})
    assert text.isascii()
    assert json.loads(text)["text"] == "\ud83d caf\u00e9"


SERVER = json.loads((WIRE / "from_server.json").read_text())


@pytest.mark.parametrize("case", SERVER["good"], ids=_named)
def test_good_frames_of_the_server_have_the_shape_of_the_contract(case: dict[str, Any]) -> None:
    check(case["frame"])


@pytest.mark.parametrize("case", SERVER["bad"], ids=_named)
def test_bad_frames_of_the_server_have_not(case: dict[str, Any]) -> None:
    assert not fits(case["frame"])


def test_every_kind_of_the_server_has_an_example() -> None:
    assert FRAMES.keys() == {case["frame"]["t"] for case in SERVER["good"]}
