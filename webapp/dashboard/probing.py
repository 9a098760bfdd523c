"""Testing a model: a few requests from this machine to where somebody says it is.

At most LIMIT tests a minute and team, since each opens connections; they are counted in the cache,
in windows that begin with the first test. A test sends the key to no other origin than the one it
was typed for.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from asgiref.sync import async_to_sync
from django.core.cache import cache
from django.utils.translation import gettext, ngettext

from webapp.engine.ports import LEAST_WINDOW
from webapp.engine.providers.probe import Probe, probe
from webapp.engine.providers.reach import check_url
from webapp.lib import clock
from webapp.lib.sentences import Sentence, gettext_noop
from webapp.live.endpoints import asked, reach
from webapp.notices.words import translated
from webapp.teams.endpoints import key_of
from webapp.teams.models import Endpoint, Team

LIMIT: Final = 10
WINDOW_S: Final = 60
SHOWN_MODELS: Final = 200
"""How many of the models that a server has are offered; a hub may have thousands."""

KEY_LOST: Final = Sentence(
    gettext_noop("The key that was kept cannot be decrypted any more. Enter it again.")
)


@dataclass(frozen=True, slots=True)
class Tested:
    """What a test found, in the reader's language."""

    problem: str = ""
    refused: bool = False
    """Whether nothing was asked, so that it says nothing of the model."""
    ttft_ms: int | None = None
    models: tuple[str, ...] = ()
    context_window: int | None = None
    """What the server says, when that is another than the one that is set."""
    base_url: str = ""
    """Where the same server does answer, when it does not at the address that was given."""

    @property
    def words(self) -> str:
        """The result as one sentence."""
        if self.problem:
            return self.problem
        if self.ttft_ms is None:
            return gettext("It answers.")
        return gettext("It answers: the first token came after %(ms)s ms.") % {"ms": self.ttft_ms}


def try_row(row: Endpoint) -> tuple[Tested, str]:
    """Test a row; return the result, and its problem as it is to be kept."""
    key = key_of(row)
    if key is None:
        return Tested(translated(KEY_LOST)), KEY_LOST
    return try_out(row.team, row, key)


def try_out(team: Team, row: Endpoint, key: str) -> tuple[Tested, str]:
    """Test a model that need not be saved, with this key."""
    closed = check_url(row.base_url, reach())
    if closed is not None:
        return Tested(translated(closed)), closed
    wait_s = _wait_s(team)
    if wait_s:
        text = ngettext(
            "Nothing was tested: %(limit)s tests a minute are enough. Try again in %(s)s second.",
            "Nothing was tested: %(limit)s tests a minute are enough. Try again in %(s)s seconds.",
            wait_s,
        )
        return Tested(text % {"limit": LIMIT, "s": wait_s}, refused=True), ""
    found: Probe = async_to_sync(probe)(asked(row, key))
    window = found.context_window
    is_other = window is not None and window != row.context_window and window >= LEAST_WINDOW
    problem = found.problem or ""
    return (
        Tested(
            problem=translated(problem),
            ttft_ms=found.ttft_ms,
            models=found.models[:SHOWN_MODELS],
            context_window=window if is_other else None,
            base_url=found.suggested_url,
        ),
        problem,
    )


def _wait_s(team: Team) -> int:
    """Count a test; return in how many seconds one is allowed, 0 when this one is."""
    now_s = int(clock.now().timestamp())
    begun = f"endpoint-tests:{team.pk}"
    cache.add(begun, now_s, WINDOW_S)
    since_s = int(cache.get(begun, now_s))
    count = f"{begun}:{since_s}"
    if cache.add(count, 1, WINDOW_S + 1):
        return 0
    try:
        used = cache.incr(count)
    except ValueError:  # it ran out this very moment
        return 0
    return 0 if used <= LIMIT else max(1, since_s + WINDOW_S - now_s)
