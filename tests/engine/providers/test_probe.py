"""A test of an endpoint says what is wrong with it, and never its key."""

import asyncio
import json
import socket
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from aiohttp.abc import AbstractResolver, ResolveResult

from tests.engine.providers.serving import Answer, Authority, Served, serving, stream_of
from tests.upstream import Upstream
from webapp.engine.ports import Endpoint, FailureCode, Reach
from webapp.engine.providers.pool import Pools
from webapp.engine.providers.probe import Probe, probe
from webapp.lib.sentences import Sentence

KEY = "sk-very-secret-key"
CHAT = "POST /v1/chat/completions"
MODELS = "GET /v1/models"
GOOD = stream_of("1 ", "2 ", "3")


def endpoint(url: str, model: str = "fast-1", **more: Any) -> Endpoint:
    return Endpoint(url, KEY, model, "Models Inc", 8192, 1024, **more)


def listed(*models: dict[str, Any] | str) -> dict[str, Any]:
    return {"object": "list", "data": [{"id": m} if isinstance(m, str) else m for m in models]}


async def probed(
    answers: dict[str, Answer], base: str = "/v1", **more: Any
) -> tuple[Probe, Served]:
    """Test an endpoint against a server that answers so."""
    async with serving(answers) as served:
        return await probe(endpoint(served.url + base, **more)), served


async def test_a_good_endpoint() -> None:
    async with Upstream() as upstream:
        found = await probe(endpoint(upstream.url, "mock-r1000-n50"))
        assert upstream.records[0].body["max_tokens"] == 64
    assert found.ok
    assert found.problem is None
    assert found.streamed
    assert "mock-r1000-n500" in found.models
    assert found.ttft_ms is not None
    assert 0 <= found.ttft_ms < 2_000
    assert found.tokens_per_s is not None
    assert 100 < found.tokens_per_s < 5_000
    assert found.context_window is None


async def test_an_answer_in_one_piece_is_fine_but_not_streamed() -> None:
    found, served = await probed({CHAT: GOOD, MODELS: listed("fast-1", "fast-2")})
    assert found.ok
    assert not found.streamed
    assert found.models == ("fast-1", "fast-2")
    assert {headers["Authorization"] for _, headers in served.asked} == {f"Bearer {KEY}"}


async def test_a_server_without_a_list_is_fine() -> None:
    found, _ = await probed({CHAT: GOOD})
    assert found.ok
    assert found.models == ()


async def test_an_old_ollama_lists_its_own_way() -> None:
    tags = {"models": [{"name": "qwen2.5-coder:7b", "size": 4}]}
    found, _ = await probed({CHAT: GOOD, "GET /api/tags": tags})
    assert found.models == ("qwen2.5-coder:7b",)


WRONG: dict[str, tuple[dict[str, Answer], FailureCode | None, str]] = {
    "the key": (
        {CHAT: (401, {"error": {"message": f"Incorrect API key provided: {KEY}"}})},
        FailureCode.UNAUTHORIZED,
        "refused the key",
    ),
    "the model": (
        {
            CHAT: (404, {"error": {"message": "The model does not exist"}}),
            MODELS: listed("fast-2", "deep-1"),
        },
        FailureCode.UNKNOWN_MODEL,
        'no model named "fast-1". It has fast-2, deep-1.',
    ),
    "the model, and no list": (
        {CHAT: (404, {"error": {"message": "The model does not exist"}})},
        FailureCode.UNKNOWN_MODEL,
        'no model named "fast-1". Choose',
    ),
    "the model among hundreds": (
        {
            CHAT: (400, {"error": {"message": "fast-1 is not a valid model ID"}}),
            MODELS: listed(*[f"other-{i}" for i in range(300)], "maker/fast-1"),
        },
        FailureCode.UNKNOWN_MODEL,
        "It has 301, among them maker/fast-1, ",
    ),
    "the window": (
        {CHAT: GOOD, MODELS: listed({"id": "fast-1", "max_model_len": 4096})},
        None,
        "reads 4096 tokens at once, and this endpoint says 8192. Set the context window to 4096",
    ),
    "a tiny window": (
        {CHAT: GOOD, MODELS: listed({"id": "fast-1", "context_window": 512})},
        None,
        "reads 512 tokens at once, and Flint needs 2048",
    ),
    "no stream": (
        {CHAT: {"choices": [{"message": {"content": "1 2 3"}}]}},
        FailureCode.NOT_A_STREAM,
        "instead of a stream",
    ),
    "the limit": (
        {CHAT: (429, {"error": {"message": "Rate limit reached. Please try again in 7.6s."}})},
        FailureCode.RATE_LIMITED,
        "asks to wait 8 s",
    ),
    "the credit": (
        {CHAT: (402, {"error": {"message": "Insufficient credits"}})},
        FailureCode.QUOTA,
        "no credit left",
    ),
    "a redirect": ({CHAT: (302, {})}, FailureCode.REDIRECTED, "redirect"),
    "an error in the stream": (
        {CHAT: b'data: {"error": {"message": "boom"}}\n\n'},
        FailureCode.UPSTREAM_ERROR,
        "reported an error",
    ),
    "nothing said": ({CHAT: stream_of()}, None, "without any text"),
    "https only": (
        {CHAT: (400, b"<h1>The plain HTTP request was sent to HTTPS port</h1>")},
        FailureCode.TLS,
        "https only",
    ),
}


