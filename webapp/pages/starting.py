"""Where a session starts: the example, nothing, pasted text, files, a folder or a zip."""

from __future__ import annotations

from typing import cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from webapp.notices.words import translated
from webapp.pages.answers import wants_json
from webapp.pages.receiving import Upload, takes_files, uploads
from webapp.pairing import create, example, staging
from webapp.pairing import uploads as incoming
from webapp.pairing.create import create_session, import_session
from webapp.pairing.models import Session
from webapp.pairing.uploads import Bundle, Raw, Refused
from webapp.teams import access as teams
from webapp.teams.models import Team, User
from webapp.teams.names import visible

TITLE_CHARS = 120


def _too_much(request: HttpRequest) -> HttpResponse:
    return _refusal(request, gettext("That is more than 20 MB, or too many files. Send less."), 413)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@takes_files(_too_much)
def new_session(request: HttpRequest) -> HttpResponse:
    """Show the ways a session may start; on POST, start it one way and go there."""
    user = cast(User, request.user)
    if request.method != "POST":
        return _page(request)
    try:
        team, _ = teams.team_for(user, request.POST.get("team", ""))
    except teams.NotFound:
        raise Http404 from None
    try:
        session, skipped = _start(request, team, user)
    except Refused as refused:
        return _refusal(request, translated(refused.sentence))
    address = reverse("session", args=[session.slug])
    if skipped:
        messages.info(request, _note(skipped))
    if wants_json(request):
        return JsonResponse({"location": address}, status=201)
    return redirect(address)


def _start(request: HttpRequest, team: Team, user: User) -> tuple[Session, int]:
    """Return the new session, and how many files were left out; raises Refused."""
    way = request.POST.get("from", "")
    if way == "example":
        return create_session(team, user, gettext("Example"), example.files()), 0
    if way == "text":
        bundle, name = _pasted(request)
    elif way == "files":
        bundle, name = _uploaded(uploads(request, "files", "folder"))
    else:
        return create_session(team, user, _title(request, ""), {}), 0
    create.sweep()
    staging.sweep()
    return import_session(team, user, _title(request, name), bundle.files), bundle.skipped


def _pasted(request: HttpRequest) -> tuple[Bundle, str]:
    # A browser sends every line end of a field as CRLF.
    text = request.POST.get("text", "").replace("\r\n", "\n")
    path = request.POST.get("path", "").strip() or incoming.guessed_name(text)
    bundle = incoming.from_text(path, text)
    return bundle, bundle.files[0].path.rpartition("/")[2]


def _uploaded(sent: list[Upload]) -> tuple[Bundle, str]:
    if len(sent) == 1 and sent[0].path.casefold().endswith(".zip"):
        bundle = incoming.from_zip(sent[0].window)
        return bundle, sent[0].path.rpartition("/")[2][: -len(".zip")]
    bundle = incoming.from_files([Raw(upload.path, upload.data) for upload in sent])
    first = bundle.files[0].path.rpartition("/")[2]
    return bundle, bundle.folder or (first if len(bundle.files) == 1 else "")


def _title(request: HttpRequest, fallback: str) -> str:
    """Return the title that was typed, else one from what came, else the usual one."""
    for wanted in (request.POST.get("title", ""), fallback):
        title = wanted.strip()[:TITLE_CHARS]
        try:
            if title and visible(title):
                return title
        except ValidationError:
            continue
    return gettext("Untitled")


def _note(skipped: int) -> str:
    return ngettext(
        "%(count)s file that a system had left there for itself was left out.",
        "%(count)s files that a system had left there for itself were left out.",
        skipped,
    ) % {"count": skipped}


def _refusal(request: HttpRequest, message: str, status: int = 422) -> HttpResponse:
    if wants_json(request):
        return JsonResponse({"message": message}, status=status)
    return _page(request, message, status)


def _page(request: HttpRequest, message: str = "", status: int = 200) -> HttpResponse:
    # Reading the form again would only find again that it is too large.
    form = request.POST if status in (200, 422) else {}
    context = {
        "teams": list(teams.teams_for(request.user)),
        "problem": message,
        "team": form.get("team", ""),
        "title": form.get("title", ""),
        "text": form.get("text", ""),
        "path": form.get("path", ""),
    }
    return render(request, "pages/new.html", context, status=status)
