"""A scripted model server for tests: Chat Completions over HTTP/1.1, with nothing but the library.

It streams a script at a set pace and records what it received, what it sent, and when its client
left. Three ways to run it: `async with Upstream() as upstream` on the test's own loop,
`with Upstream.in_thread() as upstream` beside blocking code, and
`python -m tests.upstream --port 0`, which prints its port.

What a request gets is the first of: the oldest script given with `once`, the script of its model,
the script for every model, and what the model's name says: `mock-r1000-n500` is 500 tokens at
1,000 tokens/s, `mock-max-n500` the same as fast as they go, `mock-c100-n80` the same inside one
fenced block with a line break every 8 tokens. Such a token reads `SEQ:MICROSECONDS ` (monotonic).

A script is a list of steps, each an object with one of these keys:

    text         one chunk with this content            reasoning   one chunk of thought
    say          the text, cut into token-like chunks   pace        tokens/s from here, 0: at once
    pause_s      wait so many seconds                   gate        wait until the gate is released
    raw          these characters as they are           hex         these bytes as they are
    error        an error inside the stream             cut         reset the connection here
    finish       the finish reason (default "stop")     usage       this usage instead of the count
    done         false: no [DONE]                       end         false: the body never ends
    status       answer with this status; may hold `headers` and `body`; first step only
    split        write in packets of so many bytes from here on

A stream ends with finish reason, usage and [DONE] unless a step says otherwise.

Over HTTP: POST /script {"steps", "model", "once"}; POST /gate {"name"} releases a gate;
GET /gate?name=N returns when a stream waits there; GET /log the records; GET /log?ended=N the same
once N requests have ended; GET /v1/models; POST /reset forgets scripts, gates and records.
"""

import argparse
import asyncio
import contextlib
import json
import re
import threading
import time
import urllib.parse
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import asdict, dataclass, field
from typing import Any, Self

Step = dict[str, Any]
Script = list[Step]

_MOCK = re.compile(r"mock-(max|[rc]\d+)-n(\d+)")
_TOKEN = re.compile(r"\s*\w{1,8}|\s*[^\w\s]+|\s+")
MODELS = ("mock-r1000-n500", "mock-max-n5000", "mock-c100-n80", "scripted")


@dataclass
class Record:
    """One request, as the server saw it. Times are `time.monotonic()`, in seconds."""

    id: int
    connection: int
    path: str
    headers: dict[str, str]
    body: Any
    received_at: float
    sent: int = 0
    """Tokens handed to the socket."""
    first_at: float | None = None
    left_at: float | None = None
    """When the client was seen to leave before the end."""
    ended_at: float | None = None
    outcome: str = "running"
    """running, done, left, cut or refused."""


