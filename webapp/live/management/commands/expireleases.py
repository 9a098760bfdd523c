"""Frees the sessions of a process that is known to be dead."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from webapp.live.ownership import expire_leases


class Command(BaseCommand):
    """Run by a supervisor that has reaped the process, so that nobody waits for a lease."""

    help = "Free the sessions held by a process (its FLINT_PROCESS) that is dead."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the owner's name."""
        parser.add_argument("owner", help="the FLINT_PROCESS of the dead process")

    def handle(self, *args: Any, **options: Any) -> None:
        """Free them, and say how many."""
        count = expire_leases(options["owner"])
        self.stdout.write(f"{count} sessions freed")
