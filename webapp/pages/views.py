"""The list of sessions and the session page. For a stranger, a session is not there."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.utils.http import url_has_allowed_host_and_scheme, urlencode
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from webapp.live.endpoints import PREVIEW
from webapp.live.watching import ModelWatch
from webapp.notices.modelstatus import ModelStatus
from webapp.notices.words import translated
from webapp.pages import preview
from webapp.pages.answers import session_or_404
from webapp.pages.forms import TitleForm
from webapp.pages.offline import for_person
from webapp.pages.prompts import prompts_for
from webapp.pairing import access, shelf
from webapp.pairing.models import Session
from webapp.teams import access as teams
from webapp.teams.models import User

_PAGE_SIZE = 50


@never_cache
@login_required
@require_safe
def sessions(request: HttpRequest) -> HttpResponse:
    """List the person's sessions, last changed first."""
    user = cast(User, request.user)
    found = access.sessions_for(user).select_related("team", "created_by")
    page = Paginator(found, _PAGE_SIZE).get_page(request.GET.get("page"))
    roles = access.roles_by_team(user)
    context = {
        "page": page,
        "rows": [
            (session, access.may_delete(user, session, roles[session.team_id])) for session in page
        ],
        "teams": list(teams.teams_for(user)),
        "deleted": _just_deleted(user, request.GET.get("deleted", "")),
    }
    return for_person(request, render(request, "pages/sessions.html", context))


@never_cache
@login_required
@require_safe
def session_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show one session; everything live comes over its socket."""
    session, role = session_or_404(request, slug)
    status = ModelWatch({PREVIEW: settings.MODELS[PREVIEW]["status_file"]}).status(PREVIEW)
    context = {
        "session": session,
        "role": role,
        "may_edit": role >= access.Role.EDIT,
        "may_prompt": role >= access.Role.PROMPT,
        "prompts": prompts_for(session),
        # A narrow screen shows one pane. That of the turns explains itself while there are none.
        "pane": "code" if session.turns.exists() else "turns",
        "model": replace(status, message=translated(status.message)),
        "model_percent": _percent(status),
        "title_form": TitleForm(instance=session),
        "preview_version": preview.version(),
    }
    return for_person(request, render(request, "pages/session.html", context))


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def rename(request: HttpRequest, slug: str) -> HttpResponse:
    """Ask for a session's title; on POST, set it."""
    session, role = session_or_404(request, slug)
    if role < access.Role.EDIT:
        raise Http404
    following = _next(request)
    form = TitleForm(request.POST or None, instance=session)
    if request.method == "POST" and form.is_valid():
        shelf.rename(session, form.cleaned_data["title"])
        return redirect(following)
    context = {"session_slug": slug, "title_form": form, "next": following}
    return _sheet(request, "rename", context)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def delete(request: HttpRequest, slug: str) -> HttpResponse:
    """Ask whether to delete a session; on POST, delete it and offer to undo that."""
    session, role = session_or_404(request, slug)
    if not access.may_delete(request.user, session, role):
        raise Http404
    if request.method == "POST":
        shelf.delete(session)
        return redirect(f"{reverse('sessions')}?{urlencode({'deleted': slug})}")
    return _sheet(request, "delete", {"doomed": session})


@login_required
@require_POST
def restore(request: HttpRequest, slug: str) -> HttpResponse:
    """Undo a deletion."""
    try:
        session, role = access.deleted_session_for(request.user, slug)
    except access.NotFound:
        # Restored already, perhaps by the second click on the same button.
        session_or_404(request, slug)
        return redirect("sessions")
    if not access.may_delete(request.user, session, role):
        raise Http404
    shelf.restore(session)
    return redirect("sessions")


@require_safe
def favicon(request: HttpRequest) -> HttpResponse:
    """Point browsers that ask for the icon by its old name to the one in use."""
    return redirect(static("img/flint.svg"))


def _just_deleted(user: User, slug: str) -> Session | None:
    try:
        session, role = access.deleted_session_for(user, slug)
    except access.NotFound:
        return None
    return session if access.may_delete(user, session, role) else None


def _sheet(request: HttpRequest, name: str, context: dict[str, object]) -> HttpResponse:
    """Answer with the partial for htmx, else with the page around the same partial."""
    whole = request.headers.get("HX-Request") != "true"
    status = 422 if request.method == "POST" else 200
    template = f"pages/{name}.html" if whole else f"pages/_{name}.html"
    response = render(request, template, context, status=status)
    patch_vary_headers(response, ("HX-Request",))
    return response


def _next(request: HttpRequest) -> str:
    """Return where to go after a form: inside this installation, else the list."""
    wanted = request.POST.get("next") or request.GET.get("next") or ""
    safe = url_has_allowed_host_and_scheme(
        wanted, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return wanted if safe else reverse("sessions")


def _percent(status: ModelStatus) -> int:
    if status.total_bytes <= 0:
        return 0
    return min(100, status.done_bytes * 100 // status.total_bytes)