class Upstream:
    """The server. Also usable from other threads than its loop's."""

    def __init__(self, host: str = "127.0.0.1", port: int = 0) -> None:
        self._host, self.port = host, port
        self.records: list[Record] = []
        self.warmings: list[Record] = []
        """Requests for a single token, which only have a server read; they use up no script."""
        self.connections = 0
        self.drop_next = False
        """Close the connection of the next request without an answer."""
        self._once: list[tuple[str | None, Script]] = []
        self._scripts: dict[str | None, Script] = {}
        self._gates: dict[str, asyncio.Event] = defaultdict(asyncio.Event)
        self._waiting: dict[str, asyncio.Event] = defaultdict(asyncio.Event)
        self._changed = asyncio.Event()
        self._server: asyncio.Server | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._protocols: set[_Connection] = set()

    @property
    def url(self) -> str:
        """The base address, without /v1."""
        return f"http://{self._host}:{self.port}"

    async def __aenter__(self) -> Self:
        self._loop = asyncio.get_running_loop()
        self._server = await self._loop.create_server(
            lambda: _Connection(self), self._host, self.port
        )
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.close()
        for protocol in tuple(self._protocols):
            protocol.abort()
        await self._server.wait_closed()
        await asyncio.sleep(0)

    @classmethod
    @contextlib.contextmanager
    def in_thread(cls) -> Iterator["Upstream"]:
        """Run one on a loop in a thread of its own."""
        upstream, ready, stop = cls(), threading.Event(), asyncio.Event()

        async def serve() -> None:
            async with upstream:
                ready.set()
                await stop.wait()

        thread = threading.Thread(target=asyncio.run, args=(serve(),), daemon=True)
        thread.start()
        assert ready.wait(10), "the scripted upstream did not start"
        try:
            yield upstream
        finally:
            upstream._call(stop.set)
            thread.join(10)

    def _call(self, act: Callable[[], None]) -> None:
        assert self._loop is not None
        self._loop.call_soon_threadsafe(act)

    # ----- what tests say

    def script(self, *steps: Step, model: str | None = None, once: bool = False) -> None:
        """Answer with `steps` from now on, or `once`; for `model`, or for all."""
        if once:
            self._once.append((model, list(steps)))
        else:
            self._scripts[model] = list(steps)

    def release(self, gate: str) -> None:
        """Let streams pass `gate`, now and later."""
        self._call(self._gates[gate].set)

    async def reached(self, gate: str) -> None:
        """Wait until a stream waits at `gate`."""
        await self._waiting[gate].wait()

    async def ended(self, count: int = 1) -> list[Record]:
        """Wait until `count` requests have ended; return all records."""
        while sum(r.ended_at is not None for r in self.records) < count:
            self._changed.clear()
            await self._changed.wait()
        return self.records

    def sent(self, index: int) -> int:
        """Return how many tokens request `index` (from 0) was sent; 0 before it came."""
        return self.records[index].sent if index < len(self.records) else 0

    def reset(self) -> None:
        """Forget scripts, gates and records."""
        self._once.clear()
        self._scripts.clear()
        self._gates.clear()
        self._waiting.clear()
        self.records.clear()
        self.warmings.clear()

    # ----- what connections ask

    def script_for(self, model: str) -> Script | None:
        """Return the steps for a request to `model`; None when there is no such model."""
        for i, (name, steps) in enumerate(self._once):
            if name in (None, model):
                del self._once[i]
                return steps
        for key in (model, None):
            if key in self._scripts:
                return self._scripts[key]
        return [{"mock": model}] if _MOCK.fullmatch(model) else None

    def note(self, record: Record, outcome: str) -> None:
        """Note that a request has ended, the first time."""
        if record.ended_at is None:
            record.ended_at, record.outcome = time.monotonic(), outcome
            if outcome == "left":
                record.left_at = record.ended_at
            self._changed.set()

    async def pass_gate(self, name: str) -> None:
        """Wait at a gate."""
        self._waiting[name].set()
        await self._gates[name].wait()

    async def control(self, method: str, target: str, body: bytes) -> Any:
        """Answer a control request; None when there is nothing at that address."""
        url = urllib.parse.urlsplit(target)
        query = dict(urllib.parse.parse_qsl(url.query))
        match (method, url.path):
            case ("GET", "/v1/models"):
                data = [{"id": m, "object": "model", "owned_by": "tests"} for m in MODELS]
                return {"object": "list", "data": data}
            case ("GET", "/log"):
                await self.ended(int(query.get("ended", 0)))
                return [asdict(r) for r in self.records]
            case ("POST", "/script"):
                asked = json.loads(body)
                asked = {"steps": asked} if isinstance(asked, list) else asked
                self.script(
                    *asked["steps"], model=asked.get("model"), once=asked.get("once", False)
                )
            case ("GET", "/gate"):
                await self.reached(query["name"])
            case ("POST", "/gate"):
                self._gates[json.loads(body)["name"]].set()
            case ("POST", "/reset"):
                self.reset()
            case _:
                return None
        return {"ok": True}


@dataclass
class _Pace:
    per_s: float = 0.0
    since: float = 0.0
    count: int = 0
    split: int = 0
    ending: Step = field(default_factory=dict)


