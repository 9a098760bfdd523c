"""The client half of @codemirror/collab in Python: what a browser does, for tests of the room.

Exactly `receiveUpdates` with one update a call, which is how Flint's page calls it, and
`sendableUpdates`; shared effects are left out. The differential test in test_collab.py holds it
to the original.
"""

from dataclasses import dataclass, field

from webapp.document.changes import ChangeSet


@dataclass(frozen=True, slots=True)
class Update:
    """One log entry as a client sees it: who made it, and the change."""

    client_id: str
    changes: ChangeSet


@dataclass(slots=True)
class CollabClient:
    """One replica: the text it shows, the version it is synced to, and what is unconfirmed."""

    client_id: str
    text: str
    version: int = 0
    unconfirmed: list[ChangeSet] = field(default_factory=list)

    def edit(self, change: ChangeSet) -> None:
        """Make a change of the text as this client shows it. One that changes nothing is none."""
        self.text = change.apply(self.text)
        if not change.is_empty:
            self.unconfirmed.append(change)

    def receive(self, update: Update) -> None:
        """Take in the log's next entry: an own one confirms, another's is merged."""
        self.version += 1
        if self.unconfirmed and update.client_id == self.client_id:
            del self.unconfirmed[0]
            return
        incoming = update.changes
        mapped = []
        for own in self.unconfirmed:
            mapped.append(own.map(incoming))
            incoming = incoming.map(own, before=True)
        self.unconfirmed = mapped
        self.text = incoming.apply(self.text)

    def sendable(self) -> list[Update]:
        """Return the unconfirmed changes, oldest first, as they apply after `version`."""
        return [Update(self.client_id, change) for change in self.unconfirmed]
