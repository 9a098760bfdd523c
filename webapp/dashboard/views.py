"""The Models page: what the team's sessions may ask, tested, chosen, deleted and had back.

Every change bumps the access version of the team's sessions in the same transaction, so that open
pages hear of it within a second, and never of what was not saved.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import cast

from asgiref.sync import async_to_sync
from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext

from webapp.dashboard import listing
from webapp.dashboard.forms import MOST_WINDOW
from webapp.dashboard.probing import Tested, try_row
from webapp.dashboard.shell import for_managers, is_htmx, shown
from webapp.engine.ports import LEAST_WINDOW
from webapp.engine.providers.discover import discover
from webapp.live.endpoints import TIERS, choices_for, reach
from webapp.pairing.access import access_changed
from webapp.teams import endpoints
from webapp.teams.models import Endpoint, Team, User

PAGE = "team_models"


@contextmanager
def announced(team: Team) -> Iterator[None]:
    """Change models and tell open sessions of it, both or neither."""
    with transaction.atomic():
        yield
        access_changed(team)


@for_managers("GET")
def team(request: HttpRequest, team: Team) -> HttpResponse:
    """Go to the first of the team's pages."""
    return redirect(PAGE, team.pk)


@for_managers("GET")
def models(request: HttpRequest, team: Team) -> HttpResponse:
    """List the models by tier, the installation's own first."""
    person = cast(User, request.user)
    rows = endpoints.endpoints_for(person, team.pk)
    context = {
        "tiers": listing.tiers(rows, choices_for(team.pk)),
        "is_empty": not rows,
        "deleted": endpoints.removed_for(person, team.pk, request.GET.get("deleted", "")),
        "looks": reach().loopback,
    }
    return shown(request, team, PAGE, "dashboard/models.html", context)


@for_managers("GET")
def found(request: HttpRequest, team: Team) -> HttpResponse:
    """Offer the model servers that run on this machine, when it is nobody else's."""
    servers = async_to_sync(discover)() if reach().loopback else ()
    new = listing.not_yet_added(servers, choices_for(team.pk))
    return shown(
        request, team, PAGE, "dashboard/found.html", {"found": new}, part="dashboard/_found.html"
    )


@for_managers("POST")
def make_default(request: HttpRequest, team: Team, model: str) -> HttpResponse:
    """Let this model answer when a prompt of its tier names no other."""
    with announced(team):
        endpoints.make_default(request.user, team.pk, model)
    return redirect(PAGE, team.pk)


@for_managers("POST")
def give_back(request: HttpRequest, team: Team, tier: str) -> HttpResponse:
    """Let the installation's own model be the default of its tier again."""
    if tier not in TIERS:
        raise Http404
    with announced(team):
        endpoints.give_back(request.user, team.pk, tier)
    return redirect(PAGE, team.pk)


@for_managers("POST")
def test(request: HttpRequest, team: Team, model: str) -> HttpResponse:
    """Ask the model for a word, keep how that went, and show it."""
    row = endpoints.endpoint_for(request.user, team.pk, model)
    tested, problem = try_row(row)
    if not tested.refused:
        endpoints.note_test(row, problem)
        row.refresh_from_db(fields=["tested_at", "problem"])
    return _show_row(request, team, row, tested)


@for_managers("POST")
def window(request: HttpRequest, team: Team, model: str) -> HttpResponse:
    """Take over the context window that a test found."""
    try:
        tokens = int(request.POST.get("tokens", ""))
    except ValueError:
        return HttpResponseBadRequest()
    if not LEAST_WINDOW <= tokens <= MOST_WINDOW:
        return HttpResponseBadRequest()
    with announced(team):
        row = endpoints.set_window(request.user, team.pk, model, tokens)
    return _show_row(request, team, row)


@for_managers("GET", "POST")
def delete(request: HttpRequest, team: Team, model: str) -> HttpResponse:
    """Ask whether to delete a model; on POST, delete it and offer to undo that."""
    if request.method == "POST":
        with announced(team):
            endpoints.remove(request.user, team.pk, model)
        return redirect(f"{reverse(PAGE, args=[team.pk])}?{urlencode({'deleted': model})}")
    context = {"doomed": endpoints.endpoint_for(request.user, team.pk, model)}
    return shown(
        request,
        team,
        PAGE,
        "dashboard/delete_model.html",
        context,
        part="dashboard/_delete_model.html",
    )


@for_managers("POST")
def restore(request: HttpRequest, team: Team, model: str) -> HttpResponse:
    """Undo a deletion."""
    with announced(team):
        restored = endpoints.restore(request.user, team.pk, model)
    if restored is None and not team.endpoints.filter(pk=model).exists():
        messages.error(
            request, gettext("It is too late to undo that. Add the model again, with its key.")
        )
    return redirect(PAGE, team.pk)


def _show_row(
    request: HttpRequest, team: Team, row: Endpoint, tested: Tested | None = None
) -> HttpResponse:
    """Answer htmx with the row as it is now, and others with the list."""
    if is_htmx(request):
        context = {"row": listing.row_of(row, choices_for(team.pk)), "tested": tested}
        return shown(request, team, PAGE, "dashboard/_tested_model.html", context)
    if tested is not None:
        text = f"{row.label}: {tested.words}"
        (messages.error if tested.problem else messages.success)(request, text)
    return redirect(PAGE, team.pk)
