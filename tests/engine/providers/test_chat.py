"""The provider against a scripted upstream on loopback."""

import asyncio
import gc
import json
import socket
import time
import warnings
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import aiohttp
import pytest
from aiohttp.abc import AbstractResolver, ResolveResult

from tests.upstream import Step, Upstream
from webapp.engine.ports import (
    Delta,
    Endpoint,
    Event,
    Failed,
    Finished,
    Message,
    Reach,
    Reasoning,
    Request,
    Usage,
)
from webapp.engine.providers import asking, chat
from webapp.engine.providers.chat import ChatProvider, ChatStream, Timeouts
from webapp.engine.providers.pool import Pools
from webapp.lib.sentences import Sentence

REQUEST = Request((Message("user", "hello \ud83d"),), max_tokens=50)


@pytest.fixture
async def upstream() -> AsyncIterator[Upstream]:
    async with Upstream() as server:
        yield server


@pytest.fixture
async def provider() -> AsyncIterator[ChatProvider]:
    provider = ChatProvider()
    yield provider
    await provider.close()


def endpoint(url: str, model: str = "scripted", key: str = "k") -> Endpoint:
    return Endpoint(url, key, model, "Test model", 8192, 1024)


async def collect(stream: ChatStream) -> list[Event]:
    return [event async for batch in stream.batches() for event in batch]


async def answer(
    provider: ChatProvider, upstream: Upstream, *steps: Step, model: str = "scripted"
) -> list[Event]:
    if steps:
        upstream.script(*steps)
    return await collect(provider.open(endpoint(upstream.url, model), REQUEST))


def text_of(events: list[Event]) -> str:
    return "".join(e.text for e in events if isinstance(e, Delta))


def failure_of(events: list[Event]) -> Failed:
    assert isinstance(events[-1], Failed), events
    return events[-1]


# ----- answers


async def test_an_answer_comes_as_events(provider: ChatProvider, upstream: Upstream) -> None:
    events = await answer(
        provider, upstream, {"reasoning": "hm"}, {"say": "Hello, wörld 😀!"}, {"finish": "length"}
    )
    assert events[0] == Reasoning("hm")
    assert text_of(events) == "Hello, wörld 😀!"
    assert isinstance(events[-2], Usage)
    assert events[-1] == Finished("length")
    assert provider.refused_parameters == {}


async def test_what_is_sent(provider: ChatProvider, upstream: Upstream) -> None:
    await answer(provider, upstream, {"text": "a"})
    record = upstream.records[0]
    assert record.path == "/v1/chat/completions"
    assert record.headers["authorization"] == "Bearer k"
    assert record.body == {
        "model": "scripted",
        "messages": [{"role": "user", "content": "hello \ud83d"}],
        "stream": True,
        "stream_options": {"include_usage": True},
        "max_tokens": 50,
        "temperature": 0.0,
    }


async def test_no_key_no_header(provider: ChatProvider, upstream: Upstream) -> None:
    await collect(provider.open(endpoint(upstream.url, "mock-max-n1", key=""), REQUEST))
    assert "authorization" not in upstream.records[0].headers


@pytest.mark.parametrize(
    ("base", "path"),
    [
        ("", "/v1/chat/completions"),
        ("/", "/v1/chat/completions"),
        ("/v1", "/v1/chat/completions"),
        ("/v1/", "/v1/chat/completions"),
        ("/api/openai", "/api/openai/chat/completions"),
        ("/v1/chat/completions", "/v1/chat/completions"),
    ],
)
def test_the_address_may_lack_its_version(base: str, path: str) -> None:
    assert str(asking.completions_url("http://h:1" + base)) == "http://h:1" + path


async def test_one_read_is_one_batch(provider: ChatProvider, upstream: Upstream) -> None:
    upstream.script({"gate": "go"}, *[{"text": str(i)} for i in range(10)], {"gate": "end"})
    stream = provider.open(endpoint(upstream.url), REQUEST)
    batches = stream.batches()
    waiting = asyncio.create_task(anext(batches))
    await upstream.reached("go")
    upstream.release("go")
    assert await waiting == [Delta(str(i)) for i in range(10)]
    upstream.release("end")
    assert [type(e) for b in [b async for b in batches] for e in b] == [Usage, Finished]


