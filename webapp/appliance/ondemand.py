"""An embedded model that is brought when somebody asks for it: when its process runs, and what
the page is told while it does not.

The wish file says what people want (notices/modelwish.py), and the last wish holds at the next
start too. While nobody wants the model there is no process: the supervisor's loop looks at the
wish, and once in a while at whether the machine has room for it. The status file has one writer at
a time: the process while it runs, this module when it does not.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from webapp.appliance import fitness
from webapp.appliance.children import ChildSpec
from webapp.appliance.fitness import Free
from webapp.appliance.tiers import Tier
from webapp.lib import clock
from webapp.lib.sentences import Sentence, gettext_noop
from webapp.notices import modelstatus, modelwish
from webapp.notices.modelstatus import ModelStatus

IDLE_LOOK_S = 5.0
IS_HERE = Sentence(
    gettext_noop("The model is on this machine already, so there is nothing to download.")
)


class Children(Protocol):
    """What starts and ends processes: the supervisor."""

    def add(self, spec: ChildSpec) -> None:
        """Start a child now, and again whenever it dies."""

    def has(self, name: str) -> bool:
        """Say whether the child runs, or is about to be started again."""

    def end(self, name: str, then: Callable[[], None]) -> None:
        """End a child for good, and call `then` once it is gone."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where one model's files are, and how to look at the machine."""

    status_file: Path
    folder: Path
    """Where the weights are kept."""
    here_bytes: Callable[[], int]
    measure: Callable[[Path], Free] = fitness.measure
    reserved_bytes: Callable[[], int] = lambda: 0
    """Memory that another model is about to take."""
    look_s: float = IDLE_LOOK_S
    """How often to look at the machine while no process runs."""


class OnDemand:
    """One tier. `begin` before the page is up, `start` after it, then `look` again and again."""

    def __init__(
        self, tier: Tier, name: str, spec: ChildSpec, children: Children, place: Place
    ) -> None:
        self._tier = tier
        self._name = name
        self._spec = spec
        self._children = children
        self._place = place
        self._wish_file = modelwish.path_beside(place.status_file)
        self._wish_stamp: tuple[int, int] | None = None
        self._is_wanted = False
        self._may_start = False
        self._is_ending = False
        self._why = ""
        """Why it ended by itself, for a person, until it is asked for again."""
        self._was_asked_again = False
        """Whether somebody wished it while it ran: perhaps it was just giving up."""
        self._is_hopeless = False
        """Whether asking again would change nothing before the next start of Flint."""
        self._written: ModelStatus | None = None
        self._next_look_s = 0.0

    def begin(self, *, is_wanted: bool = False) -> None:
        """Say what there is; `is_wanted` holds if nobody ever wished anything."""
        self._wish_stamp = self._stamp()
        wish = modelwish.read(self._wish_file)
        self._is_wanted = wish.op == "start" if wish else is_wanted
        self._settle()

    def start(self) -> None:
        """Start the process from now on, if and as soon as somebody wants the model."""
        self._may_start = True
        self._settle()

    def look(self) -> None:
        """Follow a new wish; while no process runs, look at the machine once in a while."""
        stamp = self._stamp()
        if stamp != self._wish_stamp:
            self._wish_stamp = stamp
            wish = modelwish.read(self._wish_file)
            if wish is not None:
                self._follow(wish.op)
        if clock.monotonic() >= self._next_look_s:
            self._settle()

    def died(self, *, is_final: bool) -> None:
        """Keep what the process said last, and the page from believing that it still answers."""
        status = modelstatus.read(self._place.status_file)
        if status is not None and status.state == "ready":
            self._say(replace(status, state="starting"))
            self._written = None
        if is_final and self._was_asked_again:
            self._next_look_s = 0.0
        elif is_final and status is not None:
            self._why = status.message
            self._is_hopeless = status.state != "paused"

    def finish(self) -> None:
        """Leave no status behind; the wish stays."""
        with contextlib.suppress(OSError):
            self._place.status_file.unlink(missing_ok=True)

    def _follow(self, op: modelwish.Op) -> None:
        self._is_wanted = op == "start"
        self._why, self._is_hopeless = "", False
        self._next_look_s = 0.0
        self._was_asked_again = self._is_wanted
        if not self._is_wanted and self._children.has(self._spec.name) and not self._is_ending:
            self._is_ending = True
            self._children.end(self._spec.name, self._ended)

    def _ended(self) -> None:
        self._is_ending = False
        self._written = None
        self._settle()

    def _settle(self) -> None:
        """Without a process: start it if it is wanted and fits, else say how things are."""
        self._next_look_s = clock.monotonic() + self._place.look_s
        if self._is_ending or self._is_hopeless or self._children.has(self._spec.name):
            return
        place = self._place
        here_bytes = place.here_bytes()
        why_not = fitness.unfit(
            self._tier,
            place.folder,
            here_bytes,
            place.measure(place.folder),
            place.reserved_bytes(),
        )
        is_here = here_bytes >= self._tier.weights.size_bytes
        status = ModelStatus(
            "offered",
            self._name,
            done_bytes=here_bytes,
            total_bytes=self._tier.weights.size_bytes,
            tier=self._tier.name,
        )
        if why_not is not None:
            status = replace(status, state="unfit", message=why_not)
        elif self._is_wanted and not self._why:
            status = replace(status, state="starting" if is_here else "downloading")
        elif self._why or here_bytes > 0 and not is_here:
            status = replace(status, state="paused", message=self._why)
        elif is_here:
            status = replace(status, message=IS_HERE)
        self._say(status)
        if status.state in {"starting", "downloading"} and self._may_start:
            self._written = None
            self._was_asked_again = False
            self._children.add(self._spec)

    def _say(self, status: ModelStatus) -> None:
        if status == self._written:
            return
        # A full disk is one of the things to be told here, and must not end the supervisor.
        with contextlib.suppress(OSError):
            modelstatus.write(self._place.status_file, status)
            self._written = status

    def _stamp(self) -> tuple[int, int] | None:
        try:
            stat = self._wish_file.stat()
        except OSError:
            return None
        return stat.st_mtime_ns, stat.st_ino
