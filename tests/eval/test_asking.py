"""What a model is asked for a task, and what is known of its answer; the model is scripted."""

from __future__ import annotations

import pytest

from tests.eval.asking import ask, brief_of
from tests.eval.tasks import all_tasks
from tests.upstream import Upstream
from webapp.engine.ports import EditFormat, Endpoint, Request
from webapp.engine.prompt import build
from webapp.engine.providers.chat import ChatProvider

TASKS = {task.name: task for task in all_tasks()}


def endpoint(
    port: int = 1, *, small: bool = True, edit_format: EditFormat = "whole", context: int = 8192
) -> Endpoint:
    """Return a model on loopback."""
    return Endpoint(
        base_url=f"http://127.0.0.1:{port}/v1",
        api_key="x",
        model="scripted",
        label="scripted",
        context_window=context,
        max_output=context // 2,
        small=small,
        edit_format=edit_format,
    )


@pytest.mark.parametrize("edit_format", ["whole", "blocks"])
@pytest.mark.parametrize("small", [True, False])
def test_every_task_fits_the_embedded_models(edit_format: EditFormat, small: bool) -> None:
    for task in all_tasks():
        if small or task.kind != "long file":
            brief = brief_of(task, endpoint(small=small, edit_format=edit_format))
            assert isinstance(build(brief), Request), task.name


def test_a_small_model_gets_the_lines_that_a_long_task_is_about() -> None:
    for task in all_tasks():
        if task.kind == "long file":
            region = brief_of(task, endpoint()).region
            ((first, end),) = task.may[task.path]
            assert region is not None
            assert region[0] <= first + 1 <= end <= region[1], task.name


def test_a_mentioned_file_is_told() -> None:
    request = build(brief_of(TASKS["files_use_helper"], endpoint()))
    assert isinstance(request, Request)
    assert "return text.strip().lower()" in request.messages[1].content


async def test_tokens_and_times_come_with_the_answer() -> None:
    async with Upstream() as upstream:
        upstream.script({"text": "one "}, {"pace": 200}, {"say": "two three four five six seven"})
        provider = ChatProvider()
        answer = await ask(provider, brief_of(TASKS["fix_average"], endpoint(upstream.port)))
        await provider.close()
        (record,) = upstream.records
    assert answer.message == "one two three four five six seven"
    assert (answer.finish, answer.error, answer.is_estimated) == ("stop", "", False)
    assert answer.output_tokens == record.sent
    assert answer.ttft_s is not None
    assert 0 < answer.ttft_s <= answer.seconds
    assert answer.tokens_per_s is not None
    assert record.body["temperature"] == 0


async def test_a_failed_endpoint_is_a_sentence() -> None:
    async with Upstream() as upstream:
        upstream.script({"status": 401, "body": {"error": {"message": "no such key"}}})
        provider = ChatProvider()
        answer = await ask(provider, brief_of(TASKS["fix_average"], endpoint(upstream.port)))
        await provider.close()
    assert answer.message == ""
    assert "no such key" in answer.error


async def test_what_does_not_fit_is_not_asked() -> None:
    provider = ChatProvider()
    answer = await ask(provider, brief_of(TASKS["long_css"], endpoint(context=100)))
    await provider.close()
    assert "tokens of 100" in answer.error
