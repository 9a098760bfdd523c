"""What the Models page shows: for each tier its own model first, then those of the team."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from webapp.engine.providers.discover import Found
from webapp.engine.providers.presets import preset
from webapp.live.endpoints import PREVIEW, STANDARD, TIERS, Choice, pick
from webapp.live.watching import ModelWatch
from webapp.notices.modelstatus import ModelStatus
from webapp.notices.words import translated
from webapp.teams import endpoints
from webapp.teams.models import Endpoint

_TITLES: Final[dict[str, str | Promise]] = {
    PREVIEW: pgettext_lazy("tier", "Preview"),
    STANDARD: pgettext_lazy("tier", "Standard"),
}
_ABOUT: Final[dict[str, str | Promise]] = {
    PREVIEW: _("The fast tier. Prompts go here unless somebody chooses otherwise."),
    STANDARD: _("The deeper tier, for what a fast model gets wrong."),
}
_STATES: Final[dict[str, str | Promise]] = {
    "ready": _("Ready"),
    "starting": _("Starting"),
    "offered": _("Not here yet. Choosing it in a session offers the download."),
    "paused": _("The download was stopped. It goes on where it was when somebody asks."),
    "unfit": _("This machine is too small for it."),
    "failed": _("It does not run."),
}


@dataclass(frozen=True, slots=True)
class Row:
    """One of the team's models."""

    endpoint: Endpoint
    key_is_lost: bool
    is_default: bool
    problem: str


@dataclass(frozen=True, slots=True)
class Own:
    """The installation's own model of a tier, and how far it is."""

    name: str
    choice: Choice | None
    status: ModelStatus
    is_embedded: bool
    """Whether it came with Flint; else the operator named a server."""
    is_default: bool

    @property
    def words(self) -> str:
        """How far it is, as a sentence."""
        status = self.status
        if status.state == "downloading" and status.total_bytes:
            percent = min(100, status.done_bytes * 100 // status.total_bytes)
            return gettext("Downloading, %(percent)s%% so far") % {"percent": percent}
        return translated(status.message) or str(_STATES.get(status.state, status.state))


@dataclass(frozen=True, slots=True)
class Tier:
    """One tier with all of its models."""

    id: str
    title: str
    about: str
    own: Own | None
    rows: tuple[Row, ...]


def row_of(endpoint: Endpoint, choices: Iterable[Choice]) -> Row:
    """Return a row as it is shown; `choices` are what the team's sessions may ask."""
    mine = next((choice for choice in choices if choice.id == endpoint.pk), None)
    # No choice is what has lost its key.
    is_default = mine is not None and mine.is_default
    return Row(endpoint, mine is None, is_default, endpoints.problem_of(endpoint))


def tiers(rows: Sequence[Endpoint], choices: Sequence[Choice]) -> list[Tier]:
    """Return every tier with its own model and these of the team's."""
    watch = ModelWatch({tier: settings.MODELS[tier]["status_file"] for tier in TIERS})
    return [
        Tier(
            tier,
            str(_TITLES[tier]),
            str(_ABOUT[tier]),
            _own(pick(choices, tier, tier), watch.status(tier)),
            tuple(row_of(row, choices) for row in rows if row.tier == tier),
        )
        for tier in TIERS
    ]


def not_yet_added(servers: Iterable[Found], choices: Iterable[Choice]) -> list[tuple[str, Found]]:
    """Return the servers that nothing of the choices is asked at, each with its name."""
    known = {_here(choice.endpoint.base_url) for choice in choices}
    return [
        (preset(server.preset).label, server)
        for server in servers
        if _here(server.base_url) not in known
    ]


def _here(base_url: str) -> str:
    return endpoints.origin_of(base_url).replace("//localhost:", "//127.0.0.1:")


def _own(choice: Choice | None, status: ModelStatus) -> Own | None:
    if choice is None and status.state == "missing":
        return None
    name = status.name or (choice.label if choice else "")
    is_embedded = settings.MODELS[status.tier]["status_file"].exists()  # nobody else writes it
    return Own(name, choice, status, is_embedded, choice is not None and choice.is_default)
