"""A session's files on their way out: the choice, the zip, the patch. Whoever may see may take."""

from __future__ import annotations

from urllib.parse import quote

from django.contrib.auth.decorators import login_required
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.utils.cache import patch_vary_headers
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from webapp.pages.answers import file_name, session_or_404, streamed
from webapp.pairing import export
from webapp.pairing.models import Checkpoint, Session

MOST_CHECKPOINTS = 100
SHOWN_RECODED = 20


@never_cache
@login_required
@require_safe
def choose(request: HttpRequest, slug: str) -> HttpResponse:
    """Show what can be taken: the partial to a script that puts it into a dialog, else a page."""
    session, _ = session_or_404(request, slug)
    files = export.as_it_is(session)
    context = {
        "export": session,
        "count": len(files),
        "recoded": export.recoded(files)[:SHOWN_RECODED],
        "start": _checkpoints(session).filter(turn=None).order_by("seq").first(),
        "checkpoints": _checkpoints(session).exclude(turn=None)[:MOST_CHECKPOINTS],
    }
    whole = request.headers.get("HX-Request") != "true"
    response = render(request, f"pages/{'' if whole else '_'}download.html", context)
    patch_vary_headers(response, ("HX-Request",))
    return response


@never_cache
@login_required
@require_safe
def download(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Send all files as a zip."""
    session, _ = session_or_404(request, slug)
    files = export.as_it_is(session)
    name = file_name(session.title)
    parts = export.zip_of(files, name, session.changed_at)
    response = streamed(request, parts, "application/zip", f"{name}.zip")
    recoded = export.recoded(files)[:SHOWN_RECODED]
    if recoded:
        response["Flint-Written-As-UTF-8"] = ", ".join(quote(path) for path in recoded)
    return response


@never_cache
@login_required
@require_safe
def patch(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Send what changed since a checkpoint as a patch."""
    session, _ = session_or_404(request, slug)
    wanted = request.GET.get("from", "")
    checkpoint = _checkpoints(session).filter(pk=wanted).first() if _is_id(wanted) else None
    if checkpoint is None:
        raise Http404
    parts = export.patch_of(export.as_it_was(checkpoint), export.as_it_is(session))
    return streamed(request, parts, "text/x-diff", f"{file_name(session.title)}.patch")


def _checkpoints(session: Session) -> QuerySet[Checkpoint]:
    found = Checkpoint.objects.filter(session=session).select_related("turn")
    return found.order_by("-seq", "-pk")


def _is_id(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 19
