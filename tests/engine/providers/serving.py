"""A small HTTP server on loopback that answers what a table says, and certificates for it."""

import contextlib
import datetime
import ipaddress
import json
import ssl
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

from aiohttp import web
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

Answer = Any
"""A JSON value, an event stream as bytes, or (status, value)."""


class Served:
    """What a running server is asked: `url` is its origin, `asked` are (request line, headers)."""

    def __init__(self) -> None:
        self.url = ""
        self.asked: list[tuple[str, Mapping[str, str]]] = []

    @property
    def lines(self) -> list[str]:
        return [line for line, _ in self.asked]


@contextlib.asynccontextmanager
async def serving(
    answers: Mapping[str, Answer], secure: ssl.SSLContext | None = None
) -> AsyncIterator[Served]:
    """Answer each "METHOD /path" of the table, everything else with 404."""
    served = Served()

    async def answer(request: web.Request) -> web.StreamResponse:
        line = f"{request.method} {request.path}"
        served.asked.append((line, request.headers))
        given = answers.get(line, (404, {"error": {"message": "nothing here"}}))
        status, value = given if isinstance(given, tuple) else (200, given)
        if isinstance(value, bytes):
            kind = "text/html" if value.startswith(b"<") else "text/event-stream"
            return web.Response(status=status, body=value, content_type=kind)
        return web.json_response(value, status=status)

    app = web.Application()
    app.router.add_route("*", "/{path:.*}", answer)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0, ssl_context=secure)
    await site.start()
    host, port = runner.addresses[0][:2]
    served.url = f"{'https' if secure else 'http'}://{host}:{port}"
    try:
        yield served
    finally:
        await runner.cleanup()


def stream_of(*pieces: str, finish: str = "stop") -> bytes:
    """Return an event stream that says these pieces."""
    chunks: list[dict[str, Any]] = [{"choices": [{"delta": {"content": p}}]} for p in pieces]
    chunks.append({"choices": [{"delta": {}, "finish_reason": finish}]})
    lines = [f"data: {json.dumps(chunk)}\n\n" for chunk in chunks]
    return "".join([*lines, "data: [DONE]\n\n"]).encode()


class Authority:
    """Makes certificates, each signed by itself or by this authority."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._cert = self._sign("Test authority", self._key, None, -1, 1, is_authority=True)

    def trusted(self) -> ssl.SSLContext:
        """Return what a client needs that trusts this authority."""
        context = ssl.create_default_context()
        pem = self._cert.public_bytes(serialization.Encoding.PEM).decode()
        context.load_verify_locations(cadata=pem)
        return context

    def server(
        self,
        host: str = "127.0.0.1",
        *,
        begins_days: int = -1,
        ends_days: int = 1,
        self_signed: bool = False,
    ) -> ssl.SSLContext:
        """Return what a server needs that shows a certificate for `host`."""
        key = ec.generate_private_key(ec.SECP256R1())
        cert = self._sign(host, key, host, begins_days, ends_days, self_signed=self_signed)
        path = self._folder / f"{host}{begins_days}{ends_days}{self_signed}.pem"
        path.write_bytes(
            key.private_bytes(
                serialization.Encoding.PEM,
                serialization.PrivateFormat.PKCS8,
                serialization.NoEncryption(),
            )
            + cert.public_bytes(serialization.Encoding.PEM)
        )
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(path)
        return context

    def _sign(
        self,
        name: str,
        key: ec.EllipticCurvePrivateKey,
        host: str | None,
        begins_days: int,
        ends_days: int,
        *,
        is_authority: bool = False,
        self_signed: bool = False,
    ) -> x509.Certificate:
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        by_itself = is_authority or self_signed
        now = datetime.datetime.now(datetime.UTC)
        builder = (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(subject if by_itself else self._cert.subject)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now + datetime.timedelta(days=begins_days))
            .not_valid_after(now + datetime.timedelta(days=ends_days))
            .add_extension(x509.BasicConstraints(is_authority, None), critical=True)
        )
        if host is not None:
            with contextlib.suppress(ValueError):
                names = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address(host))])
                return builder.add_extension(names, critical=False).sign(
                    key if by_itself else self._key, hashes.SHA256()
                )
            names = x509.SubjectAlternativeName([x509.DNSName(host)])
            builder = builder.add_extension(names, critical=False)
        return builder.sign(key if by_itself else self._key, hashes.SHA256())