@pytest.mark.parametrize("size", [1, 2, 3, 7, 64])
async def test_packets_may_be_cut_anywhere(
    provider: ChatProvider, upstream: Upstream, size: int
) -> None:
    text = "é漢😀 👩‍👩‍👧 ok"
    events = await answer(provider, upstream, {"split": size}, {"text": text}, {"text": text})
    assert text_of(events) == text * 2
    assert events[-1] == Finished("stop")


async def test_comments_and_foreign_line_ends(provider: ChatProvider, upstream: Upstream) -> None:
    events = await answer(
        provider,
        upstream,
        {"raw": ": PROCESSING\r\n\r\n"},
        {"raw": 'data: {"choices":[{"delta":{"content":"a"}}]}\r\n\r\n'},
        {"raw": ": PROCESSING\n\n"},
    )
    assert text_of(events) == "a"


async def test_a_connection_is_kept(provider: ChatProvider, upstream: Upstream) -> None:
    for _ in range(5):
        events = await answer(provider, upstream, {"say": "a b c"})
        assert events[-1] == Finished("stop")
    assert upstream.connections == 1


async def test_a_kept_connection_that_was_closed_is_replaced(
    provider: ChatProvider, upstream: Upstream
) -> None:
    await answer(provider, upstream, {"say": "a"})
    upstream.script({"pause_s": 0}, {"say": "b"})
    upstream.drop_next = True
    assert text_of(await answer(provider, upstream)) == "b"
    assert upstream.connections == 2


async def test_a_fresh_connection_that_is_closed_is_a_failure(
    provider: ChatProvider, upstream: Upstream
) -> None:
    upstream.drop_next = True
    failed = failure_of(await answer(provider, upstream, {"say": "b"}))
    assert failed.code == "cut"
    assert "before it answered" in failed.message
    assert failed.can_retry


# ----- what goes wrong


@pytest.mark.parametrize(
    ("steps", "code"),
    [
        ([{"status": 401, "body": {"error": {"message": "no"}}}], "unauthorized"),
        ([{"status": 429, "headers": {"Retry-After": "7"}}], "rate_limited"),
        ([{"status": 500, "body": "x" * 200_000}], "upstream_error"),
        ([{"status": 503, "body": {"error": {"message": "Loading model"}}}], "overloaded"),
        ([{"status": 302, "headers": {"Location": "http://127.0.0.1:9/"}}], "redirected"),
        ([{"status": 200, "body": "<html>hello</html>"}], "not_a_stream"),
        ([{"status": 200, "body": {"error": {"message": "no", "code": 401}}}], "unauthorized"),
        ([{"say": "a b"}, {"error": {"message": "boom"}}], "upstream_error"),
        ([{"say": "a b"}, {"cut": True}], "cut"),
        ([{"cut": True}], "cut"),
        ([{"say": "a b"}, {"finish": None, "usage": None, "done": False}], "cut"),
        ([{"raw": "data: nonsense\n\n"}], "bad_stream"),
        ([{"raw": "x" * 2_000_000}], "bad_stream"),
    ],
)
async def test_failures(
    provider: ChatProvider, upstream: Upstream, steps: list[Step], code: str
) -> None:
    events = await answer(provider, upstream, *steps)
    failed = failure_of(events)
    assert failed.code == code
    assert sum(isinstance(e, Failed | Finished) for e in events) == 1
    if any("say" in step for step in steps):
        assert text_of(events) == "a b"
    # And the provider is none the worse for it.
    assert text_of(await answer(provider, upstream, {"say": "fine"})) == "fine"


async def test_unknown_model(provider: ChatProvider, upstream: Upstream) -> None:
    failed = failure_of(await answer(provider, upstream, model="nonesuch"))
    assert failed.code == "unknown_model"
    assert '"nonesuch"' in failed.message


async def test_wait_as_asked(provider: ChatProvider, upstream: Upstream) -> None:
    step = {"status": 429, "headers": {"Retry-After": "7"}}
    assert failure_of(await answer(provider, upstream, step)).retry_after_s == 7.0


async def test_nobody_listens(provider: ChatProvider) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}"
        stream = provider.open(endpoint(url), REQUEST)
        failed = failure_of(await collect(stream))
    assert failed.code == "refused"
    assert url in failed.message
    assert stream.closed_at is not None


async def test_plain_server_under_https(provider: ChatProvider, upstream: Upstream) -> None:
    url = upstream.url.replace("http:", "https:")
    assert failure_of(await collect(provider.open(endpoint(url), REQUEST))).code == "tls"


