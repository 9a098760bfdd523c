"""What servers really say when they refuse, and what each of it means."""

import json

import pytest

from webapp.engine.ports import Endpoint
from webapp.engine.providers import failures

ENDPOINT = Endpoint("https://models.example/v1", "sk-secret", "fast-1", "Models Inc", 8192, 1024)


def nested(message: str, **more: object) -> str:
    return json.dumps({"error": {"message": message, **more}})


def flat(message: str, **more: object) -> str:
    return json.dumps({"message": message, **more})


SAID: dict[str, tuple[int, str, str]] = {
    # unknown model
    "openai: model": (
        404,
        nested(
            "The model `x` does not exist or you do not have access to it.", code="model_not_found"
        ),
        "unknown_model",
    ),
    "openai: model of another project": (
        403,
        nested("Project `p` does not have access to model `x`", code="model_not_found"),
        "unknown_model",
    ),
    "cerebras: model": (
        404,
        flat("Model x does not exist or you do not have access to it.", code="model_not_found"),
        "unknown_model",
    ),
    "openrouter: model": (400, nested("x is not a valid model ID", code=400), "unknown_model"),
    "openrouter: no provider": (
        404,
        nested("No endpoints found for x.", code=404),
        "unknown_model",
    ),
    "vllm: model": (
        404,
        flat("The model `x` does not exist.", object="error", type="NotFoundError", code=404),
        "unknown_model",
    ),
    "ollama: model": (
        404,
        nested('model "x" not found, try pulling it first', type="api_error", code=None),
        "unknown_model",
    ),
    "llama.cpp as a router: model": (
        400,
        nested("model 'x' not found", code=400, type="invalid_request_error"),
        "unknown_model",
    ),
    "lm studio: nothing loaded": (
        404,
        nested("No models loaded. Please load a model in the developer page."),
        "unknown_model",
    ),
    "lm studio: cannot load": (
        400,
        nested('Failed to load model "x". Error: insufficient system resources.'),
        "unknown_model",
    ),
    "mistral: model": (
        400,
        flat("Invalid model: x", type="invalid_model", code="1500"),
        "unknown_model",
    ),
    "deepseek: model": (
        400,
        nested("Model Not Exist", code="invalid_request_error"),
        "unknown_model",
    ),
    # no such address
    "vllm: path": (404, '{"detail":"Not Found"}', "not_found"),
    "llama.cpp: path": (
        404,
        nested("File Not Found", code=404, type="not_found_error"),
        "not_found",
    ),
    "ollama: path": (404, "404 page not found", "not_found"),
    # wrong key
    "openai: key": (
        401,
        nested("Incorrect API key provided: sk-secret", code="invalid_api_key"),
        "unauthorized",
    ),
    "cerebras: key": (401, flat("Wrong API Key", code="wrong_api_key"), "unauthorized"),
    "gemini: key": (
        400,
        "[" + nested("API key not valid. Please pass a valid API key.", code=400) + "]",
        "unauthorized",
    ),
    "xai: key": (
        400,
        json.dumps({"code": "invalid-argument", "error": "Incorrect API key provided: sk***t."}),
        "unauthorized",
    ),
    "llama.cpp: key": (401, nested("Invalid API Key", code=401), "unauthorized"),
    "vllm: key": (401, '{"error":"Unauthorized"}', "unauthorized"),
    # too much to read
    "openai: context": (
        400,
        nested(
            "This model's maximum context length is 8192 tokens.", code="context_length_exceeded"
        ),
        "too_large",
    ),
    "openai: input": (
        400,
        nested("Input tokens exceed the configured limit of 272000 tokens.", param="messages"),
        "too_large",
    ),
    "openai: one request over its minute": (
        429,
        nested(
            "Request too large for gpt-4o on tokens per min (TPM): Limit 30000, Requested 40000."
            " The input or output tokens must be reduced in order to run successfully.",
            code="rate_limit_exceeded",
        ),
        "too_large",
    ),
    "groq: context": (
        400,
        nested(
            "Please reduce the length of the messages or completion.",
            code="context_length_exceeded",
        ),
        "too_large",
    ),
    "groq: one request over its minute": (
        413,
        nested(
            "Request too large for model x on tokens per minute (TPM)", code="rate_limit_exceeded"
        ),
        "too_large",
    ),
    "cerebras: context": (
        400,
        flat("Please reduce the length of the messages or completion. Current length is 9000"),
        "too_large",
    ),
    "openrouter: context": (
        400,
        nested("This endpoint's maximum context length is 131072 tokens. However, you requested"),
        "too_large",
    ),
    "vllm: context": (400, flat("max_tokens must be at least 1, got -186.", code=400), "too_large"),
    "vllm: prompt": (
        400,
        flat("The decoder prompt (length 5000) is longer than the maximum model length of 4096."),
        "too_large",
    ),
    "llama.cpp: context": (
        400,
        nested("the request exceeds the available context size", type="exceed_context_size_error"),
        "too_large",
    ),
    "llama.cpp of summer 2025: context": (
        500,
        nested("the request exceeds the available context size. try increasing it", code=500),
        "too_large",
    ),
    "lm studio: context": (
        400,
        json.dumps(
            {
                "error": "Trying to keep the first 15857 tokens when context the overflows."
                " However, the model is loaded with context length of only 4096 tokens"
            }
        ),
        "too_large",
    ),
    "ollama: context": (
        400,
        nested("prompt too long; exceeded max context length by 123 tokens"),
        "too_large",
    ),
    # no credit
    "openai: quota": (
        429,
        nested(
            "You exceeded your current quota, please check your plan", code="insufficient_quota"
        ),
        "quota",
    ),
    "openrouter: credits": (402, nested("Insufficient credits", code=402), "quota"),
    "anthropic: credits": (
        400,
        nested("Your credit balance is too low to access the API."),
        "quota",
    ),
    "deepseek: balance": (402, nested("Insufficient Balance"), "quota"),
    # too fast, whatever else they advise
    "openai: rate": (
        429,
        nested(
            "Rate limit reached for x in organization o on requests per min (RPM): Limit 3, Used 3,"
            " Requested 1. Please try again in 20s. You can increase your rate limit by adding a"
            " payment method at /account/billing.",
            code="rate_limit_exceeded",
        ),
        "rate_limited",
    ),
    "groq: rate": (
        429,
        nested(
            "Rate limit reached for model `x` on tokens per minute (TPM): Limit 6000, Used 5800,"
            " Requested 900. Please try again in 7.66s. Need more tokens? Upgrade at /billing",
            type="tokens",
            code="rate_limit_exceeded",
        ),
        "rate_limited",
    ),
    "cerebras: rate": (
        429,
        flat(
            "Requests per minute limit exceeded - too many requests sent.",
            type="too_many_requests_error",
            param="quota",
            code="request_quota_exceeded",
        ),
        "rate_limited",
    ),
    "openrouter: rate": (
        429,
        nested("Rate limit exceeded: free-models-per-day. Add 10 credits to unlock 1000", code=429),
        "rate_limited",
    ),
    "gemini: rate": (
        429,
        "["
        + nested(
            "You exceeded your current quota, check your billing details. Please retry in 32.1s."
        )
        + "]",
        "rate_limited",
    ),
    # busy or broken
    "llama.cpp: loading": (503, nested("Loading model", code=503), "overloaded"),
    "groq: flex": (498, nested("Flex tier capacity exceeded"), "overloaded"),
    "ollama: its own time-out": (500, nested("context deadline exceeded"), "upstream_error"),
    "ollama: runner": (500, nested("llama runner process has terminated"), "upstream_error"),
    "a gateway": (504, "<html>gateway time-out</html>", "overloaded"),
    # what the request itself holds
    "openai: answer": (
        400,
        nested(
            "max_tokens is too large: 50000. This model supports at most 16384 completion tokens."
        ),
        "bad_request",
    ),
    "groq: answer": (
        400,
        nested("`max_tokens` must be less than or equal to `8192`, the maximum for this model"),
        "bad_request",
    ),
    "vllm: answer and prompt": (
        400,
        flat("'max_tokens' is too large: 8192. This model's maximum context length is 4096 tokens"),
        "too_large",
    ),
    "vllm: role": (400, flat("Unexpected message role.", code=400), "bad_request"),
    "mistral: field": (
        422,
        '{"detail":[{"loc":["body","x"],"msg":"Extra inputs"}]}',
        "bad_request",
    ),
}


