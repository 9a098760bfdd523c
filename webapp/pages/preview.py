"""What the live preview needs of the server: an empty document for a page, and binary files.

The document is the outer wall. Its policy gives it an origin of its own that is nobody's, lets it
run scripts and load nothing: no connection, no form, no frame, no address but data. The session's
page frames it with the same sandbox, and by its own policy lets it go nowhere else.

Turned down: `srcdoc`, which inherits the session page's policy and so runs no script at all; a host
of its own, which somebody who runs Flint with one command does not have.
"""

from __future__ import annotations

import hashlib
from functools import cache

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.clickjacking import xframe_options_sameorigin
from django.views.decorators.http import require_safe

from webapp.pages.answers import session_or_404
from webapp.pairing.models import Blob
from webapp.pairing.texts import bytes_of

POLICY = "; ".join(
    (
        "sandbox allow-scripts allow-forms",
        "default-src 'none'",
        "script-src 'unsafe-inline' 'unsafe-eval' 'wasm-unsafe-eval' data: blob:",
        "style-src 'unsafe-inline' data: blob:",
        "img-src data: blob:",
        "font-src data: blob:",
        "media-src data: blob:",
        "worker-src blob: data:",
        "connect-src 'none'",
        "form-action 'none'",
        "frame-src 'none'",
        "base-uri 'none'",
        "frame-ancestors 'self'",
    )
)


@cache
def shell() -> str:
    """Return the document: the script that stands before every page of a project."""
    script = (settings.BASE_DIR / "static/js/preview/shell.js").read_text(encoding="utf-8")
    return f'<!doctype html><meta charset="utf-8"><script>{script}</script>'


@cache
def version() -> str:
    """Return what changes with the document, so that browsers may keep it for good."""
    return hashlib.sha256(shell().encode()).hexdigest()[:16]


@xframe_options_sameorigin
@cache_control(public=True, max_age=365 * 24 * 3600, immutable=True)
@require_safe
def frame(request: HttpRequest, version: str) -> HttpResponse:
    """Answer with the empty document; it holds nothing of anybody, so anybody may have it."""
    response = HttpResponse(shell())
    response["Content-Security-Policy"] = POLICY
    response["X-DNS-Prefetch-Control"] = "off"
    return response


@never_cache
@login_required
@require_safe
def binary(request: HttpRequest, slug: str, file: str) -> HttpResponse:
    """Answer with the bytes of a session's binary file, never as what a browser runs."""
    session, _ = session_or_404(request, slug)
    blob = Blob.objects.filter(file__session=session, file_id=file, file__deleted_seq=None).first()
    if blob is None:
        raise Http404
    response = HttpResponse(bytes_of(blob.file_id), content_type="application/octet-stream")
    response["Content-Disposition"] = "attachment"
    response["X-Content-Type-Options"] = "nosniff"
    return response