@pytest.mark.parametrize("name", WRONG)
async def test_what_is_wrong_is_said(name: str) -> None:
    answers, code, sentence = WRONG[name]
    found, _ = await probed(answers)
    assert not found.ok
    assert found.code == code
    assert isinstance(found.problem, Sentence)
    assert sentence in found.problem
    assert KEY not in repr(found)


@pytest.mark.parametrize(
    ("base", "answers", "suggested"),
    [
        ("/api", {"GET /api/v1/models": listed("fast-1")}, "/api/v1"),
        ("/chat", {MODELS: listed("fast-1")}, "/v1"),
        ("/v1", {"GET /openai/v1/models": listed("fast-1")}, "/openai/v1"),
        ("/v1", {CHAT: b"<html>Welcome</html>", "GET /api/v1/models": listed("a")}, "/api/v1"),
    ],
)
async def test_the_right_base_url_is_suggested(
    base: str, answers: dict[str, Answer], suggested: str
) -> None:
    found, served = await probed(answers, base)
    assert not found.ok
    assert found.suggested_url == served.url + suggested
    assert found.problem is not None
    assert f"answers at {served.url + suggested}" in found.problem


async def test_a_base_url_without_its_version_is_completed() -> None:
    found, served = await probed({CHAT: GOOD, MODELS: listed("fast-1")}, "")
    assert found.ok
    assert set(served.lines) == {CHAT, MODELS, "GET /api/ps"}


async def test_no_suggestion_where_nothing_answers() -> None:
    found, served = await probed({}, "/wrong")
    assert found.code == FailureCode.NOT_FOUND
    assert found.suggested_url == ""
    assert found.problem is not None
    assert "usually ends in /v1" in found.problem
    assert len(served.lines) < 10


WINDOWS: dict[str, tuple[dict[str, Answer], str, int | None]] = {
    "vllm": (
        {MODELS: listed({"id": "fast-1", "owned_by": "vllm", "max_model_len": 32768})},
        "fast-1",
        32768,
    ),
    "groq": ({MODELS: listed({"id": "fast-1", "context_window": 131072})}, "fast-1", 131072),
    "openrouter": ({MODELS: listed({"id": "a/b", "context_length": 65536})}, "a/b", 65536),
    "llama.cpp": (
        {
            MODELS: listed({"id": "x.gguf", "owned_by": "llamacpp", "meta": {"n_ctx_train": 1}}),
            "GET /props": {"default_generation_settings": {"n_ctx": 16384}, "total_slots": 1},
        },
        "default",
        16384,
    ),
    "llama.cpp without props": (
        {MODELS: listed({"id": "x.gguf", "owned_by": "llamacpp", "meta": {"n_ctx": 8192}})},
        "default",
        8192,
    ),
    "ollama, loaded": (
        {
            MODELS: listed({"id": "qwen:latest", "owned_by": "library"}),
            "GET /api/ps": {"models": [{"name": "qwen:latest", "context_length": 9000}]},
        },
        "qwen",
        9000,
    ),
    "ollama, from its file": (
        {
            MODELS: listed({"id": "qwen:7b", "owned_by": "library"}),
            "GET /api/ps": {"models": []},
            "POST /api/show": {"parameters": 'stop "<|im_end|>"\nnum_ctx      12288\n'},
        },
        "qwen:7b",
        12288,
    ),
    "lm studio": (
        {
            MODELS: listed({"id": "qwen", "owned_by": "organization_owner"}),
            "GET /api/v0/models": listed(
                {"id": "qwen", "max_context_length": 131072, "loaded_context_length": 10240}
            ),
        },
        "qwen",
        10240,
    ),
    "openai says nothing": (
        {MODELS: listed({"id": "gpt", "owned_by": "system"})},
        "gpt",
        None,
    ),
    "nonsense": (
        {MODELS: listed({"id": "fast-1", "max_model_len": "many", "context_length": True})},
        "fast-1",
        None,
    ),
}


@pytest.mark.parametrize("name", WINDOWS)
async def test_the_window_of_each_server_is_found(name: str) -> None:
    answers, model, window = WINDOWS[name]
    found, _ = await probed({CHAT: GOOD, **answers}, model=model)
    assert found.ok, found.problem
    assert found.context_window == window


