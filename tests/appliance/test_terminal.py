"""One line an event, and one line that moves."""

import io
import os

from webapp.appliance.terminal import Terminal


class Tty(io.StringIO):
    """A stream that says that it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_the_moving_line_is_rewritten_and_stays_below_what_is_said() -> None:
    stream = Tty()
    terminal = Terminal(stream)
    terminal.moving("10 %")
    terminal.say("web answers again")
    terminal.moving("")
    assert stream.getvalue() == "\r\x1b[K10 %\r\x1b[Kweb answers again\n10 %\r\x1b[K"


def test_without_a_terminal_nothing_moves() -> None:
    stream = io.StringIO()
    Terminal(stream).moving("10 %")
    assert stream.getvalue() == ""


def test_a_terminal_that_went_away_ends_nothing() -> None:
    read_end, write_end = os.pipe()
    os.close(read_end)
    with os.fdopen(write_end, "w", buffering=1) as stream:
        Terminal(stream).say("nobody hears this")
        # What could not be written stays in the buffer, and would fail again when it is closed.
        os.dup2(os.open(os.devnull, os.O_WRONLY), write_end)
