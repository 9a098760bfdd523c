"""A run: each task is asked, applied and judged, and is one JSON object at once.

A line holds the answer itself, so that a run can be judged again (`judged_again`) when the landing
has changed, without asking anybody.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from typing import Any

from tests.eval.applying import apply
from tests.eval.asking import Answer, ask, brief_of
from tests.eval.judging import Judged, Verdict, judge
from tests.eval.tasks import Task, all_tasks
from webapp.engine.ports import EditFormat, Endpoint, Model

Line = dict[str, Any]


async def run(
    model: Model,
    endpoint: Endpoint,
    tasks: Sequence[Task],
    *,
    repeat: int = 1,
    temperature: float = 0.0,
) -> AsyncIterator[Line]:
    """Yield a line for each answer. Raises NoSandbox."""
    for time in range(1, repeat + 1):
        for task in tasks:
            brief = brief_of(task, endpoint)
            answer = await ask(model, brief, temperature)
            yield {
                "task": task.name,
                "kind": task.kind,
                "time": time,
                "model": endpoint.label,
                "format": endpoint.edit_format,
                "small": endpoint.small,
                "context": endpoint.context_window,
                **_told(answer),
                **judged(task, answer, endpoint),
            }


def judged(task: Task, answer: Answer, endpoint: Endpoint) -> Line:
    """Return the verdict on an answer, as a part of a line. Raises NoSandbox."""
    if answer.error:
        verdict = Judged(Verdict.ERROR, said=answer.error)
        return _verdict(verdict, [])
    was_cut = answer.finish == "length"
    brief = brief_of(task, endpoint)
    applied = apply(brief, task.files, answer.message, was_cut=was_cut)
    verdict = judge(task, applied, was_cut=was_cut)
    return _verdict(verdict, [list(each) for each in applied.statuses])


def judged_again(lines: Iterable[Line]) -> Iterator[Line]:
    """Yield lines of an earlier run with verdicts as they are now. Raises NoSandbox."""
    by_name = {task.name: task for task in all_tasks()}
    for line in lines:
        endpoint = _like(line)
        answer = Answer(line["message"], finish=line["finish"], error=line["error"])
        yield {**line, **judged(by_name[line["task"]], answer, endpoint)}


def _like(line: Line) -> Endpoint:
    """Return an endpoint that is told the same; it is never asked."""
    edit_format: EditFormat = line["format"]
    return Endpoint(
        base_url="http://127.0.0.1:0",
        api_key="",
        model=line["model"],
        label=line["model"],
        context_window=line["context"],
        max_output=line["context"],
        small=line["small"],
        edit_format=edit_format,
    )


def _told(answer: Answer) -> Line:
    return {
        "message": answer.message,
        "finish": answer.finish,
        "error": answer.error,
        "input_tokens": answer.input_tokens,
        "output_tokens": answer.output_tokens,
        "is_estimated": answer.is_estimated,
        "ttft_ms": None if answer.ttft_s is None else round(answer.ttft_s * 1000),
        "seconds": round(answer.seconds, 2),
        "tokens_per_s": None if answer.tokens_per_s is None else round(answer.tokens_per_s, 1),
    }


def _verdict(judged: Judged, statuses: list[list[str]]) -> Line:
    return {
        "verdict": judged.verdict.value,
        "said": judged.said,
        "lost": list(judged.lost),
        "stray": judged.stray,
        "edits": statuses,
    }