@pytest.mark.parametrize("name", SAID)
def test_each_server_is_understood(name: str) -> None:
    status, body, code = SAID[name]
    failed = failures.from_status(ENDPOINT, status, body.encode(), {})
    assert failed.code == code
    assert failed.can_retry == (code in ("rate_limited", "overloaded", "upstream_error"))
    assert "secret" not in failed.message + failed.detail


INSIDE: dict[str, tuple[object, str]] = {
    "openai": ({"message": "The server had an error", "type": "server_error"}, "upstream_error"),
    "openai, rate": ({"message": "slow down", "code": "rate_limit_exceeded"}, "rate_limited"),
    "openrouter": ({"code": 502, "message": "Provider disconnected unexpectedly"}, "overloaded"),
    "vllm": ({"object": "error", "message": "boom", "code": 400}, "bad_request"),
    "llama.cpp": ({"error": {"code": 500, "message": "context size exceeded"}}, "too_large"),
    "lm studio, path": ({"error": "Unexpected endpoint or method. (POST /x)"}, "not_found"),
    "anthropic": ({"type": "overloaded_error", "message": "Overloaded"}, "overloaded"),
    "groq": ("over_capacity", "overloaded"),
    "deepseek": ({"code": "insufficient_system_resource"}, "overloaded"),
    "unknown": ("something else", "upstream_error"),
    "key": (
        {"error": {"message": "Invalid API key", "type": "authentication_error"}},
        "unauthorized",
    ),
}


