"""The web process: Daphne, loaded while the tables and static files are still being prepared.

`python -m webapp.appliance.web GATE DAPHNE-ARGUMENT...` imports what takes long, waits until the
pipe GATE is closed at its other end, and only then becomes Daphne's command line. This is a second
that nobody waits for. A restart finds the gate open.
"""

from __future__ import annotations

import os
import sys


def main(arguments: list[str]) -> None:
    """Load, wait at the gate, serve until a signal."""
    # First of all: it installs the reactor that runs on asyncio.
    import django
    from daphne.cli import CommandLineInterface

    django.setup()
    from django.urls import get_resolver

    import webapp.live.consumer  # noqa: F401 - with all that it imports

    _ = get_resolver().url_patterns
    gate, *rest = arguments
    while os.read(int(gate), 64):
        pass
    CommandLineInterface().run(rest)


if __name__ == "__main__":
    main(sys.argv[1:])
