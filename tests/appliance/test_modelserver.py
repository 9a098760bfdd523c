"""The model server, as far as it goes without a model; with one: tests/model."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from tests.appliance.hubserver import Hub, serving
from webapp.appliance import llama, modelserver, tiers, weights
from webapp.appliance.published import Weights
from webapp.appliance.tiers import Tier
from webapp.lib.sentences import Sentence
from webapp.notices import modelstatus
from webapp.notices.modelstatus import ModelStatus

# The tests that come after these should not be slower for it.
PREVIEW, STANDARD = (replace(tier, niceness=0) for tier in (tiers.PREVIEW, tiers.STANDARD))


def environment(home: Path, **more: str) -> dict[str, str]:
    values = {"STATUS": str(home / "status.json"), "MODEL": "model", "API_KEY": "key"}
    values["BASE_URL"] = "http://127.0.0.1:1"
    return {
        "FLINT_HOME": str(home),
        "FLINT_CACHE": str(home / "cache"),
        **{
            f"FLINT_{tier}_{name}": values[name]
            for tier in ("PREVIEW", "STANDARD")
            for name in values
        },
        **more,
    }


def status_in(home: Path) -> ModelStatus:
    status = modelstatus.read(home / "status.json")
    assert status is not None
    assert isinstance(status.message, Sentence)
    return status


@pytest.mark.parametrize("tier", [PREVIEW, STANDARD], ids=lambda tier: tier.name)
def test_a_file_that_is_not_there_is_named_and_cannot_be_fetched(
    tmp_path: Path, tier: Tier
) -> None:
    env = environment(tmp_path, **{tier.path_setting: str(tmp_path / "gone.gguf")})
    assert modelserver.main(tier, env) == modelserver.EXIT_NO_WEIGHTS
    status = status_in(tmp_path)
    assert (status.state, status.name, status.tier) == ("missing", "model", tier.name)
    assert f"{tier.path_setting} is" in status.message


@pytest.mark.parametrize(("tier", "state"), [(PREVIEW, "missing"), (STANDARD, "paused")])
def test_without_a_source_what_was_asked_for_can_be_asked_for_again(
    tmp_path: Path, tier: Tier, state: str
) -> None:
    small = replace(tier, weights=Weights("Tiny", "tiny.gguf", 4, "-", "someone/tiny", ()))
    with serving(Hub(b"tiny", status=404)) as hub:
        env = environment(tmp_path, FLINT_MODEL_HUB=hub.base)
        assert modelserver.main(small, env) == modelserver.EXIT_NO_WEIGHTS
    status = status_in(tmp_path)
    assert status.state == state
    assert "could not be downloaded" in status.message


def given(tmp_path: Path) -> dict[str, str]:
    (tmp_path / "text.gguf").write_bytes(b"not a model")
    digest = weights.sha256_of(tmp_path / "text.gguf")
    return environment(
        tmp_path, FLINT_MODEL_PATH=str(tmp_path / "text.gguf"), FLINT_MODEL_SHA256=digest
    )


def test_a_file_that_is_no_model_is_a_sentence_and_final(tmp_path: Path) -> None:
    assert modelserver.main(PREVIEW, given(tmp_path)) == modelserver.EXIT_UNUSABLE
    status = status_in(tmp_path)
    assert status.state == "failed"
    assert "could not be loaded" in status.message


def test_too_little_memory_is_a_sentence_and_is_tried_again(tmp_path: Path) -> None:
    huge = replace(PREVIEW, needs_bytes=1 << 60)
    assert modelserver.main(huge, given(tmp_path)) == modelserver.EXIT_NO_MEMORY
    assert "FLINT_PREVIEW_BASE_URL" in status_in(tmp_path).message

    def runs_out(tier: Tier, path: Path, env: Mapping[str, str]) -> str:
        raise MemoryError

    assert modelserver.main(PREVIEW, given(tmp_path), runs_out) == modelserver.EXIT_NO_MEMORY
    assert status_in(tmp_path).state == "failed"


def test_uses_the_cores_it_may_use_unless_told_otherwise() -> None:
    assert llama.threads({"FLINT_MODEL_THREADS": "3"}) == 3
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    assert llama.threads({"FLINT_MODEL_THREADS": "0"}) == allowed
