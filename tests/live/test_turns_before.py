"""Before a prompt is sent: what the model would see, getting it ready, fetching it."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.live.shapes import check
from tests.live.test_turns_redirect import SlowToClose
from tests.live.turning import NEW, OLD, Stage, block, choice, stage, upstream
from webapp.lib import ids
from webapp.live import warming
from webapp.notices import modelstatus, modelwish
from webapp.notices.modelstatus import ModelStatus
from webapp.pairing.access import Role

__all__ = ["stage", "upstream"]


async def outline(stage: Stage, **fields: Any) -> dict[str, Any]:
    """Return the answer to a question about what the model would see."""
    id = ids.new_id()
    stage.ann.send("outline", id=id, **({"text": "Change it", "file": stage.file} | fields))
    await stage.durable()
    answer = stage.answer(stage.ann, id)
    check(answer)
    return answer


async def test_the_outline_has_every_part_and_who_would_answer(stage: Stage) -> None:
    other = next(id for id in stage.room.files if id != stage.file)
    at = OLD.index("return 2")
    told = (await outline(stage, v=0, sel=[at, at + 5], files=[other, "z" * 20]))["result"]
    kinds = [part["kind"] for part in told["parts"]]
    assert {"rules", "file", "selection", "mention", "prompt"} <= set(kinds)
    assert all(type(part["tokens"]) is int for part in told["parts"])
    assert told["used"] == sum(part["tokens"] for part in told["parts"])
    assert (told["tier"], told["endpoint"], told["model"]) == ("preview", "preview", "scripted")
    assert told["fits"] and told["window"] == 8192 and "message" not in told
    assert stage.upstream.records == [] and stage.turns.records == {}


async def test_the_outline_says_what_does_not_fit(stage: Stage) -> None:
    stage.room.choices = (choice(stage.upstream, context_window=60),)
    told = (await outline(stage))["result"]
    assert not told["fits"] and "this model reads 60" in told["message"]


async def test_a_mentioned_file_that_cannot_fit_is_left_out_at_once(stage: Stage) -> None:
    other = next(id for id in stage.room.files if id != stage.file)
    stage.room.files[other].text = "\ud83d\ude00" * 1_000_000
    begun_s = time.thread_time()
    told = (await outline(stage, files=[other]))["result"]
    assert time.thread_time() - begun_s < 0.25
    assert ("mention", 0) in [(part["kind"], part["tokens"]) for part in told["parts"]]
    assert told["fits"] and "test_app.py" in told["message"]


async def test_the_outline_of_a_redirect_has_the_old_turn(stage: Stage) -> None:
    stage.script({"say": block(NEW)})
    turn = stage.prompt("Ten times as much")
    await stage.over()
    told = (await outline(stage, turn=turn))["result"]
    assert "redirect" in [part["kind"] for part in told["parts"]]


async def test_the_outline_needs_a_choice_but_no_model_that_is_ready(stage: Stage) -> None:
    stage.hub.models._statuses["preview"] = ModelStatus("downloading")
    assert (await outline(stage))["t"] == "ok"
    assert (await outline(stage, tier="standard"))["code"] == "model"
    for file in list(stage.room.files):
        stage.bob.send("tree", id=ids.new_id(), op="delete", file=file)
    assert (await outline(stage))["code"] == "refused"


# Warming


def warm(stage: Stage, **fields: Any) -> None:
    stage.ann.send("warm", **({"file": stage.file} | fields))


async def warmed(stage: Stage, count: int = 1) -> list[Any]:
    """Return what was asked only to warm the model, once so many are through."""
    await stage.until(lambda: sum(bool(w.ended_at) for w in stage.upstream.warmings) >= count)
    await stage.until(lambda: stage.turns.warmer._stream is None)
    return [record.body for record in stage.upstream.warmings]


async def test_a_free_model_reads_the_beginning_of_the_prompt(stage: Stage) -> None:
    warm(stage)
    (body,) = await warmed(stage)
    assert body["max_tokens"] == 1
    assert not stage.turns.running and stage.turns.records == {}
    stage.script({"say": block(NEW)})
    stage.prompt("Ten times as much")
    await stage.over()
    asked = stage.upstream.records[-1].body["messages"]
    before = body["messages"]
    assert asked[0] == before[0] and asked[1]["content"].startswith(before[1]["content"])
    assert "Ten times" not in before[1]["content"] and OLD in before[1]["content"]
    assert stage.frames(stage.ann, "error") == []


async def test_not_again_for_the_same_nor_twice_in_a_moment(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    warm(stage)
    await warmed(stage)
    stage.edits(0, 0, "# other\n")
    warm(stage)
    assert stage.turns.warmer._stream is None, "within three seconds"
    monkeypatch.setattr(warming, "EVERY_S", 0)
    warm(stage)
    await warmed(stage, 2)
    warm(stage)
    assert stage.turns.warmer._stream is None, "the same text"
    assert len(stage.upstream.warmings) == 2


async def test_a_prompt_ends_it(stage: Stage) -> None:
    real, slow = stage.turns._model, SlowToClose()
    stage.turns._model = lambda: slow
    warm(stage)
    stream = stage.turns.warmer._stream
    assert stream is not None
    stage.turns._model = real
    stage.script({"say": block(NEW)})
    stage.prompt()
    assert stream._aborted.is_set() and stage.turns.warmer._stream is None
    await stage.over()
    assert stage.text == NEW


async def test_never_while_a_turn_runs(stage: Stage) -> None:
    stage.script({"gate": "go"}, {"say": block(NEW)})
    stage.prompt()
    warm(stage)
    await stage.upstream.reached("go")
    warm(stage)
    stage.upstream.release("go")
    await stage.over()
    assert len(stage.upstream.records) == 1 and stage.upstream.warmings == []


@pytest.mark.parametrize("why", ["a team's own", "far away", "not ready", "no such file"])
async def test_nothing_that_would_cost_or_cannot_be(stage: Stage, why: str) -> None:
    fields: dict[str, Any] = {}
    if why == "a team's own":
        stage.room.choices += (choice(stage.upstream, "e" * 20, tier="preview"),)
        fields = {"endpoint": "e" * 20}
    elif why == "far away":
        (own,) = stage.room.choices
        far = replace(own.endpoint, base_url="https://models.invalid/v1")
        stage.room.choices = (replace(own, endpoint=far),)
    elif why == "not ready":
        stage.hub.models._statuses["preview"] = ModelStatus("starting")
    else:
        for file in list(stage.room.files):
            stage.bob.send("tree", id=ids.new_id(), op="delete", file=file)
    warm(stage, **fields)
    await stage.durable()
    assert stage.turns.warmer._stream is None and stage.upstream.warmings == []


# Fetching


async def test_a_download_is_asked_for_and_stopped(
    stage: Stage, settings: Any, tmp_path: Path
) -> None:
    path = tmp_path / "model-standard.json"
    named = {**settings.MODELS["standard"], "base_url": "http://127.0.0.1:9", "status_file": path}
    settings.MODELS = {**settings.MODELS, "standard": named}
    modelstatus.write(path, ModelStatus("offered", tier="standard"))
    for op in ("start", "stop"):
        id = ids.new_id()
        stage.bob.send("fetch", id=id, tier="standard", op=op)
        await stage.durable()
        assert stage.answer(stage.bob, id)["t"] == "ok"
        wish = modelwish.read(modelwish.path_beside(path))
        assert wish is not None and (wish.op, wish.who) == (op, "Bob")


async def test_a_download_that_cannot_be_says_why(stage: Stage) -> None:
    id = ids.new_id()
    stage.bob.send("fetch", id=id, tier="preview", op="start")
    await stage.durable()
    error = stage.answer(stage.bob, id)
    assert error["code"] == "refused" and "by itself" in error["message"]


@pytest.mark.parametrize("kind", ["outline", "warm", "fetch"])
async def test_who_may_not_prompt_may_do_none_of_it(stage: Stage, kind: str) -> None:
    stage.bob.client.role = Role.EDIT
    fields = {
        "outline": {"id": "q" * 20, "text": "x"},
        "warm": {},
        "fetch": {"id": "q" * 20, "tier": "standard", "op": "start"},
    }
    stage.bob.send(kind, **fields[kind])
    await stage.durable()
    (error,) = stage.frames(stage.bob, "error")
    assert error["code"] == "role"
