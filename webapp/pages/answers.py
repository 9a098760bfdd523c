"""What the pages about files answer with: to a script as JSON, to a form as a page."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from functools import partial

from django.core.handlers.asgi import ASGIRequest
from django.http import Http404, HttpRequest, StreamingHttpResponse
from django.utils.http import content_disposition_header
from django.utils.text import slugify

from webapp.live import reading
from webapp.pairing import access
from webapp.pairing.models import Session


def session_or_404(request: HttpRequest, slug: str) -> tuple[Session, access.Role]:
    """Return the session and the person's role in it; for a stranger it is not there."""
    try:
        return access.session_for(request.user, slug)
    except access.NotFound:
        raise Http404 from None


def wants_json(request: HttpRequest) -> bool:
    """Say whether a script of ours asks."""
    return request.headers.get("Accept", "") == "application/json"


def streamed(
    request: HttpRequest, parts: Iterator[bytes], content_type: str, name: str
) -> StreamingHttpResponse:
    """Answer with a file that is made while it is sent.

    Django would collect an ordinary iterator whole before it sends the first byte.
    """
    body = _in_reader(parts) if isinstance(request, ASGIRequest) else parts
    response = StreamingHttpResponse(body, content_type=content_type)
    disposition = content_disposition_header(True, name)
    if disposition:
        response["Content-Disposition"] = disposition
    response["X-Content-Type-Options"] = "nosniff"
    return response


async def _in_reader(parts: Iterator[bytes]) -> AsyncIterator[bytes]:
    following = partial(next, parts, None)
    while (part := await reading.read(following)) is not None:
        yield part


def file_name(title: str) -> str:
    """Return a session's title as a name for a file or a folder, on any system."""
    return slugify(title, allow_unicode=True)[:80].strip("-_") or "project"
