"""Applies a model's message to a folder, as a live turn would write it."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any, Final, cast, get_args

from django.core.management.base import BaseCommand, CommandError

from webapp.document.text import dumps_ascii
from webapp.engine.landing.applying import Applied, apply_message, changed_files, text_of
from webapp.engine.landing.memory import MemoryWorkspace
from webapp.engine.ports import EditFormat
from webapp.live import folders

MAX_MESSAGE_BYTES: Final = 16 * 1024 * 1024
_REFUSED: Final = 1
_UNUSABLE: Final = 2


class Command(BaseCommand):
    """Needs no database. The message comes on standard input, in UTF-8.

    Prints one JSON object in ASCII: `files` has the text of each file that changed (null: it is
    gone), `hunks` what became of each edit, `error` the first reason why one was not made, or null.
    Ends with 0 when all was applied, with 1 when something was not or there was no edit, and with 2
    and a sentence when it could not be tried.
    """

    help = "Apply a model's message (standard input) to the files of a folder."
    requires_system_checks: tuple[str, ...] = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the format, the folder, the size of the pieces, and whether to write."""
        parser.add_argument(
            "--format", required=True, choices=get_args(EditFormat), help="how the message says it"
        )
        parser.add_argument(
            "--chunk", type=int, metavar="N", help="read it N characters at a time, as it streams"
        )
        parser.add_argument(
            "--write", action="store_true", help="write the files; without it nothing is written"
        )
        parser.add_argument("folder", metavar="DIR", help="the folder of the project")

    def handle(self, *args: Any, **options: Any) -> None:
        """Apply it, print what came of it, and end with the status that says so."""
        folder, chunk = Path(options["folder"]), options["chunk"]
        if chunk is not None and chunk < 1:
            raise CommandError("--chunk takes a number of 1 or more.", returncode=_UNUSABLE)
        message = _message()
        try:
            project = MemoryWorkspace(folders.files_in(folder))
            edit_format = cast(EditFormat, options["format"])
            applied = apply_message(project, message, edit_format, chunk=chunk)
            changed = changed_files(project)
            told = {path: text_of(file) if file else None for path, file in changed.items()}
            if options["write"]:
                folders.write(folder, changed)
        except folders.FolderError as error:
            raise CommandError(str(error), returncode=_UNUSABLE) from None
        self.stdout.write(dumps_ascii(_report(applied, told)))
        if applied.error is not None:
            sys.exit(_REFUSED)


def _message() -> str:
    source = getattr(sys.stdin, "buffer", None)
    data = source.read(MAX_MESSAGE_BYTES + 1) if source is not None else sys.stdin.read().encode()
    if len(data) > MAX_MESSAGE_BYTES:
        raise CommandError(
            f"The message is longer than {MAX_MESSAGE_BYTES} bytes.", returncode=_UNUSABLE
        )
    try:
        return cast(bytes, data).decode()
    except UnicodeDecodeError:
        raise CommandError("The message is not UTF-8.", returncode=_UNUSABLE) from None


def _report(applied: Applied, files: dict[str, str | None]) -> dict[str, Any]:
    hunks = [
        {"path": each.path, "status": each.status, "reason": str(each.reason) or None}
        for each in applied.outcomes
    ]
    return {"files": files, "hunks": hunks, "error": applied.error and str(applied.error)}
