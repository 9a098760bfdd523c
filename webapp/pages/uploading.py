"""Files that come into a session that exists, and that others may have open."""

from __future__ import annotations

from typing import cast

from asgiref.sync import async_to_sync
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from webapp.live.adding import Added, Adder, CannotAdd, Conflicts, Exists, add
from webapp.live.ownership import OwnedElsewhere
from webapp.live.ports import NotOpen
from webapp.notices.words import translated
from webapp.pages.answers import session_or_404, wants_json
from webapp.pages.receiving import takes_files, uploads
from webapp.pairing import access
from webapp.pairing import uploads as incoming
from webapp.pairing.models import Session
from webapp.pairing.uploads import Raw, Refused
from webapp.teams.models import User

_CONFLICTS: dict[str, Conflicts] = {"replace": "replace", "skip": "skip"}


def _too_much(request: HttpRequest) -> HttpResponse:
    message = gettext("That is more than 20 MB, or too many files. Nothing was added; send less.")
    return JsonResponse({"message": message}, status=413)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@takes_files(_too_much)
def upload(request: HttpRequest, slug: str) -> HttpResponse:
    """Ask for files; on POST, put them into the session, for everybody in it."""
    session, role = session_or_404(request, slug)
    if role < access.Role.EDIT:
        raise Http404
    if request.method != "POST":
        return _page(request, session)
    try:
        raws = [Raw(sent.path, sent.data) for sent in uploads(request, "files", "folder")]
        files = incoming.into_project(raws)
    except Refused as refused:
        return _refusal(request, session, translated(refused.sentence))
    user = cast(User, request.user)
    conflicts = _CONFLICTS.get(request.POST.get("conflicts", ""), "ask")
    try:
        outcome = _add(session.pk, Adder(user.pk, user.display_name), files, conflicts)
    except (OwnedElsewhere, NotOpen):
        message = gettext("The session is just moving. Nothing more was added; try again.")
        return _refusal(request, session, message, 503)
    if isinstance(outcome, CannotAdd):
        return _refusal(request, session, translated(outcome.message))
    if isinstance(outcome, Exists):
        message = gettext("Some of these files are there already. Choose what becomes of them.")
        return _refusal(request, session, message, 409, outcome.paths)
    if wants_json(request):
        return JsonResponse(_told(outcome))
    return redirect("session", slug)


_add = async_to_sync(add)


def _told(added: Added) -> dict[str, list[str]]:
    return {"added": added.added, "replaced": added.replaced, "skipped": added.skipped}


def _refusal(
    request: HttpRequest,
    session: Session,
    message: str,
    status: int = 422,
    paths: tuple[str, ...] = (),
) -> HttpResponse:
    if wants_json(request):
        return JsonResponse({"message": message, "exists": paths}, status=status)
    return _page(request, session, message, paths, status)


def _page(
    request: HttpRequest,
    session: Session,
    message: str = "",
    paths: tuple[str, ...] = (),
    status: int = 200,
) -> HttpResponse:
    context = {"target": session, "problem": message, "paths": paths}
    return render(request, "pages/import.html", context, status=status)
