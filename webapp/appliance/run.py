"""One run of the appliance, from the checks to the last child's end."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from webapp.appliance import checks, database, models, plan, ready, valkey
from webapp.appliance.checks import Refusal
from webapp.appliance.logs import Logs
from webapp.appliance.plan import Plan
from webapp.appliance.staticfiles import StaticFiles
from webapp.appliance.supervisor import Death, Interrupted, Supervisor
from webapp.appliance.terminal import Terminal
from webapp.appliance.tiers import EMBEDDED
from webapp.lib import clock

if TYPE_CHECKING:
    from webapp.teams.models import User

ENDING_ORDER = (("web",), ("worker", *models.CHILDREN), ("valkey",))


def main(environment: Mapping[str, str] = os.environ) -> int:
    """Run Flint until a signal; returns an exit code."""
    terminal = Terminal(sys.stdout)
    try:
        return Appliance(terminal, environment).run()
    except Refusal as refusal:
        terminal.say(str(refusal))
        return 1
    except (Interrupted, KeyboardInterrupt):
        return 0


class Appliance:
    """What one run holds together. Made by the checks: an Appliance that exists may start."""

    def __init__(self, terminal: Terminal, environment: Mapping[str, str]) -> None:
        checks.python()
        self._began_at_s = clock.monotonic()
        self._terminal = terminal
        home = Path(environment.get("FLINT_HOME", "").strip() or plan.BASE / ".flint").absolute()
        host = environment.get("HOST", "").strip() or "127.0.0.1"
        port = checks.port_number(environment.get("PORT", "").strip() or "8000")
        checks.home(home)
        warning = checks.disk(home)
        self._lock = checks.lock(home)
        self._listener = checks.listen(host, port)
        self._model_ports = {tier: plan.reserve_port() for tier in EMBEDDED}
        self._plan = Plan(
            home=home,
            host=host,
            port=self._listener.getsockname()[1],
            given=dict(environment),
            model_ports={tier: held.getsockname()[1] for tier, held in self._model_ports.items()},
        )
        self._lock.publish(self._plan.origins[0])
        plan.keep_secret_key(home)
        if warning:
            terminal.say(warning)
        if not self._plan.is_local and not environment.get("PUBLIC_ORIGINS", "").strip():
            terminal.say(
                f"Flint listens on {host}, but other machines are refused until PUBLIC_ORIGINS "
                "names the address they use, as in PUBLIC_ORIGINS=https://flint.example.com"
            )
        self._logs = Logs(home / "logs", self._on_error, terminal.event)
        self._supervisor = Supervisor(terminal, self._logs, self._on_death)
        self._static = StaticFiles(plan.BASE, home, self._plan.static_root)
        self._valkey: valkey.Valkey | None = None
        self._was_ready = threading.Event()
        self._waiting = threading.Event()
        """Set to give up waiting for the web process."""
        self._models = models.Models(terminal, self._supervisor, self._plan)

    def run(self) -> int:
        """Start everything, stay until a signal, end everything."""
        code = 0
        self._supervisor.catch_signals()
        try:
            self._start()
            self._supervisor.run()
        except Interrupted:
            self._terminal.say("Flint is not started.")
        except Refusal as refusal:
            self._terminal.say(str(refusal))
            code = 1
        finally:
            self._stop()
        return code

    def _start(self) -> None:
        if not self._plan.given.get("REDIS_URL", "").strip():
            self._valkey = valkey.prepare(self._plan.home, self._plan.given)
            self._plan = replace(self._plan, redis_url=self._valkey.url)
            self._supervisor.forget_folder(self._valkey.socket.parent)
            self._supervisor.add(valkey.child(self._valkey, self._plan.given))
        self._static.begin(self._plan.environment())
        self._models.begin()
        gate, closed_gate = os.pipe()
        self._supervisor.add(self._plan.web(self._listener, gate))
        database.load(self._plan.environment())
        database.migrate()
        database.expire_leases_of_earlier_runs(self._plan.owner_prefix)
        owner = database.first_user()
        self._static.finish()
        os.close(closed_gate)
        self._supervisor.add(self._plan.worker())
        self._waiting = ready.when_healthy(
            self._plan.connect_host,
            self._plan.port,
            self._plan.origin_host,
            lambda: self._supervisor.call(lambda: self._page_is_up(owner)),
        )

    def _page_is_up(self, owner: User) -> None:
        secret = database.sign_in_secret(owner)
        took_s = clock.monotonic() - self._began_at_s
        self._terminal.say(f"Flint is ready at {self._plan.origins[0]}/accounts/link/#{secret}")
        self._terminal.say(
            f"(up in {took_s:.1f} s; the link signs in once, within {database.LINK_MINUTES} "
            "minutes; Ctrl-C ends Flint)"
        )
        self._was_ready.set()
        self._models.start()

    def _on_death(self, death: Death) -> None:
        self._models.died(death)
        if death.name != "web":
            return
        try:
            database.expire_leases(death.environment["FLINT_PROCESS"])
        except Refusal as refusal:
            self._terminal.event(str(refusal))
        if self._was_ready.is_set():
            began_s = clock.monotonic()
            # It died once more while the last one was waited for: that is said once.
            self._waiting.set()
            self._waiting = ready.when_healthy(
                self._plan.connect_host,
                self._plan.port,
                self._plan.origin_host,
                lambda: self._terminal.event(
                    f"web answers again, after {clock.monotonic() - began_s:.1f} s."
                ),
            )

    def _on_error(self, name: str, line: str) -> None:
        self._terminal.event(f"{name} reports: {line[:300]} (more in {self._logs.path(name)})")

    def _stop(self) -> None:
        was_up = self._was_ready.is_set()
        self._terminal.moving("")
        if was_up:
            self._terminal.say("Flint is ending; press Ctrl-C again to hurry.")
        # New visitors are refused at once, instead of waiting for somebody who will not come.
        self._listener.close()
        self._static.abandon()
        self._supervisor.stop(ENDING_ORDER)
        self._logs.close()
        if self._valkey is not None:
            self._valkey.clear()
        self._models.finish()
        for held in self._model_ports.values():
            held.close()
        if was_up:
            self._terminal.say("Flint has ended. Every edit that was shown as saved is kept.")
