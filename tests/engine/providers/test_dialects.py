"""Streams of many servers, cut in every way, and read by somebody else's client too.

Each file in streams/ is one response body, byte for byte; its first lines are comments of the
stream itself and say which facts it was made after. openai's Python SDK, which is no part of Flint,
reads the same bytes from a socket, and must come to the same text, finish reason and usage.
"""

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import openai
import pytest

from webapp.engine.ports import Delta, Endpoint, Event, Failed, Finished, Reasoning, Usage
from webapp.engine.providers.chunks import ChunkDecoder

STREAMS = Path(__file__).parent / "streams"
ENDPOINT = Endpoint("http://127.0.0.1:1", "sk-secret", "m", "Test model", 8192, 1024)

EVENTS: dict[str, list[Event]] = {
    "azure": [Delta("I cannot"), Finished("content_filter")],
    "cerebras": [
        Delta("def add(a, b):\n    return"),
        Delta(" a + b\n"),
        Usage(31, 14, 16),
        Finished("stop"),
    ],
    "deepseek": [Reasoning("Hm"), Delta("42"), Usage(12, 3, 8), Finished("stop")],
    "gateway": [Delta("één"), Delta(" "), Delta("twee"), Usage(3, 4), Finished("stop")],
    "gemini": [Delta("Hello "), Delta("world"), Usage(6, 2), Finished("stop")],
    "groq": [Delta("One"), Delta(" two"), Delta(" three"), Usage(36, 3), Finished("length")],
    "llamacpp": [
        Reasoning("Play"),
        Reasoning("ful"),
        Delta("Hi"),
        Delta("!"),
        Usage(17, 5, 7),
        Finished("stop"),
    ],
    "lmstudio": [Delta("Do"), Delta("ne"), Delta("."), Finished("stop")],
    "mistral": [
        Reasoning("Easy"),
        Delta("Yes"),
        Delta(", sir."),
        Usage(8, 6),
        Finished("stop"),
    ],
    "ollama": [
        Delta("```python"),
        Delta("\n"),
        Delta("x = 1"),
        Delta("\n```"),
        Usage(41, 9),
        Finished("stop"),
    ],
    "ollama-2024": [Delta(" Hello"), Delta(" there"), Finished("stop")],
    "openai": [
        Delta("Größe: "),
        Delta("漢字 "),
        Delta("😀\n"),
        Usage(19, 7),
        Finished("stop"),
    ],
    "openrouter": [
        Reasoning("They want"),
        Reasoning(" a sum."),
        Delta("return a + b"),
        Usage(1697, 52, 1024),
        Finished("stop"),
    ],
    "tgi": [Delta("Deep"), Delta(" learning"), Finished("stop")],
    "vllm": [
        Reasoning("Add"),
        Reasoning(" them."),
        Delta("a"),
        Delta(" + b"),
        Usage(24, 7),
        Finished("stop"),
    ],
    "xai": [Delta("Coca"), Delta("-Cola"), Usage(38, 3), Finished("stop")],
}

FAILURES: dict[str, tuple[str, str, str]] = {
    # name: the text before it, the code, and a part of the server's words
    "deepseek-busy": ("4", "overloaded", "insufficient_system_resource"),
    "groq-error": ("One", "overloaded", "over_capacity"),
    "llamacpp-error": ("Hi", "too_large", "the slot is full"),
    "lmstudio-error": ("", "too_large", "context length of only 4096"),
    "openrouter-error": ("return a", "overloaded", "Provider disconnected"),
    "vllm-error": ("a", "upstream_error", "EngineCore"),
}

SILENT = {"deepseek-busy", "groq-error", "llamacpp-error"}
"""Failures that openai's SDK takes for a good end, or no end; here Flint knows more."""

_EVERY_BYTE_UP_TO = 1_000
_RANDOM_CUTS = 150
_OUR_NAMES = {"eos_token": "stop"}


def bytes_of(name: str) -> bytes:
    return (STREAMS / f"{name}.sse").read_bytes()


def decoded(pieces: list[bytes]) -> list[Event]:
    decoder = ChunkDecoder(ENDPOINT)
    events = [event for piece in pieces for event in decoder.push(piece)]
    return events + decoder.finish()


def cuts_of(stream: bytes, seed: str) -> list[list[bytes]]:
    """Return the stream cut in many ways: at each byte, into single bytes, and at random."""
    ways = [[stream], [stream[i : i + 1] for i in range(len(stream))]]
    if len(stream) <= _EVERY_BYTE_UP_TO:
        ways += [[stream[:at], stream[at:]] for at in range(1, len(stream))]
    rng = random.Random(seed)
    for _ in range(_RANDOM_CUTS):
        places = sorted(rng.sample(range(1, len(stream)), rng.randint(1, 20)))
        ways.append(
            [stream[a:b] for a, b in zip([0, *places], [*places, len(stream)], strict=True)]
        )
    return ways