@pytest.mark.parametrize("name", INSIDE)
def test_errors_inside_a_stream_are_understood(name: str) -> None:
    error, code = INSIDE[name]
    failed = failures.from_stream(ENDPOINT, error)
    assert failed.code == code
    assert failed.message.endswith(".")
    assert "HTTP 0" not in failed.message


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ('{"error":"Unexpected endpoint or method. (POST /x). Returning 200 anyway"}', "not_found"),
        ('{"message":"boom"}', "upstream_error"),
        ('{"detail":"Not authenticated","code":401}', "unauthorized"),
        ('{"choices":[{"message":{"content":"hi"}}]}', "not_a_stream"),
        ("<html>", "not_a_stream"),
        ("[" * 100_000, "not_a_stream"),
    ],
)
def test_a_200_that_is_no_stream(body: str, code: str) -> None:
    assert failures.not_a_stream(ENDPOINT, "application/json", body.encode()).code == code


def test_an_answer_limit_that_is_too_high_is_told_apart() -> None:
    status, body, _ = SAID["openai: answer"]
    failed = failures.from_status(ENDPOINT, status, body.encode(), {})
    assert "answers of 1024 tokens" in failed.message
    status, body, _ = SAID["vllm: role"]
    assert "answers of" not in failures.from_status(ENDPOINT, status, body.encode(), {}).message


def test_a_redirect_says_where_it_leads() -> None:
    headers = {"Location": "https://other.example/v1?key=sk-secret"}
    failed = failures.from_status(ENDPOINT, 308, b"", headers)
    assert failed.code == "redirected"
    assert failed.detail == "https://other.example/v1?key=[key]"