async def test_a_public_server_is_asked_nothing_that_it_does_not_have() -> None:
    _, served = await probed(
        {CHAT: GOOD, MODELS: listed({"id": "gpt", "owned_by": "system"})}, model="gpt"
    )
    assert sorted(served.lines) == [MODELS, CHAT]


# ----- connections


class NoNames(AbstractResolver):
    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        raise OSError(None, "Name or service not known")

    async def close(self) -> None:
        pass


async def test_a_name_that_does_not_resolve() -> None:
    found = await probe(endpoint("https://models.invalid/v1"), pools=Pools(NoNames()))
    assert found.code == FailureCode.DNS
    assert found.problem is not None
    assert "was not found" in found.problem


async def test_a_port_where_nothing_listens() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}/v1"
        found = await probe(endpoint(url))
    assert found.code == FailureCode.REFUSED
    assert found.problem is not None
    assert "Nothing answers" in found.problem


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(Path(tmp_path_factory.mktemp("certificates")))


@pytest.mark.parametrize(
    ("certificate", "trusted", "sentence"),
    [
        (lambda a: a.server(), True, None),
        (lambda a: a.server(begins_days=-9, ends_days=-2), True, "has expired"),
        (lambda a: a.server(begins_days=2, ends_days=9), True, "not valid yet"),
        (lambda a: a.server("models.example"), True, "made for another host"),
        (lambda a: a.server("127.0.0.9"), True, "made for another host"),
        (lambda a: a.server(self_signed=True), True, "self-signed"),
        (lambda a: a.server(), False, "this machine does not know"),
    ],
)
async def test_which_thing_is_wrong_with_tls(
    authority: Authority, certificate: Callable[[Authority], Any], trusted: bool, sentence: str
) -> None:
    answers = {CHAT: GOOD, MODELS: listed("fast-1")}
    async with serving(answers, certificate(authority)) as served:
        pools = Pools(trust=authority.trusted()) if trusted else Pools()
        found = await probe(endpoint(served.url + "/v1"), pools=pools)
    if sentence is None:
        assert found.ok
        return
    assert found.code == FailureCode.TLS
    assert found.problem is not None
    assert sentence in found.problem
    assert served.asked == []


async def test_https_to_a_server_without_it() -> None:
    async with serving({}) as served:
        found = await probe(endpoint(served.url.replace("http:", "https:") + "/v1"))
    assert found.code == FailureCode.TLS
    assert found.problem is not None
    assert "does not speak https" in found.problem


# ----- bounds


async def test_a_silent_server_is_left_in_time() -> None:
    async with Upstream() as upstream:
        upstream.script({"gate": "never"})
        found = await probe(endpoint(upstream.url, "scripted"), limit_s=1)
        assert found.problem is not None
        assert "did not finish a short answer within 1 s" in found.problem
        assert (await upstream.ended())[0].outcome == "left"


async def test_an_answer_without_end_is_left_in_time() -> None:
    async with Upstream() as upstream:
        upstream.script({"say": "1 2 3"}, {"gate": "never"})
        found = await probe(endpoint(upstream.url, "scripted"), limit_s=1)
        assert not found.ok
        assert found.ttft_ms is not None
        assert (await upstream.ended())[0].outcome == "left"


async def test_a_list_larger_than_any_is_dropped() -> None:
    many = listed(*[{"id": f"model-{i}", "description": "x" * 1000} for i in range(3_000)])
    assert len(json.dumps(many)) > 2 * 1024 * 1024
    found, _ = await probed({CHAT: GOOD, MODELS: many})
    assert found.ok
    assert found.models == ()


async def test_an_address_out_of_reach_is_not_asked_at_all() -> None:
    found, served = await probed({CHAT: GOOD, MODELS: listed("fast-1")}, reach=Reach())
    assert found.code == FailureCode.NOT_ALLOWED
    assert found.problem is not None
    assert "FLINT_ENDPOINT_HOSTS" in found.problem
    assert served.asked == []


async def test_within_reach_is_asked() -> None:
    found, _ = await probed({CHAT: GOOD}, reach=Reach(loopback=True))
    assert found.ok


@pytest.mark.parametrize("url", ["", "models.example", "http://h:99999", "ftp://h/v1"])
async def test_no_address(url: str) -> None:
    found = await probe(endpoint(url))
    assert found.code == FailureCode.BAD_ADDRESS
    assert found.problem is not None


async def test_a_key_that_cannot_be_sent_is_not_sent() -> None:
    async with serving({CHAT: GOOD}) as served:
        found = await probe(replace(endpoint(served.url), api_key="a\nb"))
    assert found.code == FailureCode.UNAUTHORIZED
    assert served.asked == []


async def test_cancelling_leaves_nothing_behind() -> None:
    async with Upstream() as upstream:
        upstream.script({"gate": "hold"})
        task = asyncio.create_task(probe(endpoint(upstream.url, "scripted")))
        await upstream.reached("hold")
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert (await upstream.ended())[0].outcome == "left"