class _Connection(asyncio.Protocol):
    """One client's connection: requests one after another, one answer at a time."""

    def __init__(self, upstream: Upstream) -> None:
        self._upstream = upstream
        self._buffer = b""
        self._task: asyncio.Task[None] | None = None
        self._record: Record | None = None
        self._writable = asyncio.Event()
        self._writable.set()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._upstream.connections += 1
        self._number = self._upstream.connections
        self._upstream._protocols.add(self)

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        self._next()

    def eof_received(self) -> bool:
        self._gone()
        return False

    def connection_lost(self, exc: Exception | None) -> None:
        self._gone()
        self._upstream._protocols.discard(self)

    def pause_writing(self) -> None:
        self._writable.clear()

    def resume_writing(self) -> None:
        self._writable.set()

    def abort(self) -> None:
        """Reset the connection."""
        self._transport.abort()

    def _gone(self) -> None:
        if self._record is not None:
            self._upstream.note(self._record, "left")
        if self._task is not None:
            self._task.cancel()

    def _next(self) -> None:
        """Begin to answer the next request, if one is complete and none is being answered."""
        if self._buffer[:1] == b"\x16":  # a TLS hello
            self._reply(400, "plain HTTP only")
            self._transport.close()
        if self._task is not None or b"\r\n\r\n" not in self._buffer:
            return
        head, rest = self._buffer.split(b"\r\n\r\n", 1)
        first, *lines = head.decode("latin-1").split("\r\n")
        headers = {k.lower(): v.strip() for k, v in (line.split(":", 1) for line in lines)}
        length = int(headers.get("content-length", 0))
        if len(rest) < length:
            return
        self._buffer = rest[length:]
        method, target, _ = first.split(" ", 2)
        self._task = asyncio.create_task(self._answer(method, target, headers, rest[:length]))
        self._task.add_done_callback(self._answered)

    def _answered(self, task: asyncio.Task[None]) -> None:
        self._task = self._record = None
        if not task.cancelled() and (error := task.exception()) is not None:
            self._transport.abort()
            raise error
        if not self._transport.is_closing():
            self._next()

    async def _answer(self, method: str, target: str, headers: dict[str, str], body: bytes) -> None:
        if self._upstream.drop_next:
            self._upstream.drop_next = False
            self._transport.abort()
            return
        if method != "POST" or not target.endswith("/chat/completions"):
            found = await self._upstream.control(method, target, body)
            self._reply(
                200 if found is not None else 404,
                {"error": "nothing here"} if found is None else found,
            )
            return
        asked = json.loads(body)
        warms = asked.get("max_tokens") == 1
        records = self._upstream.warmings if warms else self._upstream.records
        self._record = record = Record(
            len(records) + 1, self._number, target, headers, asked, time.monotonic()
        )
        records.append(record)
        script = [{"text": "."}] if warms else self._upstream.script_for(asked["model"])
        if script is None:
            text = f"The model `{asked['model']}` does not exist"
            self._reply(404, {"error": {"message": text, "code": "model_not_found"}})
            self._upstream.note(record, "refused")
        elif script and "status" in script[0]:
            step = script[0]
            self._reply(step["status"], step.get("body", ""), step.get("headers"))
            self._upstream.note(record, "refused")
        else:
            await self._stream(record, script)

    def _reply(self, status: int, body: Any, headers: dict[str, str] | None = None) -> None:
        is_text = isinstance(body, str)
        data = body.encode() if is_text else json.dumps(body).encode()
        lines = {"Content-Type": "text/plain" if is_text else "application/json", **(headers or {})}
        head = "".join(f"{k}: {v}\r\n" for k, v in lines.items())
        self._transport.write(
            f"HTTP/1.1 {status} Status\r\n{head}Content-Length: {len(data)}\r\n\r\n".encode() + data
        )

    # ----- streaming

    async def _stream(self, record: Record, script: Script) -> None:
        self._transport.write(
            b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
            b"Cache-Control: no-cache\r\nTransfer-Encoding: chunked\r\n\r\n"
        )
        pace = _Pace()
        await self._send(_chunk({"role": "assistant", "content": ""}), pace)
        for step in script:
            if not await self._step(step, record, pace):
                return
        ending = pace.ending
        if (reason := ending.get("finish", "stop")) is not None:
            await self._send(_chunk({}, reason), pace)
        usage = {"prompt_tokens": 1, "completion_tokens": record.sent}
        if (usage := ending.get("usage", usage)) is not None:
            await self._send(b"data: %s\n\n" % _json({"choices": [], "usage": usage}), pace)
        if ending.get("done", True):
            await self._send(b"data: [DONE]\n\n", pace)
        if not ending.get("end", True):
            await asyncio.get_running_loop().create_future()  # until the client leaves
        self._transport.write(b"0\r\n\r\n")
        self._upstream.note(record, "done")

    async def _step(self, step: Step, record: Record, pace: _Pace) -> bool:
        """Do one step; False when the stream is over with it."""
        match step:
            case {"text": text}:
                await self._token({"content": text}, record, pace)
            case {"reasoning": text}:
                await self._token({"reasoning_content": text}, record, pace)
            case {"say": text, **more}:
                if "pace" in more:
                    _set_pace(pace, more["pace"])
                for piece in _TOKEN.findall(text):
                    await self._token({"content": piece}, record, pace)
            case {"mock": model}:
                await self._mock(model, record, pace)
            case {"pace": per_s}:
                _set_pace(pace, per_s)
            case {"pause_s": seconds}:
                await asyncio.sleep(seconds)
                _set_pace(pace, pace.per_s)
            case {"gate": name}:
                await self._upstream.pass_gate(name)
                _set_pace(pace, pace.per_s)
            case {"raw": text}:
                await self._send(text.encode(), pace)
            case {"hex": text}:
                await self._send(bytes.fromhex(text), pace)
            case {"error": error}:
                await self._send(b"data: %s\n\n" % _json({"error": error}), pace)
                pace.ending = {"finish": None, "usage": None, "done": False}
            case {"split": size}:
                pace.split = size
            case {"cut": _}:
                self._upstream.note(record, "cut")
                self._transport.abort()
                return False
            case _:
                pace.ending |= step
        return True

    async def _mock(self, model: str, record: Record, pace: _Pace) -> None:
        match = _MOCK.fullmatch(model)
        assert match is not None
        kind, count = match[1], int(match[2])
        _set_pace(pace, 0 if kind == "max" else int(kind[1:]))
        fenced = kind.startswith("c")
        for i in range(count):
            await self._due(pace)
            token = f"{i}:{time.monotonic_ns() // 1000} "
            if fenced:
                token = ("```text\n" if i == 0 else "") + token + ("\n" if i % 8 == 7 else "")
                token += "\n```\n" if i == count - 1 else ""
            await self._put(_chunk({"content": token}), record, pace)

    async def _token(self, delta: dict[str, str], record: Record, pace: _Pace) -> None:
        await self._due(pace)
        await self._put(_chunk(delta), record, pace)

    async def _put(self, data: bytes, record: Record, pace: _Pace) -> None:
        record.sent += 1
        if record.first_at is None:
            record.first_at = time.monotonic()
        await self._send(data, pace)

    async def _due(self, pace: _Pace) -> None:
        """Wait until the next token is due."""
        if pace.per_s:
            wait_s = pace.since + pace.count / pace.per_s - time.monotonic()
            pace.count += 1
            if wait_s > 0:
                await asyncio.sleep(wait_s)
        else:
            pace.count += 1
            if pace.count % 50 == 0:
                await asyncio.sleep(0)  # lets the loop see a client that left

    async def _send(self, data: bytes, pace: _Pace) -> None:
        if not pace.split:
            self._transport.write(b"%x\r\n%b\r\n" % (len(data), data))
        for at in range(0, len(data), pace.split) if pace.split else ():
            piece = data[at : at + pace.split]
            self._transport.write(b"%x\r\n%b\r\n" % (len(piece), piece))
            await asyncio.sleep(0)
        if not self._writable.is_set():
            await self._writable.wait()


def _set_pace(pace: _Pace, per_s: float) -> None:
    pace.per_s, pace.since, pace.count = per_s, time.monotonic(), 0


def _json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


_HEAD = b'data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"scripted",'


def _chunk(delta: dict[str, Any], reason: str | None = None) -> bytes:
    choice = {"index": 0, "delta": delta, "finish_reason": reason}
    return _HEAD + b'"choices":[' + _json(choice) + b"]}\n\n"


@contextlib.asynccontextmanager
async def running(port: int) -> AsyncIterator[Upstream]:
    """Run one on `port`."""
    async with Upstream(port=port) as upstream:
        yield upstream


async def _main() -> None:
    parser = argparse.ArgumentParser(description="A scripted Chat Completions server.")
    parser.add_argument("--port", type=int, default=0)
    async with running(parser.parse_args().port) as upstream:
        print(upstream.port, flush=True)  # noqa: T201 - this is what a caller reads
        await asyncio.get_running_loop().create_future()


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_main())