def text_of(events: list[Event]) -> str:
    return "".join(event.text for event in events if isinstance(event, Delta))


def test_every_stream_is_in_the_table_and_names_its_source() -> None:
    names = {path.stem for path in STREAMS.glob("*.sse")}
    assert names == EVENTS.keys() | FAILURES.keys()
    for name in names:
        first = bytes_of(name).removeprefix(b"\xef\xbb\xbf")
        assert first.startswith(b": "), name
        assert b"after" in first.split(b"data:")[0], name


@pytest.mark.parametrize("name", EVENTS)
def test_the_events_however_it_is_cut(name: str) -> None:
    for pieces in cuts_of(bytes_of(name), name):
        assert decoded(pieces) == EVENTS[name], [len(piece) for piece in pieces]


@pytest.mark.parametrize("name", FAILURES)
def test_the_failure_however_it_is_cut(name: str) -> None:
    text, code, words = FAILURES[name]
    for pieces in cuts_of(bytes_of(name), name):
        events = decoded(pieces)
        failed = events[-1]
        assert isinstance(failed, Failed), [len(piece) for piece in pieces]
        assert failed.code == code
        assert words in failed.detail
        assert text_of(events) == text
        assert sum(isinstance(event, Failed | Finished) for event in events) == 1


@pytest.mark.parametrize("name", [*EVENTS, *FAILURES])
def test_a_stream_that_is_cut_short_never_looks_whole(name: str) -> None:
    """A success needs a finish reason or the end mark; each beginning without them fails."""
    stream = bytes_of(name)
    whole = decoded([stream])
    for end in range(0, len(stream), 1 if len(stream) <= _EVERY_BYTE_UP_TO else 7):
        events = decoded([stream[:end]])
        terminal = [event for event in events if isinstance(event, Failed | Finished)]
        assert events[-1:] == terminal
        assert text_of(whole).startswith(text_of(events))
        if isinstance(events[-1], Finished):
            assert text_of(events) == text_of(whole)


# ----- somebody else's client


@contextlib.asynccontextmanager
async def serving(body: bytes) -> AsyncIterator[str]:
    """Answer every request with this body; yields the base address."""
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked = (await reader.readuntil(b"\r\n\r\n")).lower()
        await reader.readexactly(int(asked.partition(b"content-length:")[2].split()[0]))
        writer.write(head + body)
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"


async def as_the_sdk_reads(body: bytes) -> tuple[str, str | None, Any, bool]:
    """Return text, finish reason, usage and whether it was an error, as openai's SDK sees them."""
    text, reason, usage = "", None, None
    async with (
        serving(body) as url,
        openai.AsyncOpenAI(base_url=url, api_key="k", max_retries=0) as client,
    ):
        try:
            stream = await client.chat.completions.create(
                model="m", messages=[{"role": "user", "content": "hi"}], stream=True
            )
            async for chunk in stream:
                usage = chunk.usage or _groq_usage(chunk) or usage
                for choice in (chunk.choices or [])[:1]:
                    text += _text((choice.delta and choice.delta.content) or "")
                    reason = choice.finish_reason or reason
        except openai.APIError:
            return text, reason, usage, True
    return text, reason, usage, False


def _text(content: Any) -> str:
    """Return the text of a content that may be a list of parts, which the SDK passes through."""
    if isinstance(content, str):
        return content
    return "".join(part.get("text", "") for part in content)


def _groq_usage(chunk: Any) -> Any:
    usage = ((chunk.model_extra or {}).get("x_groq") or {}).get("usage")
    return openai.types.CompletionUsage.construct(**usage) if usage else None


@pytest.mark.parametrize("name", EVENTS)
async def test_openais_sdk_reads_the_same(name: str) -> None:
    text, reason, usage, failed = await as_the_sdk_reads(bytes_of(name))
    *before, finished = EVENTS[name]
    assert not failed
    assert text == text_of(EVENTS[name])
    assert isinstance(finished, Finished)
    assert reason is not None
    assert _OUR_NAMES.get(reason, reason) == finished.reason
    ours = before[-1] if isinstance(before[-1], Usage) else None
    assert (ours is None) == (usage is None)
    if ours is not None:
        assert (usage.prompt_tokens, usage.completion_tokens) == (
            ours.input_tokens,
            ours.output_tokens,
        )
        if details := usage.prompt_tokens_details:
            assert (details.cached_tokens or 0) == ours.cached_tokens


@pytest.mark.parametrize("name", FAILURES)
async def test_openais_sdk_fails_too_unless_it_knows_less(name: str) -> None:
    text, _, _, failed = await as_the_sdk_reads(bytes_of(name))
    assert text == FAILURES[name][0]
    assert failed == (name not in SILENT)
