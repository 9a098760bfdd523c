"""From a task to a model's answer: the prompt that a live turn would send, and what came back."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tests.eval.tasks import Task
from webapp.document.text import to_utf16
from webapp.engine.ports import (
    Delta,
    Endpoint,
    Failed,
    Finished,
    Model,
    Request,
    Usage,
)
from webapp.engine.prompt import (
    Brief,
    Excerpt,
    TooLarge,
    build,
    choose_region,
    estimate_tokens,
    selected_lines,
)
from webapp.lib import clock


@dataclass(frozen=True)
class Answer:
    """What a model answered. Times in seconds from asking; `tokens_per_s` from the first text on.

    Tokens are the server's count, else (`is_estimated`) an estimate. `finish` is how it ended
    ("stop", "length", …), empty when it failed: then `error` is a sentence.
    """

    message: str
    finish: str = ""
    input_tokens: int = 0
    output_tokens: int = 0
    is_estimated: bool = False
    ttft_s: float | None = None
    seconds: float = 0.0
    tokens_per_s: float | None = None
    error: str = ""


def brief_of(task: Task, endpoint: Endpoint) -> Brief:
    """Return what a turn would know: as `live/asking.py`, for a session that holds the task's files
    and has no history."""
    text = task.files[task.path]
    in_utf16 = to_utf16(text)
    selection = task.selection_utf16 or (0, 0)
    in_part = endpoint.small or estimate_tokens(text) > endpoint.context_window
    around = choose_region(
        in_utf16, selection, prompt=task.prompt, placed=selection not in ((0, 0), None)
    )
    return Brief(
        prompt=task.prompt,
        path=task.path,
        text=text,
        endpoint=endpoint,
        region=around if in_part else None,
        selected=selected_lines(in_utf16, selection),
        other_paths=sorted(path for path in task.files if path != task.path),
        mentioned=[Excerpt(path, task.files[path]) for path in task.mentioned],
    )


async def ask(model: Model, brief: Brief, temperature: float = 0.0) -> Answer:
    """Ask, and wait for all of the answer."""
    request = build(brief)
    if isinstance(request, TooLarge):
        return Answer("", error=f"It needs {request.needed} tokens of {request.window}.")
    return await _answer(model, brief.endpoint, replace(request, temperature=temperature))


async def _answer(model: Model, endpoint: Endpoint, request: Request) -> Answer:
    began_s = clock.monotonic()
    first_s = last_s = None
    pieces: list[str] = []
    usage: Usage | None = None
    finish = error = ""
    async for batch in model.open(endpoint, request).batches():
        for event in batch:
            match event:
                case Delta(text):
                    last_s = clock.monotonic()
                    first_s = first_s or last_s
                    pieces.append(text)
                case Usage():
                    usage = event
                case Finished(reason):
                    finish = reason
                case Failed():
                    error = " ".join(filter(None, (str(event.message), event.detail)))
                case _:
                    pass
    message = "".join(pieces)
    output_tokens = usage.output_tokens if usage else estimate_tokens(message)
    wrote_s = (last_s or 0.0) - (first_s or 0.0)
    return Answer(
        message=message,
        finish=finish,
        input_tokens=usage.input_tokens if usage else 0,
        output_tokens=output_tokens,
        is_estimated=usage is None,
        ttft_s=first_s - began_s if first_s else None,
        seconds=clock.monotonic() - began_s,
        tokens_per_s=output_tokens / wrote_s if wrote_s > 0.005 else None,
        error=error,
    )
