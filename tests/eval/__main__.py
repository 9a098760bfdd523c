"""`make eval`: asks a model for each edit task, prints a JSON line each, then a summary.

    make eval                                              the embedded preview model, format whole
    make eval ARGS="--endpoint standard --format blocks"   the deeper one
    make eval ARGS="--endpoint https://… --model NAME"     any Chat Completions server; its key is
                                                           read from FLINT_EVAL_KEY
    make eval ARGS="--tasks 'fix_*' --repeat 3"            some tasks, several times; not kept
    make eval ARGS="--again FILE"                          judges the lines of an earlier run anew

A run over all tasks is kept: in tests/eval/history.json, and so in docs/evaluation.md. One that is
stopped (Ctrl-C) keeps what it has. Exit code 0 when a run was made, however the model did; 1 when
nothing could be asked, with a sentence.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import fnmatch
import json
import os
import platform
import signal
import sys
from collections.abc import AsyncIterator, Iterator, Sequence
from pathlib import Path
from typing import TextIO

from tests.eval import history, report
from tests.eval.running import Line, judged_again, run
from tests.eval.serving import NotServed, embedded
from tests.eval.tasks import Task, all_tasks
from webapp.appliance.tiers import EMBEDDED
from webapp.checks.sandbox import Sandbox
from webapp.engine.ports import Endpoint
from webapp.engine.providers.chat import ChatProvider
from webapp.lib import clock


def main(arguments: Sequence[str] | None = None) -> int:
    """Do as the arguments say; return the exit code."""
    options = _parser().parse_args(arguments)
    problem = Sandbox().probe()
    if problem:
        _say(f"{problem} Nothing was asked.")
        return 1
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    tasks = [task for task in all_tasks() if fnmatch.fnmatch(task.name, options.tasks)]
    lines: list[Line] = []
    label, wanted = "", len(tasks) * options.repeat
    with contextlib.ExitStack() as held:
        out: TextIO = sys.stdout
        if options.output:
            out = held.enter_context(Path(options.output).open("w", encoding="utf-8"))
        try:
            for line in _again(options) if options.again else _asked(options, tasks):
                lines.append(line)
                out.write(json.dumps(line, ensure_ascii=False) + "\n")
                out.flush()
                _say(f"{len(lines)} of {wanted}  {line['task']}: {line['verdict']}")
        except KeyboardInterrupt:
            _say("Stopped; what there is by now is kept.")
        except NotServed as error:
            _say(f"The model could not be started: {error} Nothing was asked.")
            return 1
    if not lines:
        _say("Nothing was asked.")
        return 1
    label = lines[0]["model"]
    summary = history.summed(
        lines,
        at=clock.now().isoformat(timespec="seconds"),
        model=label,
        edit_format=lines[0]["format"],
        of=len(lines) if options.again else wanted,
        temperature=options.temperature,
        repeat=options.repeat,
        machine=f"{os.cpu_count()} cores, {platform.machine()}",
    )
    if options.keep and options.tasks == "*":
        report.write(history.keep(summary))
    _say(report.table([summary]))
    errors = {line["error"] for line in lines if line["error"]}
    for each in sorted(errors):
        _say(each)
    return 1 if len(errors) and all(line["error"] for line in lines) else 0


def _asked(options: argparse.Namespace, tasks: Sequence[Task]) -> Iterator[Line]:
    with _endpoint(options) as endpoint, asyncio.Runner() as runner:
        model = runner.run(_made())
        stream = run(model, endpoint, tasks, repeat=options.repeat, temperature=options.temperature)
        try:
            while (line := runner.run(_next(stream))) is not None:
                yield line
        finally:
            runner.run(model.close())


async def _next(stream: AsyncIterator[Line]) -> Line | None:
    return await anext(stream, None)


async def _made() -> ChatProvider:
    return ChatProvider()


def _again(options: argparse.Namespace) -> Iterator[Line]:
    with Path(options.again).open(encoding="utf-8") as file:
        yield from judged_again(json.loads(line) for line in file if line.strip())


@contextlib.contextmanager
def _endpoint(options: argparse.Namespace) -> Iterator[Endpoint]:
    if options.endpoint in EMBEDDED:
        with embedded(options.endpoint, options.format, _say) as endpoint:
            yield endpoint
        return
    yield Endpoint(
        base_url=options.endpoint,
        api_key=os.environ.get("FLINT_EVAL_KEY", ""),
        model=options.model,
        label=options.model or options.endpoint,
        context_window=options.context,
        max_output=options.max_output,
        small=options.small,
        edit_format=options.format,
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="make eval", description=(__doc__ or "").split("\n")[0])
    add = parser.add_argument
    add("--endpoint", default="preview", help="preview, standard, or a base URL")
    add("--model", default="", help="its name there")
    add("--format", default="whole", choices=["whole", "blocks", "patch", "json"])
    add("--context", type=int, default=32_768, help="tokens that the model reads")
    add("--max-output", type=int, default=8_192, help="tokens that it may write")
    add("--small", action="store_true", help="give it a region of a long file, as small models get")
    add("--tasks", default="*", help="which: a pattern over their names")
    add("--repeat", type=int, default=1, help="how often each is asked")
    add("--temperature", type=float, default=0.0, help="0 always takes the likeliest token")
    add("--output", default="", help="a file for the lines, in place of the standard output")
    add("--again", default="", help="a file of lines to judge anew; asks nobody")
    add("--no-keep", dest="keep", action="store_false", help="leave history and docs alone")
    return parser


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
