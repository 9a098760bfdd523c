"""The embedded models of one run: the quick one, which is always there, and the deeper one, which
is brought when somebody asks for it.

A tier for which the operator named a server has no embedded model, and no status file either.
"""

from __future__ import annotations

import contextlib
from dataclasses import replace

from webapp.appliance import weights
from webapp.appliance.modelline import ModelLine
from webapp.appliance.ondemand import OnDemand, Place
from webapp.appliance.plan import Plan
from webapp.appliance.supervisor import Death, Supervisor
from webapp.appliance.terminal import Terminal
from webapp.appliance.tiers import EMBEDDED, PREVIEW, STANDARD
from webapp.notices import modelstatus
from webapp.notices.modelstatus import ModelStatus

CHILDREN = tuple(tier.child for tier in EMBEDDED.values())
LOOK_S = 0.25


class Models:
    """See the module. `begin` before the page is up, `start` after it."""

    def __init__(self, terminal: Terminal, supervisor: Supervisor, plan: Plan) -> None:
        self._terminal = terminal
        self._supervisor = supervisor
        self._plan = plan
        self._embedded = [tier for tier in EMBEDDED.values() if plan.embeds(tier)]
        self._lines = [ModelLine(terminal, plan.status_file(tier)) for tier in self._embedded]
        self._deeper = self._made() if STANDARD in self._embedded else None

    def _made(self) -> OnDemand:
        plan = self._plan
        place = Place(
            status_file=plan.status_file(STANDARD),
            folder=weights.kept_path(STANDARD, plan.given, plan.home).parent,
            here_bytes=lambda: weights.here_bytes(STANDARD, plan.given, plan.home),
            reserved_bytes=self._reserved_bytes,
        )
        return OnDemand(
            STANDARD, plan.model_name(STANDARD), plan.model(STANDARD), self._supervisor, place
        )

    def begin(self) -> None:
        """Forget what an earlier run left, and say what there is."""
        for tier in EMBEDDED.values():
            self._plan.status_file(tier).unlink(missing_ok=True)
        if PREVIEW in self._embedded:
            modelstatus.write(self._plan.status_file(PREVIEW), ModelStatus("starting"))
        if self._deeper is not None:
            # Who gives a file of weights wants it used.
            self._deeper.begin(is_wanted=bool(STANDARD.given_path(self._plan.given)))

    def start(self) -> None:
        """Start what is wanted, and keep looking."""
        if PREVIEW in self._embedded:
            self._supervisor.add(self._plan.model(PREVIEW))
        if self._deeper is not None:
            self._deeper.start()
            self._tell_of_the_deeper_one()
        if self._embedded:
            self._supervisor.every(LOOK_S, self._look)

    def died(self, death: Death) -> None:
        """Keep the page from believing that a model is still there."""
        if death.name == STANDARD.child and self._deeper is not None:
            self._deeper.died(
                is_final=death.code in self._plan.model(STANDARD).final_codes,
            )
        elif death.name == PREVIEW.child:
            path = self._plan.status_file(PREVIEW)
            status = modelstatus.read(path)
            if status is not None and status.state == "ready":
                with contextlib.suppress(OSError):
                    modelstatus.write(path, replace(status, state="starting"))

    def finish(self) -> None:
        """Leave no status behind."""
        if PREVIEW in self._embedded:
            with contextlib.suppress(OSError):
                self._plan.status_file(PREVIEW).unlink(missing_ok=True)
        if self._deeper is not None:
            self._deeper.finish()

    def _look(self) -> None:
        if self._deeper is not None:
            self._deeper.look()
        for line in self._lines:
            line.look()

    def _reserved_bytes(self) -> int:
        status = modelstatus.read(self._plan.status_file(PREVIEW))
        is_coming = status is not None and status.state in {"starting", "downloading"}
        return PREVIEW.needs_bytes if is_coming else 0

    def _tell_of_the_deeper_one(self) -> None:
        status = modelstatus.read(self._plan.status_file(STANDARD))
        if status is None or status.state not in {"offered", "paused"}:
            return
        left_bytes = status.total_bytes - status.done_bytes
        self._terminal.say(
            f"(a deeper model, {status.name}, can be fetched from a session's page: "
            f"{left_bytes / 1e9:.1f} GB)"
            if left_bytes
            else f"(a deeper model, {status.name}, is on this machine: start it from a session)"
        )
