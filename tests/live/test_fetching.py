"""Asking for the deeper embedded model: what is noted for the appliance, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import pytest
from pytest_django import Settings

from webapp.lib.sentences import Sentence
from webapp.live import fetching
from webapp.live.watching import ModelWatch
from webapp.notices import modelstatus, modelwish
from webapp.notices.modelstatus import ModelStatus, State


@pytest.fixture
def status_file(settings: Settings, tmp_path: Path) -> Path:
    """The status file of a standard tier that the appliance could bring."""
    path = tmp_path / "model-standard.json"
    named = settings.MODELS["standard"] | {"status_file": path, "base_url": "http://127.0.0.1:9"}
    settings.MODELS = settings.MODELS | {"standard": named}
    return path


def wished(status_file: Path) -> modelwish.Wish | None:
    return modelwish.read(modelwish.path_beside(status_file))


@pytest.mark.parametrize("op", ["start", "stop"])
@pytest.mark.parametrize("state", ["offered", "downloading", "paused", "starting", "failed"])
def test_a_wish_is_noted_with_who_had_it(
    status_file: Path, state: State, op: Literal["start", "stop"]
) -> None:
    modelstatus.write(status_file, ModelStatus(state, tier="standard"))
    assert fetching.ask("standard", op, "Ann") is None
    wish = wished(status_file)
    assert wish is not None
    assert (wish.op, wish.who) == (op, "Ann") and wish.at


def test_a_machine_that_is_too_small_says_so_and_nothing_is_noted(status_file: Path) -> None:
    why = Sentence("%(free)s MB are free.", free="3")
    modelstatus.write(status_file, ModelStatus("unfit", message=why, tier="standard"))
    assert fetching.ask("standard", "start") == why
    assert wished(status_file) is None
    assert fetching.ask("standard", "stop") is None


def test_what_answers_already_is_not_fetched_but_can_be_left(status_file: Path) -> None:
    modelstatus.write(status_file, ModelStatus("ready", tier="standard"))
    assert fetching.ask("standard", "start") == fetching.IS_HERE
    assert wished(status_file) is None
    assert fetching.ask("standard", "stop") is None
    assert wished(status_file) is not None


def test_what_no_appliance_brings_is_refused(status_file: Path, settings: Settings) -> None:
    assert fetching.ask("standard", "start") == fetching.ELSEWHERE
    assert fetching.ask("preview", "start") == fetching.BY_ITSELF
    assert "no tier named deep" in str(fetching.ask("deep", "start"))
    modelstatus.write(status_file, ModelStatus("offered", tier="standard"))
    settings.MODELS = settings.MODELS | {"standard": settings.MODELS["standard"] | {"base_url": ""}}
    assert fetching.ask("standard", "start") == fetching.NO_APPLIANCE
    assert wished(status_file) is None
    # Nor is it offered: what lies there is of an earlier run.
    assert ModelWatch({"standard": status_file}).status("standard").state == "missing"


def test_a_wish_that_cannot_be_noted_is_told(status_file: Path) -> None:
    modelstatus.write(status_file, ModelStatus("offered", tier="standard"))
    modelwish.path_beside(status_file).mkdir()
    assert "could not be noted" in str(fetching.ask("standard", "start"))


def test_what_is_offered_shows(status_file: Path) -> None:
    modelstatus.write(status_file, ModelStatus("offered", "Deep", tier="standard"))
    assert ModelWatch({"standard": status_file}).all() == [
        ModelStatus("offered", "Deep", tier="standard")
    ]
