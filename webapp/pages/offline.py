"""What a browser needs without the network: the service worker, and the page for when no other is.

The worker is one script at the root, so that it may answer for every page. In front of it stands a
line with what it is to keep: the names of all static files, and a version over them. So another
release is another script, which browsers notice by themselves. A page says in a header whom it is
for: what was kept for anybody else goes.

Turned down: a worker of several modules, which not every browser runs; a list of files kept by
hand; middleware that names the person on every page, of which only two are needed.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

PERSON = "Flint-Person"
"""Names, on a page, the person it is for."""

_WORKER = Path(settings.BASE_DIR) / "static" / "js" / "pages" / "worker.js"
_KEPT = {".js", ".css", ".svg", ".png", ".woff2"}


def for_person(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Name who this page is for: a browser keeps it for them, and nobody else's beside it."""
    if request.user.is_authenticated:
        response[PERSON] = str(request.user.pk)
    return response


@never_cache
@require_safe
def worker(_request: HttpRequest) -> HttpResponse:
    """Give the service worker, with the list of what it keeps."""
    script = _script() if _is_hashed() else _script.__wrapped__()
    response = HttpResponse(script, content_type="text/javascript; charset=utf-8")
    response["Service-Worker-Allowed"] = "/"
    return response


@require_safe
@never_cache
def offline(request: HttpRequest) -> HttpResponse:
    """Show what this browser keeps, which the page itself finds out.

    It is itself kept, to be shown in place of any page that cannot be had.
    """
    return render(request, "pages/offline.html")


@lru_cache(maxsize=1)
def _script() -> str:
    assets = dict(_assets())
    text = _WORKER.read_text(encoding="utf-8")
    version = hashlib.sha256(json.dumps([assets, text]).encode()).hexdigest()[:16]
    shell = {
        "version": version,
        "hashed": _is_hashed(),
        "root": settings.STATIC_URL,
        "assets": sorted(assets),
    }
    return f"globalThis.FLINT = {json.dumps(shell)};\n{text}"


def _is_hashed() -> bool:
    return hasattr(staticfiles_storage, "hashed_files")


def _assets() -> Iterator[tuple[str, str]]:
    """Yield the address of each static file and what tells one version of it from another."""
    if _is_hashed():
        # Their names tell.
        for name in getattr(staticfiles_storage, "hashed_files", {}):
            if _is_kept(name):
                yield staticfiles_storage.url(name), ""
        return
    root = Path(settings.BASE_DIR) / "static"
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root).as_posix()
        if path.is_file() and _is_kept(name):
            state = path.stat()
            yield staticfiles_storage.url(name), f"{state.st_mtime_ns} {state.st_size}"


def _is_kept(name: str) -> bool:
    return Path(name).suffix in _KEPT and not name.endswith(("/worker.js", ".d.ts"))
