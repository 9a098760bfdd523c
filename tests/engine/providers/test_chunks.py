"""Chat chunks to events: shapes that servers send, cut in every place."""

import json
from typing import Any

import pytest

from webapp.engine.ports import (
    Delta,
    Endpoint,
    Event,
    Failed,
    FailureCode,
    Finished,
    Reasoning,
    Usage,
)
from webapp.engine.providers.chunks import ChunkDecoder

ENDPOINT = Endpoint("http://127.0.0.1:1", "sk-secret", "m", "Test model", 8192, 1024)


def body(*chunks: Any, done: bool = True) -> bytes:
    lines = [c if isinstance(c, str) else json.dumps(c) for c in chunks]
    lines += ["[DONE]"] if done else []
    return "".join(f"data: {line}\n\n" for line in lines).encode()


def piece(reason: str | None = None, **delta: Any) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": delta, "finish_reason": reason}]}


def events_of(stream: bytes, size: int | None = None) -> list[Event]:
    decoder = ChunkDecoder(ENDPOINT)
    events: list[Event] = []
    size = size or max(1, len(stream))
    for at in range(0, len(stream), size):
        events += decoder.push(stream[at : at + size])
    events += decoder.finish()
    assert decoder.done
    assert decoder.finish() == decoder.push(b"data: {}\n\n") == []
    return events


def failure_of(stream: bytes) -> Failed:
    *_, last = events_of(stream)
    assert isinstance(last, Failed)
    return last


USAGE = {"prompt_tokens": 9, "completion_tokens": 2}
DETAILED = USAGE | {"prompt_tokens_details": {"cached_tokens": 4}}
A = piece(content="a")
STOP = piece("stop")

