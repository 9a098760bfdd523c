"""What a person is told when an upstream fails."""

import ssl
from datetime import UTC, datetime
from types import SimpleNamespace

import aiohttp
import pytest

from webapp.engine.ports import Endpoint, FailureCode
from webapp.engine.providers import connecting, failures, waits
from webapp.lib import clock

ENDPOINT = Endpoint("https://models.example/v1", "sk-secret", "fast-1", "Models Inc", 8192, 1024)

STATUSES = [
    (401, '{"error":{"message":"Incorrect key sk-secret"}}', "unauthorized", "Check the key"),
    (403, "", "unauthorized", "Check the key"),
    (404, '{"error":{"message":"The model `x` does not exist"}}', "unknown_model", '"fast-1"'),
    (404, "<html>nginx</html>", "not_found", "https://models.example/v1"),
    (405, "", "not_found", "ends in /v1"),
    (402, '{"error":"Insufficient credits"}', "quota", "Add credit"),
    (429, '{"error":{"message":"x","code":"insufficient_quota"}}', "quota", "Add credit"),
    (429, '{"error":{"message":"Rate limit reached"}}', "rate_limited", "Try again"),
    (413, "", "too_large", "smaller part"),
    (400, '{"error":{"message":"exceeds the available context size"}}', "too_large", "smaller"),
    (400, '{"error":{"message":"bad role"}}', "bad_request", "HTTP 400"),
    (422, '{"detail":[{"msg":"field required"}]}', "bad_request", "HTTP 422"),
    (301, "", "redirected", "redirects to"),
    (500, '[{"error":{"message":"oops"}}]', "upstream_error", "HTTP 500"),
    (502, "<html>bad gateway</html>", "overloaded", "HTTP 502"),
    (503, '{"error":{"message":"Loading model"}}', "overloaded", "Try again"),
    (529, "", "overloaded", "Try again"),
]


@pytest.mark.parametrize(("status", "body", "code", "sentence"), STATUSES)
def test_statuses(status: int, body: str, code: str, sentence: str) -> None:
    failed = failures.from_status(ENDPOINT, status, body.encode(), {})
    assert failed.code == code
    assert sentence in failed.message
    assert failed.message.endswith(".")
    assert "sk-secret" not in failed.message + failed.detail
    assert "<" not in failed.detail
    assert failed.can_retry == (code in ("rate_limited", "overloaded", "upstream_error"))


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ('{"error":{"message":"m","type":"t","code":"c"}}', "m (c) (t)"),
        ('{"error":"m"}', "m"),
        ('{"message":"m"}', "m"),
        ('{"detail":[{"msg":"a"},{"msg":"b"}]}', "a; b"),
        ('{"error":{"code":"c"}}', "c"),
        ("plain words", "plain words"),
        ("<html>", ""),
        ("", ""),
        ("[" * 100_000, "[" * 299 + "…"),
    ],
)
def test_the_servers_words(body: str, words: str) -> None:
    assert failures.from_status(ENDPOINT, 500, body.encode(), {}).detail == words


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("3", 3.0),
        ("0.25", 0.25),
        ("-5", 0.0),
        ("9999999999", 86400.0),
        ("nan", None),
        ("soon", None),
        ("", None),
        (None, None),
        ("Thu, 01 Jan 2026 00:01:00 GMT", 60.0),
        ("Thu, 01 Jan 2026 00:01:00", None),
    ],
)
def test_retry_after(header: str | None, seconds: float | None) -> None:
    with clock.held(clock.HeldClock(datetime(2026, 1, 1, tzinfo=UTC))):
        assert waits.retry_after(header) == seconds


def test_a_wait_is_said_and_given() -> None:
    failed = failures.from_status(ENDPOINT, 429, b"", {"Retry-After": "7"})
    assert failed.retry_after_s == 7.0
    assert "wait 7 s" in failed.message


KEY = SimpleNamespace(host="models.example", port=443, ssl=True, is_ssl=True)

EXCEPTIONS = [
    (aiohttp.InvalidURL("x"), "bad_address", "https://host.example/v1"),
    (aiohttp.ClientConnectorDNSError(KEY, OSError(-2, "x")), "dns", "was not found"),  # type: ignore[arg-type] # only host, port and ssl are read
    (aiohttp.ClientConnectorError(KEY, ConnectionRefusedError()), "refused", "Start the model"),  # type: ignore[arg-type] # as above
    (aiohttp.ClientConnectorError(KEY, TimeoutError()), "connect_timeout", "in time"),  # type: ignore[arg-type] # as above
    (aiohttp.ClientConnectorError(KEY, OSError(113, "x")), "unreachable", "network"),  # type: ignore[arg-type] # as above
    (aiohttp.ClientConnectorSSLError(KEY, OSError(1, "x")), "tls", "certificate"),  # type: ignore[arg-type] # as above
    (aiohttp.ClientConnectorCertificateError(KEY, ssl.CertificateError()), "tls", "certificate"),  # type: ignore[arg-type] # as above
    (aiohttp.ConnectionTimeoutError(), "connect_timeout", "in time"),
    (aiohttp.ServerDisconnectedError(), "cut", "before it answered"),
    (ConnectionResetError(), "cut", "before it answered"),
]


@pytest.mark.parametrize(("error", "code", "sentence"), EXCEPTIONS)
def test_exceptions(error: Exception, code: str, sentence: str) -> None:
    failed = connecting.from_exception(ENDPOINT, error, answered=False)
    assert failed.code == code
    assert sentence in failed.message
    assert failed.can_retry == (code not in ("bad_address", "tls"))


def test_every_code_has_one_name() -> None:
    assert len({str(c) for c in FailureCode}) == len(FailureCode)
