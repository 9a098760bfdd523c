"""Who is next when a turn is over: its repair, else the first of the follow-ups, if the author may
still ask.

The author of a prompt that waits may have left, and may have lost the role meanwhile. Whoever is
here has a role that the room knows; anybody else's is read, and then whatever is first by that time
is asked. A prompt that cannot be asked holds the list, which says why; a repair that cannot be is
given up.
"""

from __future__ import annotations

import logging
from functools import partial
from typing import TYPE_CHECKING

from webapp.live import asking
from webapp.live import turn_sentences as say
from webapp.live.asking import Refusal
from webapp.live.questions import Question
from webapp.live.watching import roles_in
from webapp.pairing.access import Role

if TYPE_CHECKING:
    from webapp.live.turns import Turns

log = logging.getLogger(__name__)


class NextUp:
    """Asks the prompts that wait in a room, one after another."""

    def __init__(self, turns: Turns) -> None:
        self._turns = turns
        self._checking = ""
        """The id of a follow-up whose author's role is being read."""

    @property
    def is_looked_at(self) -> bool:
        """Say whether it is being found out if the next one may be asked."""
        return bool(self._checking)

    def ask(self, may: Role | None = None) -> None:
        """Begin the turn that is next, if any; `may` is the role of its author when it was read.

        Whatever goes wrong holds the list: else nothing would be asked any more, as all who come
        later wait behind it.
        """
        try:
            self._ask(may)
        except Exception:
            log.exception("The next prompt of the session %s was not asked.", self._turns.room.id)
            self._turns.repairing.reset()
            self._turns.followups.hold(say.BROKEN_NEXT)

    def _ask(self, may: Role | None) -> None:
        turns, room = self._turns, self._turns.room
        question = self._first
        if question is None or turns.current is not None or self._checking:
            return
        if room.state not in ("settling", "open"):
            turns.repairing.reset()
            turns.followups.hold()
            return
        if may is None:
            may = self._role_here(question.author)
        if may is None and question.author is not None:
            self._checking = question.id
            room.spawn(self._check(question.id, question.author))
        elif may is None or may < Role.PROMPT:
            self._not(question, say.AUTHOR_GONE % {"name": question.name})
        elif isinstance(asked := asking.prepare(room, question, turns.records), Refusal):
            self._not(question, asked.message)
        else:
            turns.repairing.reset()
            turns.begin(question, asked, None)

    @property
    def _first(self) -> Question | None:
        return self._turns.repairing.question or self._turns.followups.first

    def _not(self, question: Question, why: str) -> None:
        """Hold the list, or ask its first when it is a repair that cannot be asked."""
        if question.repairs is None:
            self._turns.followups.hold(why)
        else:
            self._turns.repairing.give_up(why)
            self._ask(None)

    def reset(self) -> None:
        """Ask nobody any more; what is being read comes to nothing."""
        self._checking = ""

    def _role_here(self, user: int | None) -> Role | None:
        clients = self._turns.room.clients.values()
        return max((held.role for held in clients if held.user == user), default=None)

    async def _check(self, id: str, user: int) -> None:
        """Read the role of somebody who is not here, then go on with whatever is first by then."""
        room = self._turns.room
        try:
            roles = await room.read(partial(roles_in, room.id, {user}))
        except Exception:
            log.exception("The role of the author of %s could not be read.", id)
            roles = {}
        if self._checking != id:
            return
        self._checking = ""
        first = self._first
        same = first is not None and first.author == user
        self.ask(roles.get(user, Role.VIEW) if same else None)
