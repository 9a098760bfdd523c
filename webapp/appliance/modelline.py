"""A model's status file, followed and told in the terminal."""

from __future__ import annotations

from pathlib import Path

from webapp.appliance import progress
from webapp.appliance.terminal import Terminal
from webapp.notices import modelstatus
from webapp.notices.modelstatus import ModelStatus


class ModelLine:
    """One tier's; several share the one line that moves."""

    def __init__(self, terminal: Terminal, path: Path) -> None:
        self._terminal = terminal
        self._path = path
        self._told: tuple[str, str] = ("", "")
        self._told_percent = -10
        self._is_moving = False

    def look(self) -> None:
        """Read the file, and say what is new."""
        status = modelstatus.read(self._path)
        if status is None:
            return
        if status.state == "downloading":
            self._downloading(status)
            return
        if self._is_moving:
            self._is_moving = False
            self._terminal.moving("")
        # How much is free changes all the time: that it is too little is said once.
        now = (status.state, "" if status.state == "unfit" else status.message)
        if now != self._told and status.state != "offered":
            if status.state == "ready":
                self._terminal.event(f"The model {status.name} is ready.")
            elif status.message:
                self._terminal.event(status.message)
        self._told = now

    def _downloading(self, status: ModelStatus) -> None:
        now = progress.Progress(
            status.done_bytes, status.total_bytes, status.bytes_per_s, status.eta_s
        )
        line = f"Downloading the model {status.name}: {progress.sentence(now)}"
        if self._terminal.is_tty:
            self._is_moving = True
            self._terminal.moving(line)
        elif now.percent >= self._told_percent + 10 or now.percent < self._told_percent:
            self._told_percent = now.percent - now.percent % 10
            self._terminal.event(line)
