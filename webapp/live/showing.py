"""What people are shown of a turn while it runs: its figures, the model's cursor, its prose.

The figures go into the turn's record, so that its row and its frames say the same. Prose becomes
HTML in a reader's thread, but for short prose, and for at most a tenth of the time: what a model
says is untrusted, and 20,000 characters made for it cost a quarter of a second, in which nobody's
typing would be told of.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from webapp.engine.prompt import CHARS_PER_TOKEN
from webapp.engine.turn import Turn
from webapp.lib import clock
from webapp.live.progress import Rate, Throttle
from webapp.live.prose import html_of
from webapp.live.turn_rows import Record
from webapp.live.writing import Writing

if TYPE_CHECKING:
    from webapp.live.room import Room

PROGRESS_S: Final = 0.1
PROSE_S: Final = 0.2
RENDER_SHARE: Final = 0.1
"""How much of the time may go into making HTML while the model goes on."""
QUICK_CHARS: Final = 2_000
"""Prose so short is made into HTML on the spot: 3 ms, at worst 15."""


class Showing:
    """The figures and frames of one running turn, whose state and writing `now` returns."""

    def __init__(
        self,
        room: Room,
        record: Record,
        now: Callable[[], tuple[Turn, Writing]],
        announce: Callable[[Record], None],
    ) -> None:
        self._room = room
        self._record = record
        self._now = now
        self._announce = announce
        self._rate = Rate()
        self._progress = Throttle(PROGRESS_S, self._send_progress)
        self._prose = Throttle(PROSE_S, self._render)
        self._shown_chars = 0
        self._rendering = False
        self._ended = False

    def heard(self) -> None:
        """The model has said more."""
        before = self._record.tokens_out
        self.count()
        self._rate.add(self._record.tokens_out - before)
        self.ask()
        if len(self._now()[1].prose) != self._shown_chars:
            self._prose.ask()

    def ask(self) -> None:
        """Something of what `progress` tells is new."""
        self._progress.ask()

    def count(self) -> None:
        """Bring the record's figures up to date."""
        record = self._record
        turn, writing = self._now()
        estimated = -int(-turn.received_utf16 // CHARS_PER_TOKEN)
        record.estimated = turn.tokens_out is None
        record.tokens_out = estimated if turn.tokens_out is None else turn.tokens_out
        if turn.tokens_in is not None:
            record.tokens_in = turn.tokens_in
        share = writing.applied_utf16 / turn.received_utf16 if turn.received_utf16 else 0.0
        record.applied = round(min(1.0, share) * record.tokens_out)

    def end(self) -> None:
        """Show the whole of the prose, and nothing more; long prose comes a moment later."""
        self.drop()
        prose = self._now()[1].prose
        if len(prose) <= QUICK_CHARS:
            self._record.html = html_of(prose)
        else:
            self._room.spawn(self._show_all(prose))

    def drop(self) -> None:
        """Show nothing more."""
        self._ended = True
        self._progress.end()
        self._prose.end()

    def _send_progress(self) -> None:
        self.count()
        record = self._record
        turn, writing = self._now()
        frame: dict[str, Any] = {
            "t": "progress",
            "turn": record.id,
            "tokens": record.tokens_out,
            "applied": record.applied,
            "tps": round(self._rate.per_s(), 1),
        }
        if turn.ttft_ms is not None:
            frame["ttft_ms"] = turn.ttft_ms
        if writing.cursor is not None:
            frame["file"], frame["v"], frame["at"] = writing.cursor
        self._room.send_all(frame, key=f"progress:{record.id}")

    def _render(self) -> None:
        prose = self._now()[1].prose
        if len(prose) <= QUICK_CHARS:
            self._send_prose(prose, html_of(prose))
        elif not self._rendering:
            self._rendering = True
            self._room.spawn(self._render_elsewhere(prose))

    async def _render_elsewhere(self, prose: str) -> None:
        began_s = clock.monotonic()
        try:
            html = await self._room.read(partial(html_of, prose))
        finally:
            self._rendering = False
        if self._ended:
            return
        self._send_prose(prose, html)
        self._prose.interval_s = max(PROSE_S, (clock.monotonic() - began_s) / RENDER_SHARE)
        if len(self._now()[1].prose) != self._shown_chars:
            self._prose.ask()

    def _send_prose(self, prose: str, html: str) -> None:
        self._shown_chars = len(prose)
        self._record.html = html
        frame = {"t": "prose", "turn": self._record.id, "html": html}
        self._room.send_all(frame, key=f"prose:{self._record.id}")

    async def _show_all(self, prose: str) -> None:
        self._record.html = await self._room.read(partial(html_of, prose))
        self._announce(self._record)