GOOD: dict[str, tuple[bytes, list[Event]]] = {
    "usual": (body(piece(role="assistant", content=""), A, STOP), [Delta("a"), Finished("stop")]),
    "usage after the reason": (
        body(A, STOP, {"choices": [], "usage": DETAILED}),
        [Delta("a"), Usage(9, 2, 4), Finished("stop")],
    ),
    "usage without choices": (
        body(A, STOP, {"usage": USAGE}),
        [Delta("a"), Usage(9, 2), Finished("stop")],
    ),
    "usage in every chunk": (
        body(A | {"usage": {"prompt_tokens": 9, "completion_tokens": 1}}, STOP | {"usage": USAGE}),
        [Delta("a"), Usage(9, 2), Finished("stop")],
    ),
    "usage null": (body(A | {"usage": None}, STOP), [Delta("a"), Finished("stop")]),
    "cache hits as deepseek counts": (
        body(STOP | {"usage": USAGE | {"prompt_cache_hit_tokens": 5}}),
        [Usage(9, 2, 5), Finished("stop")],
    ),
    "length": (body(A, piece("length")), [Delta("a"), Finished("length")]),
    "filtered": (body(A, piece("content_filter")), [Delta("a"), Finished("content_filter")]),
    "usage in groq's own field": (
        body(A, STOP | {"x_groq": {"id": "r", "usage": USAGE | {"queue_time": 0.1}}}),
        [Delta("a"), Usage(9, 2), Finished("stop")],
    ),
    "usage in both": (
        body(STOP | {"usage": USAGE, "x_groq": {"usage": {"completion_tokens": 7}}}),
        [Usage(9, 2), Finished("stop")],
    ),
    "reasons of others": (body(A, piece("MAX_TOKENS")), [Delta("a"), Finished("length")]),
    "tool calls": (
        body(
            piece(tool_calls=[{"index": 0, "function": {"arguments": "{}"}}]), piece("tool_calls")
        ),
        [Finished("other")],
    ),
    "unknown reason": (body(A, piece("weather")), [Delta("a"), Finished("other")]),
    "done without a reason": (body(A), [Delta("a"), Finished("stop")]),
    "reason without done": (body(A, STOP, done=False), [Delta("a"), Finished("stop")]),
    "done without its blank line": (body(A, STOP)[:-2], [Delta("a"), Finished("stop")]),
    "reasoning": (
        body(piece(reasoning_content="hm"), piece(reasoning="so"), A, STOP),
        [Reasoning("hm"), Reasoning("so"), Delta("a"), Finished("stop")],
    ),
    "refusal": (body(piece(refusal="no"), STOP), [Delta("no"), Finished("stop")]),
    "content in parts": (
        body(
            piece(
                content=[
                    {"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]},
                    {"type": "text", "text": "a"},
                ]
            ),
            STOP,
        ),
        [Delta("a"), Reasoning("hm"), Finished("stop")],
    ),
    "unicode": (
        ('data: {"choices":[{"delta":{"content":"é漢😀"}}]}\n\n' + "data: [DONE]\n\n").encode(),
        [Delta("é漢😀"), Finished("stop")],
    ),
    "a pair in two chunks": (
        body(piece(content="x\ud83d"), piece(content="\ude00y"), STOP),
        [Delta("x"), Delta("😀y"), Finished("stop")],
    ),
    "half a pair at the end": (
        body(piece(content="x\ud83d"), STOP),
        [Delta("x"), Delta("\ufffd"), Finished("stop")],
    ),
    "half a pair in the middle": (
        body(piece(content="x\ud83d"), piece(content="y"), STOP),
        [Delta("x"), Delta("\ufffdy"), Finished("stop")],
    ),
    "comments and pings": (
        b": ping\n\n" + body(A).replace(b"data: [DONE]", b": ping\n\ndata: [DONE]"),
        [Delta("a"), Finished("stop")],
    ),
    "a chunk of nothing known": (
        body({"type": "ping"}, A, STOP),
        [Delta("a"), Finished("stop")],
    ),
    "text after done": (body(A) + body(A), [Delta("a"), Finished("stop")]),
    "null delta": (
        body({"choices": [{"index": 0, "delta": None, "finish_reason": None}]}, A),
        [Delta("a"), Finished("stop")],
    ),
    "error null": (body(A | {"error": None}, STOP), [Delta("a"), Finished("stop")]),
}


@pytest.mark.parametrize("name", GOOD)
def test_events_however_the_stream_is_cut(name: str) -> None:
    stream, expected = GOOD[name]
    assert events_of(stream) == expected
    assert events_of(stream, 1) == expected
    for cut in range(1, len(stream)):
        decoder = ChunkDecoder(ENDPOINT)
        found = decoder.push(stream[:cut]) + decoder.push(stream[cut:]) + decoder.finish()
        assert found == expected, f"cut at byte {cut}"


BAD: dict[str, tuple[bytes, FailureCode]] = {
    "empty": (b"", FailureCode.CUT),
    "only the role": (body(piece(role="assistant"), done=False), FailureCode.CUT),
    "cut in mid-answer": (body(A, A, done=False), FailureCode.CUT),
    "cut in mid-chunk": (body(A, A, done=False)[:-9], FailureCode.CUT),
    "nested error": (body(A, {"error": {"message": "boom"}}), FailureCode.UPSTREAM_ERROR),
    "error as text": (body(A, {"error": "boom"}), FailureCode.UPSTREAM_ERROR),
    "flat error": (body(A, {"object": "error", "message": "boom"}), FailureCode.UPSTREAM_ERROR),
    "flat error with detail": (body(A, {"detail": "boom"}), FailureCode.UPSTREAM_ERROR),
    "error in the choice": (
        body({"choices": [{"delta": {}, "finish_reason": "error", "error": {"message": "boom"}}]}),
        FailureCode.UPSTREAM_ERROR,
    ),
    "error with a status": (
        body(A, {"error": {"message": "boom", "code": 429}}),
        FailureCode.RATE_LIMITED,
    ),
    "error with a status as text": (
        body(A, {"error": {"message": "boom", "code": "503"}}),
        FailureCode.OVERLOADED,
    ),
    "error that says too long": (
        body({"error": {"message": "boom: exceeds the context size"}}),
        FailureCode.TOO_LARGE,
    ),
    "error beside choices": (
        body(A | {"error": {"message": "boom"}}),
        FailureCode.UPSTREAM_ERROR,
    ),
    "error as a bare text": (body(A, json.dumps("boom")), FailureCode.UPSTREAM_ERROR),
    "error of groq's own": (
        body(A, {"choices": [], "x_groq": {"error": "boom"}}),
        FailureCode.UPSTREAM_ERROR,
    ),
    "finished by an error": (body(A, piece("error")), FailureCode.UPSTREAM_ERROR),
    "finished by an abort": (body(A, piece("abort")), FailureCode.UPSTREAM_ERROR),
    "finished for want of room": (
        body(A, piece("insufficient_system_resource")),
        FailureCode.OVERLOADED,
    ),
    "not json": (body("boom"), FailureCode.BAD_STREAM),
    "no object": (body([1, 2]), FailureCode.BAD_STREAM),
    "nested too deep": (body("[" * 100_000), FailureCode.BAD_STREAM),
    "a line without end": (b"data: " + b"x" * (1 << 21), FailureCode.BAD_STREAM),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_stream_ends_with_one_failure(name: str) -> None:
    stream, code = BAD[name]
    events = events_of(stream)
    assert [type(e) for e in events].count(Failed) == 1
    assert failure_of(stream).code == code
    assert not any(isinstance(e, Finished) for e in events)
    if b"boom" in stream and b"data: boom" not in stream:
        assert "boom" in failure_of(stream).detail


def test_usage_is_given_before_a_failure_too() -> None:
    stream = body(A | {"usage": USAGE}, {"error": "boom"})
    assert events_of(stream)[1] == Usage(9, 2)


def test_the_key_and_line_breaks_never_reach_a_detail() -> None:
    said = failure_of(
        body({"error": {"message": "bad key sk-secret\nat\x1b[1m line 2 " + "x" * 999}})
    )
    assert said.detail.startswith("bad key [key] at [1m line 2 xxx")
    assert len(said.detail) <= 300
