"""The frame of a team's pages: who gets in, and which pages stand beside each other.

A page is a line in PAGES, an address of that name which takes the team, and a template that extends
`dashboard/base.html`. Whoever does not manage the team finds nothing at any of the addresses.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import wraps
from typing import Concatenate, Final, ParamSpec

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from webapp.teams.access import NotFound, managed_team_for, managed_teams_for
from webapp.teams.models import Team

P = ParamSpec("P")
TeamView = Callable[Concatenate[HttpRequest, Team, P], HttpResponse]


@dataclass(frozen=True, slots=True)
class Page:
    """One of the team's pages: the name of its address, and what it is called."""

    address: str
    title: str | Promise


PAGES: Final = (Page("team_models", _("Models")),)


def for_managers(*methods: str) -> Callable[[TeamView[P]], Callable[..., HttpResponse]]:
    """Let a view take the team itself; it is 404 for all but the team's owners and admins."""

    def decorate(view: TeamView[P]) -> Callable[..., HttpResponse]:
        @never_cache
        @login_required
        @require_http_methods([*methods, "HEAD"] if "GET" in methods else list(methods))
        @wraps(view)
        def guarded(
            request: HttpRequest, team: str, *args: P.args, **kwargs: P.kwargs
        ) -> HttpResponse:
            try:
                return view(request, managed_team_for(request.user, team), *args, **kwargs)
            except NotFound:
                raise Http404 from None

        return guarded

    return decorate


def shown(
    request: HttpRequest,
    team: Team,
    page: str,
    template: str,
    context: Mapping[str, object],
    status: int = 200,
    *,
    part: str = "",
) -> HttpResponse:
    """Return a page of the team; for htmx the template `part`, when there is one."""
    response = render(
        request,
        part if part and is_htmx(request) else template,
        {
            **context,
            "team": team,
            "here": page,
            "pages": PAGES,
            "managed_teams": list(managed_teams_for(request.user)),
        },
        status=status,
    )
    patch_vary_headers(response, ("HX-Request",))
    return response


def is_htmx(request: HttpRequest) -> bool:
    """Say whether htmx asks, which wants a part of the page."""
    return request.headers.get("HX-Request") == "true"
