"""`manage.py rotatekeys`: encrypt the keys of all models anew, with the newest material."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.translation import gettext as _

from webapp.teams import secrets
from webapp.teams.models import Endpoint


class Command(BaseCommand):
    """Run twice, it changes nothing that matters; older material stays until it is told to go."""

    help = "Encrypts the keys of models that teams added with the newest of FLINT_ENDPOINT_KEYS."

    def add_arguments(self, parser: CommandParser) -> None:
        """Take whether older material goes."""
        parser.add_argument(
            "--forget-old",
            action="store_true",
            help=_("drop older keys from the file; backups made before need them"),
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Rotate, and say how many there were and which are lost."""
        try:
            if not secrets.is_in_settings() and not options["forget_old"]:
                secrets.add_newest()
            count, lost = _rotate()
            self.stdout.write(f"Keys that are encrypted with the newest material now: {count}.")
            for row in lost:
                self.stderr.write(
                    f"The key of {row.label!r} ({row.pk}) cannot be decrypted. "
                    "Enter it again on its team's Models page."
                )
            if options["forget_old"]:
                self._forget()
        except secrets.CannotSeal as error:
            raise CommandError(str(error)) from error

    def _forget(self) -> None:
        if secrets.is_in_settings():
            raise CommandError(
                "The material is in FLINT_ENDPOINT_KEYS: take the older keys out there, and start "
                "Flint again."
            )
        self.stdout.write(f"Older keys dropped from the file: {secrets.forget_older()}.")


def _rotate() -> tuple[int, list[Endpoint]]:
    """Return how many keys are sealed with the newest material now, and the rows that are lost."""
    count, lost = 0, []
    for row in Endpoint.objects.exclude(key="").order_by("created_at", "id"):
        if not secrets.is_newest(row.key):
            sealed = secrets.rotate(row.key)
            if sealed is None:
                lost.append(row)
                continue
            # A key that somebody typed meanwhile is sealed with the newest already.
            Endpoint.objects.filter(pk=row.pk, key=row.key).update(key=sealed)
        count += 1
    return count, lost
