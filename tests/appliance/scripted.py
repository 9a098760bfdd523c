"""`python -m tests.appliance.scripted HOME CHILDREN`: a supervisor over small scripts, for tests.

CHILDREN is JSON, `[{"name", "code", "grace_s", "final"}]`, `code` being Python. Each line that a
child appends to HOME/notes is said in the terminal, after "note"; the note `end NAME` has the
child of that name ended for good.
"""

from __future__ import annotations

import json
import os
import sys
from functools import partial
from pathlib import Path

from webapp.appliance.children import ChildSpec
from webapp.appliance.logs import Logs
from webapp.appliance.supervisor import Death, Supervisor
from webapp.appliance.terminal import Terminal

PREAMBLE = """
import os, signal, subprocess, sys, threading
def note(text):
    with open(os.environ["NOTES"], "a") as file:
        file.write(text + chr(10))
def stay():
    threading.Event().wait()
"""


def main(home: Path, children: list[dict[str, object]]) -> None:
    """Run until a signal."""
    terminal = Terminal(sys.stdout)
    logs = Logs(home / "logs", lambda name, line: terminal.say(f"error in {name}: {line}"))

    def tell(death: Death) -> None:
        terminal.say(f"death of {death.name} with {death.code}, start {death.environment['START']}")

    supervisor = Supervisor(terminal, logs, tell)
    supervisor.forget_folder(home / "left behind")
    supervisor.catch_signals()
    notes = home / "notes"
    told = 0

    def look() -> None:
        nonlocal told
        lines = notes.read_text().splitlines() if notes.exists() else []
        for line in lines[told:]:
            terminal.say(f"note {line}")
            if line.startswith("end "):
                supervisor.end(line[4:], partial(terminal.say, f"{line[4:]} is gone"))
        told = len(lines)

    supervisor.every(0.02, look)
    starts = dict.fromkeys((str(child["name"]) for child in children), 0)

    def environment(name: str) -> dict[str, str]:
        starts[name] += 1
        return {**os.environ, "NOTES": str(notes), "START": str(starts[name])}

    for child in children:
        name = str(child["name"])
        supervisor.add(
            ChildSpec(
                name=name,
                command=(sys.executable, "-c", PREAMBLE + str(child["code"])),
                environment=lambda name=name: environment(name),
                folder=str(home),
                grace_s=float(str(child.get("grace_s", 10))),
                final_codes=frozenset({3}),
                deaths={4: "found too little memory"},
            )
        )
    supervisor.run()
    supervisor.stop((("web",), ("valkey",)))
    logs.close()
    look()
    terminal.say("all ended")


if __name__ == "__main__":
    main(Path(sys.argv[1]), json.loads(sys.argv[2]))
