"""Which kind of failure a status and the server's words mean. Pure.

Servers say the same thing with different statuses, so the words count before the number: a prompt
that is too long comes as 400 (OpenAI, vLLM, Groq), 413, 429 (OpenAI's tokens a minute), 500
(llama.cpp before 2025-10) or inside a 200 (LM Studio); an unknown model as 404 or 400 (OpenRouter,
Mistral, LM Studio) or 403 (OpenAI); a wrong key as 401, 403 or 400 (Gemini, xAI). And words that
look alike mean different things: a rate limit often advises to buy credit (Groq, OpenAI,
OpenRouter), and Cerebras calls one `request_quota_exceeded`.

Turned down: a table of servers. What answers behind an address is often another's gateway.
"""

import re
from typing import Final

from webapp.engine.ports import FailureCode

_TOO_LARGE: Final = re.compile(
    r"context.{0,20}(length|size|window)|(length|size) of context|context the overflows"
    r"|too (long|large)|maximum context|reduce the length|maximum (model|prompt) length"
    r"|tokens? exceeds?|exceeds? .{0,40}\btokens\b|max_tokens must be at least 1",
    re.IGNORECASE,
)
_NO_MODEL: Final = re.compile(
    r"model_not_found|model_not_exist|\bmodels?\b.{0,160}?(does not exist|doesn't exist|not found"
    r"|not exist|not a valid model|is not available|not loaded)|not a valid model|invalid[_ ]model"
    r"|unknown model|no such model|no endpoints found|no models? (is |are )?loaded"
    r"|failed to load model",
    re.IGNORECASE | re.DOTALL,
)
_BAD_KEY: Final = re.compile(
    r"(incorrect|invalid|wrong|missing|expired|no)[_ ]api[_ ]?key|api[_ ]?key.{0,20}(not valid"
    r"|invalid|missing|required|expired)|authentication_error|invalid_token",
    re.IGNORECASE,
)
_NO_CREDIT: Final = re.compile(
    r"insufficient_quota|insufficient.{0,10}(credit|balance|funds)|credit balance|out of credits"
    r"|exceeded your current quota|payment required|spend(ing)? limit|billing_(hard_)?limit",
    re.IGNORECASE,
)
_RATE: Final = re.compile(
    r"rate.?limit|too.many.requests|(try again|retry) in|per (second|minute|hour|day)|"
    r"request_quota|token_quota|over.?capacity",
    re.IGNORECASE,
)
_LONG_ANSWER: Final = re.compile(
    r"max_(completion_|output_)?tokens.{0,40}(too large|less than or equal|at most|between)",
    re.IGNORECASE,
)
_NO_ADDRESS: Final = re.compile(r"unexpected endpoint", re.IGNORECASE)
_BUSY: Final = re.compile(r"overloaded|loading model|insufficient_system_resource", re.IGNORECASE)

_MAYBE_TOO_LARGE: Final = (0, 400, 413, 422, 429, 500)
_MAYBE_NO_MODEL: Final = (0, 400, 403, 404, 422)


def cause(status: int, said: str) -> FailureCode:
    """Return what an HTTP status (0: none is known) with these words of the server means."""
    if 300 <= status < 400:
        return FailureCode.REDIRECTED
    if status in (0, 400, 422) and asks_for_too_much(said):
        return FailureCode.BAD_REQUEST
    if status == 413 or (status in _MAYBE_TOO_LARGE and _is_too_large(status, said)):
        return FailureCode.TOO_LARGE
    if status in _MAYBE_NO_MODEL and _NO_MODEL.search(said):
        return FailureCode.UNKNOWN_MODEL
    if status in (401, 403) or (status in (0, 400) and _BAD_KEY.search(said)):
        return FailureCode.UNAUTHORIZED
    if status == 402 or (status in (0, 400, 429) and _is_out_of_credit(said)):
        return FailureCode.QUOTA
    if status == 429 or (status == 0 and _RATE.search(said)):
        return FailureCode.RATE_LIMITED
    return _plain(status, said)


def asks_for_too_much(said: str) -> bool:
    """Say whether the limit of the answer is what is too large, and not the prompt."""
    return bool(_LONG_ANSWER.search(said)) and "context length" not in said


def _plain(status: int, said: str) -> FailureCode:
    if status == 404 and re.search(r"\bmodel\b", said, re.IGNORECASE):
        return FailureCode.UNKNOWN_MODEL
    if status in (404, 405) or _NO_ADDRESS.search(said):
        return FailureCode.NOT_FOUND
    if status in (498, 502, 503, 504, 529) or (status in (0, 500) and _BUSY.search(said)):
        return FailureCode.OVERLOADED
    if status == 0 or status >= 500 or status in (408, 409, 425):
        return FailureCode.UPSTREAM_ERROR
    return FailureCode.BAD_REQUEST


def _is_too_large(status: int, said: str) -> bool:
    # "Limit 6000, Used 5800, Requested 900": waiting helps, unless one request is over the limit.
    if status == 429:
        return bool(re.search(r"request too large|must be reduced", said, re.IGNORECASE))
    return bool(_TOO_LARGE.search(said))


def _is_out_of_credit(said: str) -> bool:
    if not _NO_CREDIT.search(said):
        return False
    # Gemini says "exceeded your current quota" for a limit a minute too, and then when to retry.
    return "insufficient_quota" in said or not _RATE.search(said)
