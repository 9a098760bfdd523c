"""A session's past over HTTP, for who may see the session; and the copy that begins anew from it.

Reading the past may take a while, so it is done in a reader and not in the one thread that all
other pages share.
"""

from __future__ import annotations

from functools import partial

from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_POST

from webapp.live import reading
from webapp.pages.answers import wants_json
from webapp.pages.past import NoMoment, Past, Read
from webapp.pairing import access, create, history
from webapp.pairing.fork import fork as fork_session
from webapp.pairing.models import Session
from webapp.pairing.overview import Range
from webapp.pairing.texts import LoadError
from webapp.teams import access as teams
from webapp.teams.models import User

TITLE_CHARS = 120


async def answered(request: HttpRequest, slug: str, read: Read) -> HttpResponse:
    """Let `read` answer with the past that the person may see; a stranger finds nothing."""
    person = await request.auser()

    def answer() -> HttpResponse:
        session, _ = access.session_for(person, slug)
        return read(Past(session, Range(0, history.last_seq(session.pk)), session.pk))

    try:
        return await reading.read(answer)
    except access.NotFound:
        if not person.is_authenticated:
            return redirect_to_login(request.get_full_path(), settings.LOGIN_URL)
        raise Http404 from None


@require_POST
async def fork(request: HttpRequest, slug: str) -> HttpResponse:
    """Make a new session of the project as it was at a moment, and go there."""
    person = await request.auser()
    seq = request.POST.get("seq", "")
    pattern = gettext("Copy of %(title)s")
    try:
        session = await reading.read(partial(_forked, person, slug, seq, pattern))
    except (access.NotFound, teams.NotFound, NoMoment):
        if not person.is_authenticated:
            return redirect_to_login(reverse("session", args=[slug]), settings.LOGIN_URL)
        raise Http404 from None
    except LoadError:
        message = gettext("The log of this session could not be read. No copy was made.")
        return JsonResponse({"message": message}, status=503)
    address = reverse("session", args=[session.slug])
    if wants_json(request):
        return JsonResponse({"location": address}, status=201)
    return redirect(address)


def _forked(person: access.Person, slug: str, seq: str, pattern: str) -> Session:
    session, _ = access.session_for(person, slug)
    if not isinstance(person, User):
        raise access.NotFound
    teams.team_for(person, session.team_id)
    moment = whole(seq)
    if moment is None or moment > history.last_seq(session.pk):
        raise NoMoment
    create.sweep()
    title = (pattern % {"title": session.title})[:TITLE_CHARS]
    return fork_session(session, person, title, moment)


def whole(text: str) -> int | None:
    """Return a whole number from 0 as a form has it, or None."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 19 else None
