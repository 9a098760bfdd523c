"""Chat Completions chunks, sans-I/O: bytes of a response body in, events out.

The usual chunk is decoded straight into a typed struct (about 1 µs). What does not fit that shape
is decoded again as plain JSON: errors in any shape, content given as a list of parts, and halves
of a surrogate pair in two chunks, which a strict decoder refuses. Usage and the finish reason are
remembered and given out once, at the end: some servers repeat usage in every chunk, and it usually
follows the finish reason. Exactly one terminal event is ever returned.

Sources: https://platform.openai.com/docs/api-reference/chat-streaming and what the servers send
whose streams stand, with their sources, in tests/engine/providers/streams/.
"""

import contextlib
import json
import math
from typing import Any, Final, Literal

import msgspec

from webapp.engine.ports import Delta, Endpoint, Event, Failed, Finished, Reasoning, Usage
from webapp.engine.providers import connecting, failures
from webapp.engine.providers.sse import DEFAULT_LIMIT_BYTES, EventTooLong, SseDecoder

_REASONS: dict[str, Literal["stop", "length", "content_filter", "other"]] = {
    "stop": "stop",
    "eos": "stop",
    "eos_token": "stop",
    "end_turn": "stop",
    "stop_sequence": "stop",
    "length": "length",
    "max_tokens": "length",
    "model_length": "length",
    "content_filter": "content_filter",
    "safety": "content_filter",
}
_BROKEN: Final = frozenset({"abort", "error", "insufficient_system_resource"})
"""Finish reasons of an answer that did not come to its end (vLLM, OpenRouter, DeepSeek)."""


class _Details(msgspec.Struct, gc=False):
    cached_tokens: int | None = None


class _Usage(msgspec.Struct, gc=False):
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    prompt_tokens_details: _Details | None = None
    prompt_cache_hit_tokens: int | None = None


class _Delta(msgspec.Struct, gc=False):
    content: str | None = None
    reasoning_content: str | None = None
    reasoning: str | None = None
    refusal: str | None = None


class _Groq(msgspec.Struct, gc=False):
    usage: _Usage | None = None
    error: str | None = None


class _Choice(msgspec.Struct, gc=False):
    delta: _Delta | None = None
    finish_reason: str | None = None
    index: int | None = 0
    error: msgspec.Raw | None = None


class _Chunk(msgspec.Struct, gc=False):
    # No default: a chunk without choices is an error or something else to look at slowly.
    choices: list[_Choice] | None
    usage: _Usage | None = None
    error: msgspec.Raw | None = None
    x_groq: _Groq | None = None


_decode = msgspec.json.Decoder(_Chunk).decode


