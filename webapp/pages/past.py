"""What pages read of a session's past, as JSON: the same for people in it and for a replay.

Whatever an address with moments in it answers with never changes, so its tag is made of the address
alone, and a browser that has it is told so before anything is read. It asks each time all the same:
whoever may no longer see the session gets nothing more. Payloads stand in the answers as the log
has them. Everything here blocks, and sees only what is durable.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from django.http import HttpRequest, HttpResponse, HttpResponseNotModified, JsonResponse
from django.urls import URLPattern, path
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from webapp.document.text import dumps_ascii
from webapp.lib.ids import is_id
from webapp.pairing import history
from webapp.pairing.models import Entry, Session
from webapp.pairing.overview import People, Range, overview
from webapp.pairing.texts import LoadError, text_at

FORMAT: Final = "1"
"""Goes up when answers get another shape."""
_TAG: Final = re.compile(r'"([0-9a-f]+)"')
Kind = Entry.Kind


class NoMoment(Exception):
    """There is no such moment, or no such file in it."""


@dataclass(frozen=True, slots=True)
class Past:
    """A part of a session's log that somebody may see; `key` is what they know it by."""

    session: Session
    told: Range
    key: str

    def overview(self) -> str:
        """Return what happened: see pairing/overview.py."""
        return dumps_ascii(overview(self.session, self.told))

    def project(self, seq: int) -> str:
        """Return the files at a moment."""
        files = history.project_at(self.session.pk, seq)
        listed = [
            {
                "file": kept.id,
                "path": kept.path,
                "v": kept.version,
                "ending": kept.ending,
                "binary": kept.is_binary,
            }
            for kept in files
        ]
        return dumps_ascii({"seq": seq, "files": listed})

    def text(self, seq: int, file: str) -> str:
        """Return a file's text at a moment; raises NoMoment."""
        version = history.version_at(self.session.pk, file, seq)
        if version is None:
            raise NoMoment
        try:
            text = text_at(file, version)
        except LoadError:
            raise NoMoment from None
        return dumps_ascii({"seq": seq, "file": file, "v": version, "text": text})

    def entries(self, after: int, upto: int, file: str | None) -> str:
        """Return the entries behind a moment, up to `upto` or as many as fit."""
        page = history.entries_between(self.session.pk, after, upto, file)
        people = People()
        made = [entry.file_id for entry in page.entries if entry.kind == Kind.CREATE]
        paths = history.first_paths(made)
        listed = ",".join(_entry(entry, people, paths) for entry in page.entries)
        named = dumps_ascii(people.name())
        return f'{{"after":{after},"upto":{page.upto},"people":{named},"list":[{listed}]}}'

    def has(self, *moments: int) -> bool:
        """Say whether these moments may be seen."""
        return all(self.told.first <= seq <= self.told.last for seq in moments)


def _entry(entry: Entry, people: People, paths: dict[str, str]) -> str:
    about: dict[str, Any] = {
        "seq": entry.seq,
        "file": entry.file_id,
        "kind": entry.kind,
        "by": people.of(entry.author),
        "at": int(entry.at.timestamp() * 1000),
    }
    if entry.version is not None:
        about["v"] = entry.version
    if entry.turn_id is not None:
        about["turn"] = entry.turn_id
    if history.is_restore(entry.client):
        about["restore"] = True
    held = ""
    if entry.kind == Kind.CREATE:
        about["path"] = paths.get(entry.file_id, "")
        held = f',"text":{entry.payload}'
    elif entry.kind == Kind.RENAME:
        held = f',"path":{entry.payload}'
    elif entry.kind != Kind.DELETE:
        held = f',"c":{entry.payload}'
    return f"{dumps_ascii(about)[:-1]}{held}}}"


Read = Callable[[Past], HttpResponse]
Answered = Callable[[HttpRequest, str, Read], Awaitable[HttpResponse]]
"""Lets what it is given answer with the past that goes by a key, or says why nobody may see it."""


def addresses(answered: Answered, name: str) -> list[URLPattern]:
    """Return the addresses of a past, below one that holds its `key`; `name` is the overview's."""

    @require_safe
    async def overview(request: HttpRequest, key: str) -> HttpResponse:
        """Tell what happened so far."""
        return await answered(request, key, partial(_tell_overview, request))

    @require_safe
    async def project(request: HttpRequest, key: str, seq: int) -> HttpResponse:
        """Tell which files there were at a moment."""
        return await answered(request, key, partial(_tell_project, request, seq=seq))

    @require_safe
    async def text(request: HttpRequest, key: str, seq: int, file: str) -> HttpResponse:
        """Tell what a file held at a moment."""
        return await answered(request, key, partial(_tell_text, request, seq=seq, file=file))

    @require_safe
    async def entries(request: HttpRequest, key: str, after: int, upto: int) -> HttpResponse:
        """Tell what was written between two moments, in parts."""
        told = partial(_tell_entries, request, after=after, upto=upto)
        return await answered(request, key, told)

    return [
        path("", overview, name=name),
        path("<int:seq>/", project),
        path("<int:seq>/<str:file>/", text),
        path("<int:after>-<int:upto>/", entries),
    ]


def _tell_overview(request: HttpRequest, seen: Past) -> HttpResponse:
    body = seen.overview()
    return _answer(request, (body,), lambda: body)


def _tell_project(request: HttpRequest, seen: Past, seq: int) -> HttpResponse:
    if not seen.has(seq):
        return _nothing()
    return _answer(request, (seen.key, "project", seq), partial(seen.project, seq))


def _tell_text(request: HttpRequest, seen: Past, seq: int, file: str) -> HttpResponse:
    if not seen.has(seq) or not is_id(file):
        return _nothing()
    return _answer(request, (seen.key, "text", seq, file), partial(seen.text, seq, file))


def _tell_entries(request: HttpRequest, seen: Past, after: int, upto: int) -> HttpResponse:
    file = request.GET.get("file")
    if not seen.has(after, upto) or (file is not None and not is_id(file)):
        return _nothing()
    tag = (seen.key, "entries", after, upto, file)
    return _answer(request, tag, partial(seen.entries, after, upto, file))


def _answer(request: HttpRequest, tag: tuple[object, ...], make: Callable[[], str]) -> HttpResponse:
    """Answer with the JSON that `make` returns, unless the browser has it already."""
    known = hashlib.sha256(repr((FORMAT, tag)).encode()).hexdigest()[:32]
    try:
        if known in _TAG.findall(request.headers.get("If-None-Match", "")):
            response: HttpResponse = HttpResponseNotModified()
        else:
            response = HttpResponse(make(), content_type="application/json")
    except NoMoment:
        return _nothing()
    response["ETag"] = f'"{known}"'
    response["Cache-Control"] = "private, no-cache"
    return response


def _nothing() -> HttpResponse:
    message = gettext("There is no such moment in this session.")
    response = JsonResponse({"message": message}, status=404)
    response["Cache-Control"] = "no-store"
    return response
