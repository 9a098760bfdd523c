"""Adding and changing a model, and testing what is typed before it is saved.

What a test found (a context window, another base URL) is taken over by a button `take_<field>` of
the same form: htmx gets the one field, others the form with everything typed but the key.
"""

from __future__ import annotations

from typing import Any, Final, cast
from urllib.parse import urlsplit

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils.translation import gettext
from django.views.decorators.debug import sensitive_post_parameters

from webapp.dashboard.forms import EndpointForm
from webapp.dashboard.probing import KEY_LOST, Tested, try_out
from webapp.dashboard.shell import for_managers, is_htmx, shown
from webapp.dashboard.views import PAGE, announced
from webapp.engine.providers.presets import PRESETS, Preset
from webapp.engine.providers.presets import preset as preset_for
from webapp.live.endpoints import reach
from webapp.notices.words import translated
from webapp.teams import endpoints, secrets
from webapp.teams.endpoints import Full
from webapp.teams.models import Endpoint, Team, User

_TAKEN: Final = ("context_window", "base_url")
_KEPT_FIELDS: Final = (
    *("label", "tier", "base_url", "model", "edit_format", "context_window", "max_output"),
    *("is_small", "is_default"),
)


@sensitive_post_parameters("key")
@for_managers("GET", "POST")
def add(request: HttpRequest, team: Team) -> HttpResponse:
    """Let a person choose a preset, then fill in the form; on POST, add the model."""
    chosen = request.POST.get("preset") or request.GET.get("preset") or ""
    preset = preset_for(chosen)
    if request.method != "POST":
        if preset.id != chosen:
            return shown(request, team, PAGE, "dashboard/presets.html", {"groups": _groups()})
        form = EndpointForm(team=team, preset=preset, initial=_initial(request, preset))
        return _show_form(request, team, form)
    form = EndpointForm(request.POST, team=team, preset=preset)
    if form.is_valid():
        try:
            with announced(team):
                added = endpoints.add(
                    cast(User, request.user), team.pk, form.draft(), form.new_key() or ""
                )
        except secrets.CannotSeal as error:
            form.add_error("key", translated(error.args[0]))
        else:
            if not isinstance(added, Full):
                text = gettext("“%(name)s” was added. Open sessions can choose it now.")
                messages.success(request, text % {"name": added.label})
                return redirect(PAGE, team.pk)
            text = gettext("A team has at most %(most)s models. Delete one that nobody uses.")
            form.add_error(None, text % {"most": endpoints.MOST})
    return _show_form(request, team, form, status=422)


@sensitive_post_parameters("key")
@for_managers("GET", "POST")
def change(request: HttpRequest, team: Team, model: str) -> HttpResponse:
    """Show a model's form; on POST, change it."""
    row = endpoints.endpoint_for(request.user, team.pk, model)
    preset = preset_for(row.preset)
    if request.method != "POST":
        initial = {name: getattr(row, name) for name in _KEPT_FIELDS}
        form = EndpointForm(team=team, row=row, preset=preset, initial=initial)
        return _show_form(request, team, form)
    form = EndpointForm(request.POST, team=team, row=row, preset=preset)
    if form.is_valid():
        try:
            with announced(team):
                endpoints.change(request.user, team.pk, model, form.draft(), form.new_key())
        except secrets.CannotSeal as error:
            form.add_error("key", translated(error.args[0]))
        else:
            text = gettext("“%(name)s” was saved. Open sessions have the change already.")
            messages.success(request, text % {"name": form.cleaned_data["label"]})
            return redirect(PAGE, team.pk)
    return _show_form(request, team, form, status=422)


@sensitive_post_parameters("key")
@for_managers("POST")
def try_new(request: HttpRequest, team: Team) -> HttpResponse:
    """Test what is typed of a new model; nothing is saved."""
    preset = preset_for(request.POST.get("preset", ""))
    return _try(request, team, EndpointForm(_typed(request), team=team, preset=preset))


@sensitive_post_parameters("key")
@for_managers("POST")
def try_changed(request: HttpRequest, team: Team, model: str) -> HttpResponse:
    """Test a model as it is typed, with the key that is kept unless another is typed."""
    row = endpoints.endpoint_for(request.user, team.pk, model)
    form = EndpointForm(_typed(request), team=team, row=row, preset=preset_for(row.preset))
    return _try(request, team, form)


def _try(request: HttpRequest, team: Team, form: EndpointForm) -> HttpResponse:
    """Answer with what a test finds, or with what an earlier one found taken over."""
    for name in _TAKEN:
        if f"take_{name}" in request.POST:
            if is_htmx(request):
                return shown(request, team, PAGE, "_field.html", {"field": form[name]})
            return _show_form(request, team, form)
    tested = _tested(team, form)
    if is_htmx(request):
        context = {"tested": tested, "row": form.row}
        return shown(request, team, PAGE, "dashboard/_tried.html", context)
    return _show_form(request, team, form, tested)


def _tested(team: Team, form: EndpointForm) -> Tested:
    form.is_valid()
    wrong = [*form.errors.get("base_url", []), *form.errors.get("key", [])]
    if wrong:
        return Tested(str(wrong[0]), refused=True)
    key = form.new_key()
    if key is None and form.row is not None:
        key = endpoints.key_of(form.row)
    if key is None:
        return Tested(translated(KEY_LOST), refused=True)
    values = form.cleaned_data
    row = Endpoint(
        team=team,
        label=values.get("label") or urlsplit(values["base_url"]).netloc,
        base_url=values["base_url"],
        model=values.get("model", ""),
        edit_format=values.get("edit_format", Endpoint.Format.BLOCKS),
        context_window=values.get("context_window") or 0,
        max_output=values.get("max_output") or 0,
    )
    return try_out(team, row, key)[0]


def _typed(request: HttpRequest) -> QueryDict:
    """Return the form's values, with what the person took over of a test."""
    values = request.POST.copy()
    for name in _TAKEN:
        if f"take_{name}" in request.POST:
            values[name] = request.POST[f"take_{name}"]
    return values


def _show_form(
    request: HttpRequest,
    team: Team,
    form: EndpointForm,
    tested: Tested | None = None,
    status: int = 200,
) -> HttpResponse:
    context = {
        "form": form,
        "row": form.row,
        "preset": form.preset,
        "hint": translated(form.preset.hint),
        "tested": tested,
    }
    return shown(request, team, PAGE, "dashboard/edit_model.html", context, status)


def _initial(request: HttpRequest, preset: Preset) -> dict[str, Any]:
    """Return what a new form begins with: the preset, and what was found to run here."""
    start = {
        "tier": Endpoint.Tier.PREVIEW,
        "is_default": True,
        "label": preset.label,
        "base_url": preset.base_url,
        "model": preset.model,
        "edit_format": preset.edit_format,
        "context_window": preset.context_window,
        "max_output": preset.max_output,
        "is_small": preset.small,
    }
    given = {name: request.GET[name] for name in ("base_url", "model") if request.GET.get(name)}
    return start | given


def _groups() -> list[tuple[str, list[tuple[Preset, str]]]]:
    """Return the presets with their hints; those of one's own machines only where they may be."""
    here = reach()
    hosted = [each for each in PRESETS if not each.is_local and each.label]
    local = [each for each in PRESETS if each.is_local]
    other = [each for each in PRESETS if not each.label]
    groups = [(gettext("Hosted"), hosted)]
    if here.loopback or here.hosts:
        groups.append((gettext("On your own machines"), local))
    groups.append((gettext("Something else"), other))
    return [
        (title, [(preset, translated(preset.hint)) for preset in presets])
        for title, presets in groups
    ]
