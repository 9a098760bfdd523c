"""What the live rooms say of others' sentences is in the server's language."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.catalogue import speak_german
from tests.live.turning import OLD, Stage, block, stage, upstream
from webapp.lib.sentences import Sentence
from webapp.live import answers
from webapp.live.watching import ModelWatch
from webapp.notices import modelstatus
from webapp.notices.modelstatus import ModelStatus

__all__ = ["stage", "upstream"]

GERMAN = {
    "The path %(path)s cannot be used: %(problem)s.": "Der Pfad %(path)s geht nicht: %(problem)s.",
    "Windows reserves a name in it": "Windows braucht ihn selbst",
    "A file named %(path)s exists already.": "%(path)s gibt es schon.",
    "%(label)s limits how fast requests may come. Try again in a moment.": "%(label)s bremst.",
    "%(problem)s Nothing was changed.": "%(problem)s Alles blieb.",
    "A file was not created. %(problem)s": "Keine Datei. %(problem)s",
    "The model ran out of %(what)s.": "Dem Modell fehlte %(what)s.",
}
FAILED = ModelStatus("failed", "m", Sentence("The model ran out of %(what)s.", what="RAM"))
TOLD = {
    **{"state": "failed", "name": "m", "message": "Dem Modell fehlte RAM.", "done_bytes": 0},
    **{"total_bytes": 0, "bytes_per_s": 0.0, "eta_s": None, "tier": "preview"},
}


@pytest.fixture(autouse=True)
def german(settings: Any, tmp_path: Path) -> None:
    speak_german(settings, tmp_path / "locale", GERMAN)
    settings.LANGUAGE_CODE = "de"


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("con.py", 'Der Pfad "con.py" geht nicht: Windows braucht ihn selbst.'),
        ("app.py", '"app.py" gibt es schon.'),
    ],
)
async def test_a_path_that_a_page_asks_for(stage: Stage, path: str, message: str) -> None:
    stage.ann.take()
    other = next(file.id for file in stage.room.files.values() if file.path != "app.py")
    stage.ann.send("tree", id="q" * 20, op="rename", file=other, path=path)
    (frame,) = stage.ann.take()
    assert frame["message"] == message


async def test_a_path_that_the_model_asks_for(stage: Stage) -> None:
    stage.script({"say": block("x = 1\n", path="aux.py")})
    turn = stage.prompt()
    await stage.over()
    said = 'Keine Datei. Der Pfad "aux.py" geht nicht: Windows braucht ihn selbst.'
    assert said in (await stage.row(turn)).reason


async def test_an_upstream_that_fails(stage: Stage) -> None:
    stage.script({"status": 429, "body": "slow down"})
    turn = stage.prompt()
    await stage.over()
    assert (await stage.row(turn)).reason == "The scripted model bremst. Alles blieb."
    assert stage.last_turn(stage.bob)["reason"] == "The scripted model bremst. Alles blieb."
    assert stage.text == OLD


async def test_the_models_status_in_the_welcome(stage: Stage) -> None:
    stage.hub.models._statuses["preview"] = FAILED
    stage.bob.hello()
    (welcome,) = stage.frames(stage.bob, "welcome")[-1:]
    assert welcome["models"] == [TOLD]


def test_the_models_status_when_it_changes(tmp_path: Path) -> None:
    watch = ModelWatch({"preview": tmp_path / "model.json"})
    modelstatus.write(tmp_path / "model.json", FAILED)
    (status,) = watch.changed()
    assert answers.model(status) == TOLD
    assert not watch.changed()
