"""What the terminal says of a model's state."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest

from tests.appliance.test_terminal import Tty
from webapp.appliance.modelline import ModelLine
from webapp.appliance.terminal import Terminal
from webapp.notices import modelstatus
from webapp.notices.modelstatus import ModelStatus


def told(stream: io.StringIO) -> list[str]:
    """Return the lines without their time of day."""
    return [re.sub(r"^\d\d:\d\d:\d\d ", "", line) for line in stream.getvalue().splitlines()]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "model.json"


def say(path: Path, line: ModelLine, *statuses: ModelStatus) -> None:
    for status in statuses:
        modelstatus.write(path, status)
        line.look()
        line.look()


def test_each_state_is_said_once(path: Path) -> None:
    stream = io.StringIO()
    line = ModelLine(Terminal(stream), path)
    line.look()  # nothing is known yet
    say(
        path,
        line,
        ModelStatus("offered", "Deep", "It is here already."),
        ModelStatus("paused", "Deep", "No network."),
        ModelStatus("starting", "Deep"),
        ModelStatus("ready", "Deep"),
    )
    assert told(stream) == ["No network.", "The model Deep is ready."]


def test_too_little_memory_is_said_once_whatever_the_number(path: Path) -> None:
    stream = io.StringIO()
    line = ModelLine(Terminal(stream), path)
    say(path, line, *(ModelStatus("unfit", "Deep", f"{free} GB are free.") for free in (3, 2, 1)))
    assert told(stream) == ["3 GB are free."]


def test_without_a_terminal_a_download_is_a_line_every_ten_percent(path: Path) -> None:
    stream = io.StringIO()
    line = ModelLine(Terminal(stream), path)
    parts = (ModelStatus("downloading", "Deep", "", done, 1000) for done in range(0, 301, 20))
    say(path, line, *parts)
    assert [re.findall(r"\d+ %", each) for each in told(stream)] == [
        ["0 %"],
        ["10 %"],
        ["20 %"],
        ["30 %"],
    ]


def test_a_model_that_is_ready_leaves_the_moving_line_of_another_alone(tmp_path: Path) -> None:
    stream = Tty()
    terminal = Terminal(stream)
    quick, deep = (ModelLine(terminal, tmp_path / name) for name in ("quick", "deep"))
    say(tmp_path / "quick", quick, ModelStatus("ready", "Quick"))
    say(tmp_path / "deep", deep, ModelStatus("downloading", "Deep", "", 10, 1000))
    before = stream.getvalue()
    quick.look()
    assert stream.getvalue() == before
    say(tmp_path / "deep", deep, ModelStatus("paused", "Deep"))
    assert stream.getvalue() == f"{before}\r\x1b[K"