class ChunkDecoder:
    """Turns one response body into events."""

    def __init__(
        self,
        endpoint: Endpoint,
        limit_bytes: int = DEFAULT_LIMIT_BYTES,
        whole_limit_bytes: int | None = None,
    ) -> None:
        self._endpoint = endpoint
        self._sse = SseDecoder(limit_bytes)
        self._left_bytes = math.inf if whole_limit_bytes is None else whole_limit_bytes
        self._reason: str | None = None
        self._usage: Usage | None = None
        self._half = ""  # a high surrogate whose other half is still to come
        self.done = False
        self.began = False
        """Whether any text of the model has come."""
        self.overran = False
        """Whether it went on past `whole_limit_bytes`, so that its end is not worth waiting for."""

    @property
    def ending(self) -> bool:
        """Whether the finish reason has come, so that only usage and the end mark may follow."""
        return self._reason is not None

    def push(self, data: bytes) -> list[Event]:
        """Return the events that `data` completes; nothing once `done`.

        A body larger than `whole_limit_bytes` ends there, as an answer that is cut at its longest.
        """
        if self.done:
            return []
        self._left_bytes -= len(data)
        events: list[Event] = []
        try:
            payloads = self._sse.push(data)
        except EventTooLong as error:
            return self.end(failures.bad_stream(self._endpoint, str(error)))
        for payload in payloads:
            self._payload(payload, events)
        if self._left_bytes < 0 and not self.done:
            self._reason = "length"
            self.overran = True
            events += self._close()
        return events

    def finish(self) -> list[Event]:
        """Return what the end of the body means; nothing once `done`.

        An end without the end mark is a success only when a finish reason had come.
        """
        if self.done:
            return []
        events: list[Event] = []
        for payload in self._sse.finish():
            if payload == b"[DONE]" or _is_json(payload):
                self._payload(payload, events)
        if not self.done:
            events += self._close() if self.ending else self.end(connecting.cut(self._endpoint))
        return events

    def end(self, failed: Failed) -> list[Event]:
        """Return the last events of a stream that `failed`; nothing once `done`."""
        if self.done:
            return []
        self.done = True
        return [failed] if self._usage is None else [self._usage, failed]

    def _close(self) -> list[Event]:
        self.done = True
        events: list[Event] = []
        if self._half:
            events.append(Delta("\ufffd"))
        if self._usage is not None:
            events.append(self._usage)
        reason = (self._reason or "stop").lower()
        if reason in _BROKEN:
            events.append(failures.from_stream(self._endpoint, {"code": reason}))
        else:
            events.append(Finished(_REASONS.get(reason, "other")))
        return events

    def _payload(self, payload: bytes, events: list[Event]) -> None:
        if self.done:
            return
        try:
            chunk = _decode(payload)
        except msgspec.MsgspecError:
            self._slow(payload, events)
            return
        groq = chunk.x_groq
        if (chunk.error is not None and chunk.error != b"null") or (groq and groq.error):
            self._slow(payload, events)
            return
        if chunk.choices:
            choice = chunk.choices[0]
            delta = choice.delta
            if choice.error is not None or self._half:
                self._slow(payload, events)
                return
            if choice.index:
                return
            if delta is not None:
                if delta.content:
                    self.began = True
                    events.append(Delta(delta.content))
                if thought := delta.reasoning_content or delta.reasoning:
                    self.began = True
                    events.append(Reasoning(thought))
                if delta.refusal:
                    self.began = True
                    events.append(Delta(delta.refusal))
            if choice.finish_reason:
                self._reason = choice.finish_reason
        if chunk.usage is not None:
            self._count(chunk.usage)
        elif groq is not None and groq.usage is not None:
            self._count(groq.usage)

    def _count(self, usage: _Usage) -> None:
        if usage.completion_tokens is not None:
            details = usage.prompt_tokens_details
            cached = (details and details.cached_tokens) or usage.prompt_cache_hit_tokens or 0
            self._usage = Usage(usage.prompt_tokens or 0, usage.completion_tokens, cached)

    def _slow(self, payload: bytes, events: list[Event]) -> None:
        """Read a chunk of unusual shape."""
        if payload.strip() == b"[DONE]":
            events += self._close()
            return
        try:
            chunk = json.loads(payload)
        except (ValueError, RecursionError) as error:
            events += self.end(failures.bad_stream(self._endpoint, f"not JSON: {error}"))
            return
        if isinstance(chunk, str):
            events += self.end(failures.from_stream(self._endpoint, chunk))
            return
        if not isinstance(chunk, dict):
            events += self.end(failures.bad_stream(self._endpoint, "a chunk that is no object"))
            return
        with contextlib.suppress(msgspec.ValidationError):
            self._count(msgspec.convert(chunk.get("usage") or {}, _Usage))
        choices = chunk.get("choices")
        choice = choices[0] if isinstance(choices, list) and choices else None
        inner = choice.get("error") if isinstance(choice, dict) else None
        groq = chunk.get("x_groq")
        if said := chunk.get("error") or inner or (isinstance(groq, dict) and groq.get("error")):
            events += self.end(failures.from_stream(self._endpoint, said))
        elif choices is None and (chunk.get("message") or chunk.get("detail")):
            events += self.end(failures.from_stream(self._endpoint, chunk))
        elif isinstance(choice, dict) and not choice.get("index"):
            delta = choice.get("delta")
            self._parts(delta if isinstance(delta, dict) else {}, events)
            if isinstance(reason := choice.get("finish_reason"), str) and reason:
                self._reason = reason

    def _parts(self, delta: dict[str, Any], events: list[Event]) -> None:
        thought = delta.get("reasoning_content") or delta.get("reasoning")
        content = delta.get("content")
        for part in content if isinstance(content, list) else [content]:
            if isinstance(part, dict):
                inner = part.get("thinking")
                if isinstance(inner, list):
                    inner = "".join(p.get("text", "") for p in inner if isinstance(p, dict))
                thought = thought or inner
                part = part.get("text")
            if isinstance(part, str) and part and (text := self._whole(part)):
                self.began = True
                events.append(Delta(text))
        if isinstance(thought, str) and thought:
            self.began = True
            events.append(Reasoning(_scalar(thought)))

    def _whole(self, text: str) -> str:
        """Return `text` with pairs joined, holding back a high surrogate at its end."""
        text, self._half = self._half + text, ""
        if "\ud800" <= text[-1] <= "\udbff":
            text, self._half = text[:-1], text[-1]
        return _scalar(text)


def _scalar(text: str) -> str:
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _is_json(payload: bytes) -> bool:
    try:
        json.loads(payload)
    except (ValueError, RecursionError):
        return False
    return True
