"""One session while it is open: the only place where its text changes.

The room is synchronous on the event loop: nothing here waits. An edit is sequenced speculatively:
rebased, applied to the text in memory, numbered and handed to the journal. Only when it is durable
is anybody told. What always holds:

- whatever is sent to a page waits for the commits that were pending when it was made, in order, so
  that nobody ever sees what a crash could take back, and a late joiner's text is followed by
  exactly the entries after it;
- entries of a session reach the journal in the order of `seq`, without a gap;
- after a failed commit the text in memory is worth nothing: the room loads itself anew from the
  database and tells every page to `resync`; what they had not confirmed comes again.

Turned down: awaiting the commit before sequencing the next edit (the model's edits would make every
typist wait for the disk), and telling others before the commit (they would see edits that never
were).
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import partial
from typing import Any, Final, Literal, TypeVar

from webapp.document.changes import ChangeSet
from webapp.document.text import dumps_ascii
from webapp.engine.guard import Rules
from webapp.lib import clock
from webapp.live import answers, codes, door, loading, presence, reading, sentences, wire
from webapp.live.clients import Client
from webapp.live.commits import Building, Commits
from webapp.live.endpoints import Choice
from webapp.live.files import MAX_LENGTH, SERVER, OpenFile, Step, entry_body, entry_text
from webapp.live.journal import Journal, Line
from webapp.live.loading import Loaded
from webapp.live.ports import Follower, Gone, Listener, NotOpen, TooBig, TreeListener, Turns
from webapp.live.restoring import Past
from webapp.live.statements import Row
from webapp.live.watching import ModelWatch
from webapp.notices.words import spoken
from webapp.pairing.texts import keep_snapshot

log = logging.getLogger(__name__)
T = TypeVar("T")

SNAPSHOT_EVERY: Final = 200
RELOAD_TRIES: Final = 5

State = Literal["settling", "open", "reloading", "closing", "closed"]
_WRITABLE: Final = ("settling", "open", "closing")


class Room:
    """A session that is open here, made from what `loading.load` returned, under a lease."""

    def __init__(
        self,
        loaded: Loaded,
        journal: Journal,
        line: Line,
        make_turns: Callable[[Room], Turns],
        *,
        colors: presence.Colors,
        lost: Callable[[Room], None],
        models: ModelWatch,
    ) -> None:
        self.id: Final = loaded.id
        self.clients: dict[str, Client] = {}
        self.listeners: list[Listener] = []
        self.tree_listeners: list[TreeListener] = []
        self.followers: list[Follower] = []
        self.colors = colors
        self.state: State = "settling"
        self.models = models
        self._lost = lost
        self._commits = Commits(journal, line, self._fail, self.lose)
        self._tasks: set[asyncio.Task[None]] = set()
        self._is_reloading = False
        self.creating: dict[str, list[Callable[[], None]]] = {}
        """Ids of new files that are looked at, and what is to happen with them afterwards."""
        self.past: Final = Past()
        self._take(loaded)
        self.turns = make_turns(self)

    def _take(self, loaded: Loaded) -> None:
        self.slug, self.title, self.team = loaded.slug, loaded.title, loaded.team
        self.team_id, self.choices = loaded.team_id, loaded.choices
        self.rules = loaded.rules
        self.access_version = loaded.access_version
        self.files: dict[str, OpenFile] = loaded.files
        self.gone = loaded.gone
        self.seq = loaded.seq
        self.names = loaded.names
        self.owners = loaded.owners

    async def start(self) -> None:
        """Let the turns settle what was left running; people may join afterwards."""
        self.state = "settling"
        await self.turns.load()
        if self.state == "settling":
            self.state = "open"

    @property
    def epoch(self) -> int:
        """Return the lease's epoch that this room writes under."""
        return self._commits.line.epoch

    @property
    def new_files(self) -> set[str]:
        """Return the ids of files whose creation is not settled, here or in another session."""
        return self._commits.journal.new_files

    def receive(self, client: Client, message: wire.Message) -> None:
        """Act on a page's message; never waits."""
        door.receive(self, client, message)

    def choose_from(self, choices: tuple[Choice, ...]) -> None:
        """Take the models that this team may ask now, and tell everybody when they are others."""
        if choices != self.choices:
            self.choices = choices
            self.send_all({"t": "endpoints", "list": [choice.frame() for choice in choices]})

    def keep_to(self, rules: Rules) -> None:
        """Take what a turn may do unasked, and tell everybody when that is something else."""
        if rules != self.rules:
            self.rules = rules
            self.turns.keep_to(rules)
            self.send_all(answers.rules(rules))

    # What turns and other callers in this process may do.

    def manifest(self) -> list[dict[str, Any]]:
        """Return every live file and its version, for a checkpoint at `seq`."""
        files = sorted(self.files.values(), key=lambda file: file.path)
        return [{"file": file.id, "path": file.path, "version": file.version} for file in files]

    def by(self, author: str) -> dict[str, Any]:
        """Return how frames name an author of the log who may no longer be here."""
        return presence.by(self.colors, self.names, author)

    def write(
        self,
        file_id: str,
        change: ChangeSet,
        *,
        author: str,
        kind: str = "edit",
        turn: str | None = None,
        hunk: int | None = None,
        also: Sequence[Callable[[], Any]] = (),
    ) -> int:
        """Sequence a change made at the head, and return the version after it.

        `also` is called in the journal's thread, in the transaction of the entry. Raises NotOpen,
        Gone, TooBig, and ChangeError when the change is not for the text as it is.
        """
        if self.state not in _WRITABLE:
            raise NotOpen
        file = self.files.get(file_id)
        if file is None or not file.is_text:
            raise Gone(file_id)
        if change.new_length > max(MAX_LENGTH, change.length):
            raise TooBig(file.path)
        with self.together() as building:
            self.sequence(file, change, author, self.by(author), SERVER, None, kind, turn, hunk)
            for fn in also:
                building.add(fn)
        return file.version

    def record(self, fn: Callable[[], T]) -> asyncio.Future[T]:
        """Call `fn` in the journal's thread, in a transaction, after all entries made so far.

        The future has what it returned once that is durable, or what went wrong: NotOpen, Stale,
        or what it raised. An `fn` that fails takes no entry with it, unless made `together`.
        """
        if self.state not in _WRITABLE:
            future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
            future.set_exception(NotOpen())
            return future
        return self._commits.record(fn)

    def read(self, fn: Callable[[], T]) -> Awaitable[T]:
        """Return what `fn` returns, called in another thread; it sees only what is durable."""
        return reading.read(fn)

    def after_commit(self, fn: Callable[[], object]) -> None:
        """Call `fn` when all that was written so far is durable; never, if that fails."""
        self._commits.after(fn)

    def send_all(self, frame: Mapping[str, Any], key: str | None = None) -> None:
        """Send a frame to everybody who is here now; with a key, newer ones replace older."""
        self._tell(self.joined(), frame, key)

    def send_to(self, client: Client, frame: Mapping[str, Any]) -> None:
        """Send a frame to one page, behind the commits that are pending."""
        self._tell((client,), frame)

    def _tell(
        self, clients: Sequence[Client], frame: Mapping[str, Any], key: str | None = None
    ) -> None:
        """Send a frame, to each in their language; encoded once for each language that differs."""
        texts: dict[int, tuple[str, list[Client]]] = {}
        spoken_in = {
            language: spoken(frame, language) for language in {each.language for each in clients}
        }
        for client in clients:
            said = spoken_in[client.language]
            if id(said) not in texts:
                texts[id(said)] = wire.encode(said), []
            texts[id(said)][1].append(client)
        for text, those in texts.values():
            self.send_text(those, text, key)

    def send_text(self, clients: Sequence[Client], text: str, key: str | None = None) -> None:
        """Send an encoded frame to several pages, behind the commits that are pending."""
        self.after_commit(partial(_send, clients, text, key))

    def joined(self) -> list[Client]:
        """Return the clients that have said hello."""
        return [client for client in self.clients.values() if client.joined]

    def together(self) -> AbstractContextManager[Building]:
        """Make everything written inside one batch, durable together; nothing is awaited inside."""
        return self._commits.together()

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Run something that waits, for as long as the room lives."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("Something failed in the session %s.", self.id, exc_info=error)

    # The log.

    def sequence(
        self,
        file: OpenFile,
        change: ChangeSet,
        author: str,
        by: dict[str, Any],
        client: str,
        counter: int | None,
        kind: str = "edit",
        turn: str | None = None,
        hunk: int | None = None,
    ) -> None:
        """Apply and number a change that fits the head, and tell whoever follows the file.

        Called inside `together`. Raises ChangeError, and has done nothing then.
        """
        payload = dumps_ascii(change.to_json())
        version = file.version + 1
        body = entry_body(version, payload, client, counter, by, kind, turn, hunk)
        file.append(Step(version, change, client, counter, body), turn, hunk)
        self.log_row(file.id, author, client, kind, payload, version, counter, turn, hunk)
        presence.follow(self.clients.values(), file, change)
        for follow in self.followers:
            follow(file, change)
        followers = [held for held in self.clients.values() if file.id in held.following]
        self.send_text(followers, entry_text(file.id, body))
        if file.unsaved_steps >= SNAPSHOT_EVERY:
            file.unsaved_steps = 0
            snapshot = partial(keep_snapshot, file.id, version, file.text)
            self.after_commit(partial(self._commits.journal.when_idle, file.id, snapshot))

    def log_row(
        self,
        file_id: str,
        author: str,
        client: str,
        kind: str,
        payload: str,
        version: int | None = None,
        counter: int | None = None,
        turn: str | None = None,
        hunk: int | None = None,
    ) -> int:
        """Number an entry and put it into the batch that is being made; return its `seq`."""
        self.seq += 1
        row = Row(
            file_id,
            self.seq,
            version,
            author,
            client,
            counter,
            kind,
            payload,
            turn,
            hunk,
            clock.now(),
        )
        with self.together() as building:
            building.rows.append(row)
        return self.seq

    def _fail(self, error: Exception) -> None:
        log.error("The session %s could not be saved and is loaded anew: %s", self.id, error)
        self._commits = self._commits.successor()
        if self.state in ("closing", "closed"):
            return
        self.state = "reloading"
        self.turns.reset()
        if not self._is_reloading:
            self._is_reloading = True
            self.spawn(self._reload())

    async def _reload(self) -> None:
        """Load until it is open; settling what was left is a commit too, and may fail as well."""
        for attempt in range(RELOAD_TRIES):
            await asyncio.sleep(attempt and 0.25 * 2**attempt)
            try:
                self._take(await self.read(partial(loading.load, self.id, self.colors)))
                await self.start()
            except Exception:
                log.exception("The session %s could not be loaded.", self.id)
            if self.state == "open":
                self._is_reloading = False
                door.resync_all(self, sentences.NOT_SAVED)
                return
        self.shut(codes.RESTART)
        self._lost(self)

    # The end.

    def lose(self) -> None:
        """Another process has the session: write nothing, send everybody there."""
        if self.state != "closed":
            self.turns.reset()
            self.shut(codes.MOVED)
            self._lost(self)

    def shut(self, code: int) -> None:
        """Close every socket and take nothing more."""
        self.state = "closed"
        self._commits.end()
        for task in list(self._tasks):
            if task is not asyncio.current_task():
                task.cancel()
        for client in list(self.clients.values()):
            client.close(code)
        self.clients.clear()

    async def close(self, reason: str) -> None:
        """End the turns, make all durable with a snapshot of each changed file, close sockets."""
        if self.state == "open":
            self.state = "closing"
            await self.turns.close(reason)
            for file in self.files.values():
                if file.unsaved_steps:
                    file.unsaved_steps = 0
                    fn = partial(keep_snapshot, file.id, file.version, file.text)
                    self.record(fn).add_done_callback(_note_failure)
            await self._commits.journal.drain()
        self.shut(codes.RESTART)


def _send(clients: Sequence[Client], text: str, key: str | None) -> None:
    for client in clients:
        client.send_text(text, key)


def _note_failure(future: asyncio.Future[Any]) -> None:
    if not future.cancelled() and future.exception() is not None:
        log.warning("A snapshot was not written; the log has all of it: %s", future.exception())
