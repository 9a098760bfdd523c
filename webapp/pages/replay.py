"""Replays: links into a session's past for people who need no account, and what such a link shows.

A link is `/replay#<secret>`: what stands behind # is sent nowhere until a button posts it, so it is
in no log and no preview uses it up. Whoever posts it gets a cookie that is signed, that no script
reads, and that the browser sends to this one replay's addresses alone; each answer looks at the row
again. A link that is unknown, expired or revoked shows one and the same page.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

from allauth.core import ratelimit
from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.core import signing
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from webapp.lib.ids import is_id
from webapp.live import reading
from webapp.pages.answers import session_or_404
from webapp.pages.history import whole
from webapp.pages.past import Past, Read
from webapp.pairing import access, history, replays
from webapp.pairing.models import ReplayLink, Session
from webapp.pairing.overview import Range
from webapp.teams.models import User
from webapp.teams.names import visible

LABEL_CHARS: Final = 120
DAYS: Final = (1, 7, 30, 365)
READER_S: Final = 24 * 3600
"""How long a reader's cookie lasts; the link opens the replay again."""
_SALT: Final = "replay"


# For whoever may share the session


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def links(request: HttpRequest, slug: str) -> HttpResponse:
    """List the replays that were shared; on POST, share one, and tell its link this once."""
    session, role = session_or_404(request, slug)
    try:
        found = access.replays_of(session, role)
    except access.NotFound:
        raise Http404 from None
    if request.method != "POST":
        return JsonResponse({"list": [_told(link) for link in found]})
    return _share(request, session)


def _share(request: HttpRequest, session: Session) -> HttpResponse:
    first, last = whole(request.POST.get("from", "")), whole(request.POST.get("to", ""))
    if first is None or last is None or not first <= last <= history.last_seq(session.pk):
        return _refusal(gettext("There is no such moment in this session. Nothing was shared."))
    days = request.POST.get("days", "")
    if days and whole(days) not in DAYS:
        return _refusal(gettext("Choose how long the link is to work. Nothing was shared."))
    label = request.POST.get("label", "").strip()[:LABEL_CHARS]
    try:
        visible(label)
    except ValidationError as problem:
        return _refusal(str(problem.message))
    user = request.user
    if not isinstance(user, User):
        raise Http404
    link, secret = replays.create(session, user, label, first, last, whole(days))
    address = request.build_absolute_uri(reverse("replay"))
    return JsonResponse({**_told(link), "link": f"{address}#{secret}"}, status=201)


def _refusal(message: str) -> HttpResponse:
    return JsonResponse({"message": message}, status=422)


def _told(link: ReplayLink) -> dict[str, object]:
    return {
        "id": link.pk,
        "label": link.label,
        "from": link.from_seq,
        "to": link.to_seq,
        "by": link.created_by.display_name if link.created_by else "",
        "created": _iso(link.created_at),
        "expires": _iso(link.expires_at),
    }


def _iso(at: datetime | None) -> str | None:
    return at.isoformat() if at else None


@login_required
@require_POST
def revoke(request: HttpRequest, slug: str, replay: str) -> HttpResponse:
    """Let a link work no more; one that does not already is as good as revoked."""
    session, role = session_or_404(request, slug)
    try:
        link = access.replays_of(session, role).filter(pk=_id(replay)).first()
    except access.NotFound:
        raise Http404 from None
    if link is not None:
        replays.revoke(link)
    return JsonResponse({"id": replay})


def _id(text: str) -> str:
    if not is_id(text):
        raise Http404
    return text


# For whoever has a link


@never_cache
@sensitive_post_parameters("secret")
@require_http_methods(["GET", "HEAD", "POST"])
def landing(request: HttpRequest) -> HttpResponse:
    """Show the button that opens a replay; on POST, open the one that the secret is for."""
    if request.method != "POST":
        return render(request, "pages/replay_link.html")
    too_often: HttpResponse | None = ratelimit.consume_or_429(request, action="login")
    if too_often is not None:
        return too_often
    try:
        link = access.replay_for_secret(request.POST.get("secret", ""))
    except access.NotFound:
        return _gone(request)
    response = redirect("replay_page", link.pk)
    response.set_signed_cookie(
        _cookie(link.pk),
        link.pk,
        salt=_SALT,
        max_age=READER_S,
        path=reverse("replay_page", args=[link.pk]),
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
    return response


def _cookie(replay: str) -> str:
    return f"flint_replay_{settings.PORT}_{replay}"


def _gone(request: HttpRequest) -> HttpResponse:
    return render(request, "pages/replay_gone.html", status=404)


def _opened(request: HttpRequest, replay: str) -> ReplayLink:
    """Return the replay, if this browser opened it and its link still works; raises NotFound."""
    if not is_id(replay):
        raise access.NotFound
    try:
        held = request.get_signed_cookie(_cookie(replay), salt=_SALT, max_age=READER_S)
    except (KeyError, signing.BadSignature):
        raise access.NotFound from None
    if held != replay:
        raise access.NotFound
    return access.replay_for_reader(replay)


@never_cache
@require_safe
def page(request: HttpRequest, replay: str) -> HttpResponse:
    """Show the replay."""
    try:
        link = _opened(request, replay)
    except access.NotFound:
        return _gone(request)
    return render(request, "pages/replay.html", {"replay": link, "title": link.session.title})


async def answered(request: HttpRequest, replay: str, read: Read) -> HttpResponse:
    """Let `read` answer with the part of the past that the link is for."""

    def answer() -> HttpResponse:
        link = _opened(request, replay)
        return read(Past(link.session, Range(link.from_seq, link.to_seq), link.pk))

    try:
        return await reading.read(answer)
    except access.NotFound:
        message = gettext("This replay is not shared any more.")
        response = JsonResponse({"message": message}, status=404)
        response["Cache-Control"] = "no-store"
        return response
