"""A session with a past, for tests of what pages tell of it."""

from __future__ import annotations

from webapp.document.changes import ChangeSet
from webapp.document.text import dumps_ascii
from webapp.lib import ids
from webapp.pairing import history
from webapp.pairing.models import Entry, File, Session
from webapp.teams.models import User


def type_into(session: Session, user: User, path: str, text: str, inserted: str) -> str:
    """Put an entry into the log that types at the file's end; return the text after it."""
    file = File.objects.get(session=session, path=path)
    last = file.entries.order_by("-version").values_list("version", flat=True)[0] or 0
    change = ChangeSet.of(len(text), [(len(text), len(text), inserted)])
    Entry.objects.create(
        session=session,
        seq=history.last_seq(session.pk) + 1,
        file=file,
        version=last + 1,
        author=f"user:{user.pk}",
        client=ids.new_id(),
        counter=1,
        payload=dumps_ascii(change.to_json()),
    )
    return text + inserted