@pytest.mark.parametrize("url", ["", "models.example", "ftp://h/v1", "http://", "http://h:99999"])
async def test_no_web_address(provider: ChatProvider, url: str) -> None:
    assert failure_of(await collect(provider.open(endpoint(url), REQUEST))).code == "bad_address"


@pytest.mark.parametrize("key", ["a\nb", "ключ", "a\x00"])
async def test_a_key_that_cannot_be_sent(
    provider: ChatProvider, upstream: Upstream, key: str
) -> None:
    stream = provider.open(endpoint(upstream.url, key=key), REQUEST)
    assert failure_of(await collect(stream)).code == "unauthorized"
    assert upstream.records == []


async def test_a_refused_parameter_is_left_out_and_remembered(
    provider: ChatProvider, upstream: Upstream
) -> None:
    for name in ("max_tokens", "temperature"):
        said = {"error": {"message": f"Unsupported parameter: '{name}' for this model."}}
        upstream.script({"status": 400, "body": said}, once=True)
    for _ in range(2):
        assert text_of(await answer(provider, upstream, {"say": "ok"})) == "ok"
    assert len(upstream.records) == 4
    sent = upstream.records[-1].body
    assert sent["max_completion_tokens"] == 50
    assert "max_tokens" not in sent
    assert "temperature" not in sent
    assert upstream.connections == 1


async def test_a_server_that_refuses_everything_is_asked_a_few_times_only(
    provider: ChatProvider, upstream: Upstream
) -> None:
    said = "Unsupported: stream_options max_tokens temperature stop"
    failed = failure_of(await answer(provider, upstream, {"status": 400, "body": said}))
    assert failed.code == "bad_request"
    assert len(upstream.records) == 5


# ----- time


@pytest.mark.parametrize(
    ("steps", "timeouts", "code"),
    [
        ([{"gate": "never"}], Timeouts(first_token_s=0.05), "first_token_timeout"),
        ([{"say": "a"}, {"gate": "never"}], Timeouts(idle_s=0.05), "idle_timeout"),
    ],
)
async def test_a_silent_server_is_given_up(
    upstream: Upstream, steps: list[Step], timeouts: Timeouts, code: str
) -> None:
    provider = ChatProvider(timeouts)
    failed = failure_of(await answer(provider, upstream, *steps))
    assert failed.code == code
    assert failed.can_retry
    assert (await upstream.ended())[0].outcome == "left"
    await provider.close()


async def test_a_server_that_never_answers_a_connect_is_given_up() -> None:
    provider = ChatProvider(Timeouts(connect_s=0.05))
    with socket.socket() as full:
        full.bind(("127.0.0.1", 0))
        full.listen(0)
        address = full.getsockname()
        waiting = []
        for _ in range(4):  # more than its backlog holds: later connects get no answer
            waiting.append(client := socket.socket())
            client.setblocking(False)
            client.connect_ex(address)
        url = f"http://127.0.0.1:{address[1]}"
        stream = provider.open(endpoint(url), REQUEST)
        assert failure_of(await collect(stream)).code == "connect_timeout"
        for client in waiting:
            client.close()
    await provider.close()


async def test_a_finish_reason_without_an_end_is_a_success(upstream: Upstream) -> None:
    provider = ChatProvider(Timeouts(ending_s=0.05))
    steps = [{"say": "a"}, {"usage": None, "done": False, "end": False}]
    assert (await answer(provider, upstream, *steps))[-1] == Finished("stop")
    assert (await upstream.ended())[0].outcome == "left"
    await provider.close()


async def test_a_slow_reader_is_no_silent_server(upstream: Upstream) -> None:
    provider = ChatProvider(Timeouts(idle_s=0.05))
    upstream.script({"say": "a"}, {"gate": "go"}, {"say": "b"})
    stream = provider.open(endpoint(upstream.url), REQUEST)
    seen: list[Event] = []
    async for batch in stream.batches():
        seen += batch
        if batch == [Delta("a")]:
            upstream.release("go")
            late = asyncio.Event()
            asyncio.get_running_loop().call_later(0.15, late.set)
            await late.wait()
    assert text_of(seen) == "ab"
    await provider.close()


# ----- abort


