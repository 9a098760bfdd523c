"""The model server, as far as it goes without a model; with one: tests/model."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from webapp.appliance import modelserver
from webapp.lib.sentences import Sentence
from webapp.notices import modelstatus


@pytest.fixture(autouse=True)
def as_eager_as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tests that come after these should not be slower for it."""
    monkeypatch.setattr(modelserver, "NICENESS", 0)


def environment(home: Path, **more: str) -> dict[str, str]:
    return {
        "FLINT_HOME": str(home),
        "FLINT_PREVIEW_STATUS": str(home / "status.json"),
        "FLINT_PREVIEW_BASE_URL": "http://127.0.0.1:1",
        "FLINT_PREVIEW_API_KEY": "key",
        "FLINT_PREVIEW_MODEL": "model",
        **more,
    }


def test_without_weights_the_page_says_what_to_do(tmp_path: Path) -> None:
    env = environment(tmp_path, FLINT_MODEL_PATH=str(tmp_path / "gone.gguf"))
    assert modelserver.main(env) == modelserver.EXIT_NO_WEIGHTS
    status = modelstatus.read(tmp_path / "status.json")
    assert status is not None
    assert (status.state, status.name) == ("missing", "model")
    assert "FLINT_MODEL_PATH is" in status.message
    assert isinstance(status.message, Sentence)


def test_a_file_that_is_no_model_is_a_sentence_and_final(tmp_path: Path) -> None:
    (tmp_path / "text.gguf").write_bytes(b"not a model")
    digest = modelserver.weights.sha256_of(tmp_path / "text.gguf")
    env = environment(
        tmp_path, FLINT_MODEL_PATH=str(tmp_path / "text.gguf"), FLINT_MODEL_SHA256=digest
    )
    assert modelserver.main(env) == modelserver.EXIT_UNUSABLE
    status = modelstatus.read(tmp_path / "status.json")
    assert status is not None
    assert status.state == "failed"
    assert "could not be loaded" in status.message
    assert isinstance(status.message, Sentence)


def test_uses_the_cores_it_may_use_unless_told_otherwise() -> None:
    assert modelserver.threads({"FLINT_MODEL_THREADS": "3"}) == 3
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    assert modelserver.threads({"FLINT_MODEL_THREADS": "0"}) == allowed


def test_reads_how_much_memory_is_free(tmp_path: Path) -> None:
    (tmp_path / "meminfo").write_text("MemTotal: 100 kB\nMemAvailable:     2048 kB\n")
    assert modelserver.available_bytes(tmp_path / "meminfo") == 2048 * 1024
    assert modelserver.available_bytes(tmp_path / "none") is None
