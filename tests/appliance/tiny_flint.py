"""`python -m tests.appliance.tiny_flint HOME CACHE HUB`: a supervisor with one model on demand.

Each new state of its status file is said as `STATE DONE_BYTES MESSAGE`. What is free on the machine
is read from HOME/free: `MEMORY_BYTES DISK_BYTES`.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from tests.appliance.tiny import TINY
from webapp.appliance import plan, weights
from webapp.appliance.children import ChildSpec
from webapp.appliance.fitness import Free
from webapp.appliance.logs import Logs
from webapp.appliance.ondemand import OnDemand, Place
from webapp.appliance.supervisor import Death, Supervisor
from webapp.appliance.terminal import Terminal
from webapp.notices import modelstatus


def main(home: Path, cache: str, hub: str) -> None:
    """Run until a signal."""
    terminal = Terminal(sys.stdout)
    logs = Logs(home / "logs", lambda name, line: terminal.say(f"error in {name}: {line}"))
    status_file = home / "model-standard.json"
    port = plan.reserve_port()
    environment = {
        **os.environ,
        "FLINT_HOME": str(home),
        "FLINT_CACHE": cache,
        "FLINT_MODEL_HUB": hub,
        "FLINT_STANDARD_STATUS": str(status_file),
        "FLINT_STANDARD_MODEL": "Tiny",
        "FLINT_STANDARD_API_KEY": "key",
        "FLINT_STANDARD_BASE_URL": f"http://127.0.0.1:{port.getsockname()[1]}",
    }
    spec = ChildSpec(
        name=TINY.child,
        command=(sys.executable, "-m", "tests.appliance.tiny"),
        environment=lambda: environment,
        folder=str(plan.BASE),
        final_codes=frozenset({3, 5}),
    )

    def measure(folder: Path) -> Free:
        memory, disk = (home / "free").read_text().split()
        return Free(int(memory), int(disk))

    def died(death: Death) -> None:
        model.died(is_final=death.code in spec.final_codes)

    supervisor = Supervisor(terminal, logs, died)
    place = Place(
        status_file=status_file,
        folder=weights.kept_path(TINY, environment, home).parent,
        here_bytes=lambda: weights.here_bytes(TINY, environment, home),
        measure=measure,
        look_s=0.05,
    )
    model = OnDemand(TINY, "Tiny", spec, supervisor, place)
    supervisor.catch_signals()
    model.begin()
    told = ""

    def look() -> None:
        nonlocal told
        model.look()
        status = modelstatus.read(status_file)
        now = f"{status.state} {status.done_bytes} {status.message}" if status else "nothing"
        if now != told:
            terminal.say(now)
        told = now

    look()
    model.start()
    supervisor.every(0.02, look)
    supervisor.run()
    supervisor.stop(())
    model.finish()
    logs.close()
    terminal.say("all ended")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], sys.argv[3])
