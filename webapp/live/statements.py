"""The two statements that every commit consists of, as SQL.

The ORM takes longer to build them (0.7 ms) than all the rest of a commit takes, and the model
writes sixty times a second. Names come from the models.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import cache
from typing import NamedTuple

from django.db import connection
from django.db.models import Field, Model

from webapp.pairing.models import Entry, Lease


class Row(NamedTuple):
    """One entry, as it is handed over: the fields of the model but for its session."""

    file: str
    seq: int
    version: int | None
    author: str
    client: str
    counter: int | None
    kind: str
    payload: str
    turn: str | None
    hunk: int | None
    at: datetime


def lock_leases(sessions: Sequence[str]) -> dict[str, tuple[str, int]]:
    """Return owner and epoch of these sessions' leases; nobody takes them before the commit."""
    with connection.cursor() as cursor:
        cursor.execute(_lease_sql(connection.vendor, len(sessions)), sessions)
        return {session: (owner, epoch) for session, owner, epoch in cursor.fetchall()}


@cache
def _lease_sql(vendor: str, count: int) -> str:
    table, session, owner, epoch = _names(Lease, "session", "owner", "epoch")
    # SQLite's transaction has the write lock already (IMMEDIATE).
    lock = "" if vendor == "sqlite" else " FOR NO KEY UPDATE"
    marks = ",".join(["%s"] * count)
    return (
        f"SELECT {session}, {owner}, {epoch} FROM {table}"  # noqa: S608 - names of our own models
        f" WHERE {session} IN ({marks}) ORDER BY {session}{lock}"
    )


def insert(rows: Sequence[tuple[str, Row]]) -> None:
    """Insert entries, each with its session."""
    at = connection.ops.adapt_datetimefield_value
    values = [(session, *row[:-1], at(row.at)) for session, row in rows]
    with connection.cursor() as cursor:
        cursor.executemany(_entry_sql(), values)


@cache
def _entry_sql() -> str:
    table, *columns = _names(Entry, "session", *Row._fields)
    marks = ",".join(["%s"] * len(columns))
    return f"INSERT INTO {table} ({','.join(columns)}) VALUES ({marks})"  # noqa: S608 - as above


def _names(model: type[Model], *fields: str) -> list[str]:
    """Return the quoted names of a model's table and of the columns of these fields."""
    held = [model._meta.get_field(name) for name in fields]
    columns = [field.column for field in held if isinstance(field, Field)]
    return [connection.ops.quote_name(str(name)) for name in (model._meta.db_table, *columns)]