async def until_gate(
    provider: ChatProvider, upstream: Upstream, *steps: Step
) -> tuple[ChatStream, "asyncio.Task[list[Event]]"]:
    upstream.script(*steps, {"gate": "hold"})
    stream = provider.open(endpoint(upstream.url), REQUEST)
    task = asyncio.create_task(collect(stream))
    await upstream.reached("hold")
    return stream, task


@pytest.mark.parametrize("steps", [[], [{"say": "one two three"}]], ids=["prefill", "mid-answer"])
async def test_abort_closes_upstream_at_once(
    provider: ChatProvider, upstream: Upstream, steps: list[Step]
) -> None:
    stream, task = await until_gate(provider, upstream, *steps)
    assert stream.closed_at is None
    before = time.monotonic()
    stream.abort()
    closed_at = await stream.wait_closed()
    record = (await upstream.ended())[0]
    assert record.outcome == "left"
    assert record.left_at is not None
    assert record.left_at - before < 0.05
    assert 0 <= closed_at - before < 0.05
    events = await task
    assert failure_of(events).code == "aborted"
    assert stream.closed_at == closed_at


async def test_abort_before_any_answer_head(provider: ChatProvider) -> None:
    """As a server does that reads the whole prompt before it sends its head."""
    left = asyncio.get_running_loop().create_future()
    came = asyncio.Event()

    class Mute(asyncio.Protocol):
        def data_received(self, data: bytes) -> None:
            came.set()

        def connection_lost(self, exc: Exception | None) -> None:
            left.set_result(time.monotonic())

    server = await asyncio.get_running_loop().create_server(Mute, "127.0.0.1", 0)
    url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    stream = provider.open(endpoint(url), REQUEST)
    task = asyncio.create_task(collect(stream))
    await came.wait()
    before = time.monotonic()
    stream.abort()
    assert await left - before < 0.05
    assert failure_of(await task).code == "aborted"
    assert await stream.wait_closed() - before < 0.05
    server.close()


async def test_an_aborted_connection_is_never_reused(
    provider: ChatProvider, upstream: Upstream
) -> None:
    stream, task = await until_gate(provider, upstream, {"say": "secret"})
    stream.abort()
    await task
    events = await answer(provider, upstream, {"say": "other"})
    assert text_of(events) == "other"
    assert upstream.connections == 2


async def test_no_text_follows_an_abort(provider: ChatProvider, upstream: Upstream) -> None:
    stream = provider.open(endpoint(upstream.url, "mock-max-n5000"), REQUEST)
    after: list[Event] = []
    aborted = False
    async for batch in stream.batches():
        if aborted:
            after += batch
        stream.abort()
        aborted = True
    assert [type(e) for e in after] == [Failed]


async def test_abort_before_the_start_sends_nothing(
    provider: ChatProvider, upstream: Upstream
) -> None:
    stream = provider.open(endpoint(upstream.url), REQUEST)
    stream.abort()
    await stream.wait_closed()
    assert failure_of(await collect(stream)).code == "aborted"
    assert upstream.connections == 0


async def test_abort_while_connecting(provider: ChatProvider, upstream: Upstream) -> None:
    upstream.script({"say": "a"})
    for turns in range(12):  # the loop's turns that a request has had before it is aborted
        stream = provider.open(endpoint(upstream.url), REQUEST)
        task = asyncio.create_task(collect(stream))
        for _ in range(turns):
            await asyncio.sleep(0)
        done = task.done()
        stream.abort()
        events = await task
        assert done or failure_of(events).code == "aborted" or events[-1] == Finished("stop")
        assert await stream.wait_closed() == stream.closed_at
    assert text_of(await answer(provider, upstream)) == "a"


async def test_abort_twice_and_after_the_end(provider: ChatProvider, upstream: Upstream) -> None:
    stream = provider.open(endpoint(upstream.url, "mock-max-n3"), REQUEST)
    events = await collect(stream)
    stream.abort()
    stream.abort()
    assert events[-1] == Finished("stop")
    assert text_of(await answer(provider, upstream, {"say": "a"})) == "a"
    assert upstream.connections == 1


async def test_leaving_the_batches_early_aborts(provider: ChatProvider, upstream: Upstream) -> None:
    upstream.script({"say": "a"}, {"gate": "hold"})
    batches = provider.open(endpoint(upstream.url), REQUEST).batches()
    assert await anext(batches) == [Delta("a")]
    await batches.aclose()
    assert (await upstream.ended())[0].outcome == "left"


