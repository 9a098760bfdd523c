"""What Flint adds between a model and a page: CPU a token, and the wait for the first one.

The scripted model speaks 1,000 tokens/s, each token telling when it was sent. The bare relay and
Flint (whole path: parser, locating, log, commit, broadcast to one page) take turns on them.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import websockets

from tests.product import ROOT, Product, cookie_and_slug
from webapp.lib import ids

TOKENS = 3000
MODEL = f"mock-c1000-n{TOKENS}"
RUNS = 3
_TOKEN = re.compile(r"(\d+):(\d{6,}) ")


@dataclass
class Run:
    """One stream: waits in ms from the model's socket to the page's, CPU in µs a token."""

    first_ms: float
    median_ms: float
    p99_ms: float
    cpu_us: float


class Stopwatch:
    """Notes each token's wait the first time that it is seen."""

    def __init__(self) -> None:
        self.waits_ms: dict[int, float] = {}

    def see(self, text: str) -> None:
        """Read the tokens in what just came."""
        now_us = time.monotonic_ns() // 1000
        for number, sent_us in _TOKEN.findall(text):
            self.waits_ms.setdefault(int(number), (now_us - int(sent_us)) / 1000)

    def result(self, cpu_s: float) -> Run:
        """Return the run's figures."""
        waits = sorted(self.waits_ms.values())
        return Run(
            first_ms=self.waits_ms[0],
            median_ms=statistics.median(waits),
            p99_ms=waits[int(len(waits) * 0.99)],
            cpu_us=cpu_s * 1e6 / len(waits),
        )


def cpu_s(pid: int) -> float:
    """Return the CPU seconds that a process has used, user and system."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def helper(*arguments: str) -> Iterator[tuple[int, int]]:
    """Run one of our modules that prints its port; give its process id and port."""
    process = subprocess.Popen(
        [sys.executable, "-m", *arguments], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        yield process.pid, int(process.stdout.readline())
    finally:
        process.terminate()
        process.wait()


async def bare(port: int, pid: int) -> Run:
    """Stream once through the bare relay."""
    watch = Stopwatch()
    async with websockets.connect(f"ws://127.0.0.1:{port}/", compression=None) as socket:
        before = cpu_s(pid)
        await socket.send(json.dumps({"model": MODEL}))
        async for frame in socket:
            if frame == "[DONE]":
                break
            watch.see(str(frame))
        return watch.result(cpu_s(pid) - before)


class FlintPage:
    """The least of a page: says hello, follows one file, asks, and reads until the turn is over."""

    def __init__(self, product: Product, cookie: str, slug: str) -> None:
        self._product = product
        self._address = f"ws://127.0.0.1:{product.port}/ws/session/{slug}/"
        self._headers = {"Cookie": cookie, "Origin": product.origin}

    async def stream(self) -> Run:
        """Let the model write one new file."""
        watch, pid = Stopwatch(), self._product.web_pid()
        async with websockets.connect(
            self._address, additional_headers=self._headers, compression=None, max_size=None
        ) as socket:
            read = 0

            async def frames_until(kind: str) -> dict[str, Any]:
                nonlocal read
                while True:
                    text = str(await socket.recv())
                    read += len(text)
                    frame: dict[str, Any] = json.loads(text)
                    if frame["t"] == "entry":
                        watch.see("".join(_inserted(frame["c"])))
                    if frame["t"] == "error":
                        raise AssertionError(frame["message"])
                    if read > 32_000:
                        await say(t="ack", bytes=read)
                    if frame["t"] == kind:
                        return frame

            async def say(**frame: object) -> None:
                await socket.send(json.dumps(frame))

            await say(t="hello", proto=1, client=ids.new_id())
            await frames_until("welcome")
            file = ids.new_id()
            await say(
                t="tree", id=ids.new_id(), op="create", file=file, path=f"{file}.txt", text="\n"
            )
            await frames_until("tree")
            await say(t="open", file=file)
            await frames_until("file")
            before = cpu_s(pid)
            turn = ids.new_id()
            await say(t="prompt", id=turn, text="write", file=file, v=0, sel=[0, 0])
            while True:
                told = (await frames_until("turn"))["turn"]
                if told["id"] == turn and told["state"] not in _RUNNING:
                    break
            assert told["state"] == "finished", told
            return watch.result(cpu_s(pid) - before)


_RUNNING = {"queued", "starting", "streaming", "stopping"}


def _inserted(sections: list[Any]) -> Iterator[str]:
    for section in sections:
        if isinstance(section, list):
            yield "\n".join(section[1:])


def bench() -> Iterator[dict[str, object]]:
    """Yield what `make bench` prints of the relay."""
    with (
        helper("tests.upstream", "--port", "0") as (_, upstream),
        helper("tests.bench.bare", str(upstream)) as (bare_pid, bare_port),
        Product(
            FLINT_PREVIEW_BASE_URL=f"http://127.0.0.1:{upstream}",
            FLINT_PREVIEW_API_KEY="x",
            FLINT_PREVIEW_MODEL=MODEL,
            FLINT_PREVIEW_CONTEXT="1000000",
        ) as product,
    ):
        page = FlintPage(product, *cookie_and_slug(product))
        least, ours = [], []
        for _ in range(RUNS):
            least.append(asyncio.run(bare(bare_port, bare_pid)))
            ours.append(asyncio.run(page.stream()))
        for figure, unit in (("cpu", "us"), ("first", "ms"), ("median", "ms"), ("p99", "ms")):
            name = f"{figure}_{unit}"
            low = statistics.median(getattr(run, name) for run in least)
            high = statistics.median(getattr(run, name) for run in ours)
            yield {
                "bench": f"relay {figure} a token" if figure == "cpu" else f"relay {figure} wait",
                "unit": unit,
                "flint": round(high, 3),
                "bare": round(low, 3),
                "ratio": round(high / low, 2) if low else None,
                "tokens": TOKENS,
                "runs": RUNS,
            }
        yield {"bench": "start", "unit": "s", "flint": round(product.started_in_s, 2)}
