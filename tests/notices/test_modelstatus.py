"""The model's status file: what was written is read, and nothing half-way."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from webapp.lib.sentences import Sentence
from webapp.notices import modelstatus
from webapp.notices.modelstatus import ModelStatus


@pytest.mark.parametrize(
    "message",
    [
        "",
        "Plain words.",
        Sentence("Nothing to fill in."),
        Sentence("%(a)s, then %(b)s.", a=Sentence("inner %(c)s", c="é"), b=7),
    ],
)
def test_round_trip(tmp_path: Path, message: str) -> None:
    path = tmp_path / "status.json"
    status = ModelStatus("failed", "model", message, 1, 2, 3.5, None, "standard")
    modelstatus.write(path, status)
    found = modelstatus.read(path)
    assert found == status
    assert type(found.message) is type(message)
    if isinstance(message, Sentence) and isinstance(found.message, Sentence):
        assert (found.message.msgid, found.message.values) == (message.msgid, message.values)
        inner = found.message.values.get("a", message)
        assert isinstance(inner, Sentence)
    assert list(tmp_path.iterdir()) == [path]


def test_reads_a_message_that_is_a_string(tmp_path: Path) -> None:
    path = tmp_path / "status.json"
    path.write_text('{"state": "failed", "name": "m", "message": "It broke."}')
    assert modelstatus.read(path) == ModelStatus("failed", "m", "It broke.")
    assert type(ModelStatus("failed", "m", "It broke.").message) is str


@pytest.mark.parametrize(
    "content",
    [
        "",
        "{",
        "[]",
        "{}",
        '{"state": "failed", "more": 1}',
        '{"state": "failed", "message": 3}',
        json.dumps({"state": "failed", "message": {"msgid": "%(a)s", "values": {}, "x": 1}})[:-9],
        json.dumps({"state": "failed", "message": {"msgid": "%(a)s", "values": {"b": "c"}}}),
    ],
)
def test_what_cannot_be_read_is_nothing(tmp_path: Path, content: str) -> None:
    path = tmp_path / "status.json"
    path.write_text(content)
    assert modelstatus.read(path) is None
    assert modelstatus.read(tmp_path / "none.json") is None
