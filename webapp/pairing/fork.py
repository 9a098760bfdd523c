"""A new session with the files of another one as they were at some moment.

Texts, line ends, encodings, rights and the bytes of binary files come along, and the rules for what
a turn may touch; the log begins anew. Read and written file by file, in short writes (create.py):
nobody sees the copy before it is whole.
"""

from __future__ import annotations

from collections.abc import Iterator

from webapp.document.encodings import Binary, Recognised
from webapp.pairing import create, history
from webapp.pairing.export import Kept
from webapp.pairing.models import Session
from webapp.pairing.texts import bytes_of, text_at
from webapp.pairing.uploads import NewFile
from webapp.teams.models import User


def fork(session: Session, user: User, title: str, seq: int) -> Session:
    """Return a new session of the same team with the project right after the entry `seq`.

    Raises LoadError when the log has a hole, and has made nothing then. Blocks.
    """
    copy = Session(
        team_id=session.team_id,
        title=title,
        created_by=user,
        forked_from=session,
        forked_seq=seq,
        protected=session.protected,
        guard_lines=session.guard_lines,
        guard_percent=session.guard_percent,
    )
    return create.make(copy, f"user:{user.pk}", _files(session, seq))


def _files(session: Session, seq: int) -> Iterator[NewFile]:
    for kept in history.project_at(session.pk, seq):
        yield NewFile(kept.path, _content(kept), kept.is_executable)


def _content(kept: Kept) -> Recognised | Binary:
    if kept.is_binary:
        return Binary(bytes_of(kept.id))
    text = text_at(kept.id, kept.version)
    return Recognised(text, kept.encoding, kept.has_bom, kept.ending)