@pytest.mark.parametrize("steps", [[], [{"say": "a"}]], ids=["prefill", "mid-answer"])
async def test_cancelling_the_reader_aborts(
    provider: ChatProvider, upstream: Upstream, steps: list[Step]
) -> None:
    stream, task = await until_gate(provider, upstream, *steps)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await stream.wait_closed()
    assert (await upstream.ended())[0].outcome == "left"


async def test_closing_the_provider_ends_its_streams(upstream: Upstream) -> None:
    provider = ChatProvider()
    _, task = await until_gate(provider, upstream)
    await provider.close()
    assert failure_of(await task).code == "aborted"
    assert (await upstream.ended())[0].outcome == "left"


async def test_batches_are_asked_for_once(provider: ChatProvider, upstream: Upstream) -> None:
    stream = provider.open(endpoint(upstream.url, "mock-max-n1"), REQUEST)
    await collect(stream)
    with pytest.raises(RuntimeError):
        await collect(stream)


async def test_nothing_is_left_unclosed(upstream: Upstream) -> None:
    gc.collect()  # what other tests left is not ours
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        provider = ChatProvider()
        for steps in ([{"status": 500}], [{"say": "a"}, {"cut": True}], [{"raw": "data: x\n\n"}]):
            await answer(provider, upstream, *steps)
        stream, task = await until_gate(provider, upstream, {"say": "a"})
        stream.abort()
        await task
        await provider.close()
        del stream, task
        gc.collect()
    assert [str(w.message) for w in caught if issubclass(w.category, ResourceWarning)] == []


# ----- the upstream itself


def fetch(url: str, body: Any = None) -> Any:
    """Speak to the control addresses with a client that is not ours."""
    import urllib.request

    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(url, data), timeout=10) as reply:  # noqa: S310 - loopback
        return json.loads(reply.read())


async def test_the_upstream_paces_its_tokens(provider: ChatProvider, upstream: Upstream) -> None:
    await answer(provider, upstream, model="mock-r1000-n100")
    record = upstream.records[0]
    assert record.sent == 100
    assert record.first_at is not None
    assert record.ended_at is not None
    assert 0.095 <= record.ended_at - record.first_at < 1.0


def test_the_upstream_is_steered_over_http() -> None:
    async def turn(url: str) -> list[Event]:
        provider = ChatProvider()
        events = await collect(provider.open(endpoint(url), REQUEST))
        await provider.close()
        return events

    with Upstream.in_thread() as upstream:
        fetch(upstream.url + "/script", {"steps": [{"say": "a b"}, {"gate": "g"}], "once": True})
        fetch(upstream.url + "/gate", {"name": "g"})
        assert text_of(asyncio.run(turn(upstream.url))) == "a b"
        fetch(upstream.url + "/gate?name=g")
        (record,) = fetch(upstream.url + "/log?ended=1")
        assert record["outcome"] == "done"
        assert record["sent"] == 2
        assert fetch(upstream.url + "/v1/models")["data"]
        fetch(upstream.url + "/reset", {})
        assert fetch(upstream.url + "/log") == []


def test_a_refused_parameter_needs_words_of_refusal() -> None:
    none: frozenset[str] = frozenset()
    long = b"maximum context length is 9 tokens, max_tokens asks for 50"
    assert asking.refused_parameter(400, long, none) is None
    assert asking.refused_parameter(500, b"unsupported temperature", none) is None
    assert asking.refused_parameter(400, b"unsupported temperature", none) == "temperature"


@pytest.mark.parametrize(
    ("status", "said", "name"),
    [
        (  # OpenAI, reasoning models
            400,
            "Unsupported parameter: 'max_tokens' is not supported with this model."
            " Use 'max_completion_tokens' instead.",
            "max_tokens",
        ),
        (
            400,
            "Unsupported value: 'temperature' does not support 0 with this model."
            " Only the default (1) value is supported.",
            "temperature",
        ),
        (400, "Unrecognized request argument supplied: stream_options", "stream_options"),  # Azure
        (  # Mistral
            422,
            '{"detail":[{"type":"extra_forbidden","loc":["body","stream_options"],'
            '"msg":"Extra inputs are not permitted"}]}',
            "stream_options",
        ),
        (400, "property 'stop' is unsupported", "stop"),  # Groq
        (400, "max_tokens is too large: 50000. This model supports at most 16384", None),
        (400, "Unexpected message role.", None),
        (429, "temperature is unsupported", None),
    ],
)
def test_which_parameter_is_refused(status: int, said: str, name: str | None) -> None:
    assert asking.refused_parameter(status, said.encode(), frozenset()) == name
    if name is not None:
        assert asking.refused_parameter(status, said.encode(), frozenset({name})) is None


def test_only_own_errors_are_raised_for_addresses() -> None:
    with pytest.raises(aiohttp.InvalidURL):
        asking.completions_url("http://[::1")


async def test_an_answer_without_end_is_cut(
    provider: ChatProvider, upstream: Upstream, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chat, "_SPARE_BYTES", 20_000)
    piece = "for ever and ever " * 200
    events = await answer(provider, upstream, *[{"text": piece}] * 2_000)
    assert events[-1] == Finished("length")
    assert 10 * len(piece) < len(text_of(events)) < 400 * len(piece)
    (record,) = await upstream.ended()
    assert record.outcome == "left"


# ----- reach


class Names(AbstractResolver):
    """Resolves every name to the same addresses."""

    def __init__(self, *addresses: str) -> None:
        self._addresses = addresses

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        return [
            ResolveResult(
                hostname=host, host=address, port=port, family=socket.AF_INET, proto=0, flags=0
            )
            for address in self._addresses
        ]

    async def close(self) -> None:
        pass


async def ask_within(reach: Reach, url: str, *addresses: str) -> tuple[list[Event], int]:
    """Ask `url`, whose name resolves to these addresses; also return how many connections came."""
    async with Upstream() as upstream:
        upstream.script({"say": "ok"})
        provider = ChatProvider(pools=Pools(Names(*addresses)))
        asked = replace(endpoint(url.replace("PORT", str(upstream.port))), reach=reach)
        events = await collect(provider.open(asked, REQUEST))
        await provider.close()
        return events, upstream.connections


@pytest.mark.parametrize(
    ("reach", "url", "addresses"),
    [
        (Reach(), "https://models.example:PORT/v1", ["127.0.0.1"]),
        (Reach(loopback=True), "https://models.example:PORT/v1", ["127.0.0.1", "10.0.0.1"]),
        (Reach(hosts=("127.0.0.2",)), "https://models.example:PORT/v1", ["127.0.0.1"]),
        (Reach(), "http://127.0.0.1:PORT/v1", []),
        (Reach(), "https://localhost:PORT/v1", ["127.0.0.1"]),
        (Reach(loopback=True), "http://models.example:PORT/v1", ["127.0.0.1"]),
    ],
)
async def test_out_of_reach_is_not_connected_to(
    reach: Reach, url: str, addresses: list[str]
) -> None:
    events, connections = await ask_within(reach, url, *addresses)
    failed = failure_of(events)
    assert failed.code == "not_allowed"
    assert isinstance(failed.message, Sentence)
    assert not failed.can_retry
    assert connections == 0


@pytest.mark.parametrize(
    ("reach", "url", "addresses"),
    [
        (Reach(loopback=True), "http://127.0.0.1:PORT/v1", []),
        (Reach(loopback=True), "http://localhost:PORT/v1", ["127.0.0.1"]),
        (Reach(hosts=("models.internal",)), "http://models.internal:PORT/v1", ["127.0.0.1"]),
        (Reach(hosts=("127.0.0.0/8",)), "http://127.0.0.1:PORT/v1", []),
    ],
)
async def test_within_reach_is_asked(reach: Reach, url: str, addresses: list[str]) -> None:
    events, connections = await ask_within(reach, url, *addresses)
    assert text_of(events) == "ok"
    assert connections == 1


async def test_of_several_addresses_only_those_within_reach_are_tried() -> None:
    reach = Reach(hosts=("127.0.0.1",))
    url = "https://models.example:PORT/v1"
    # A connection to any address but 127.0.0.1 would be refused by these tests' own socket guard.
    events, connections = await ask_within(reach, url, "127.0.0.2", "127.0.0.1", "10.0.0.1")
    assert failure_of(events).code == "tls"
    assert connections > 0


async def test_each_reach_has_connections_of_its_own(provider: ChatProvider) -> None:
    mine, theirs = provider.pools.session(None), provider.pools.session(Reach())
    assert mine is not theirs
    assert mine.connector is not theirs.connector
    assert provider.pools.session(Reach()) is theirs
