"""Django inside the supervisor: what must be done to the database before and between web processes.

Django stays loaded, because starting it takes longer than people should wait for a session that
was held by a process that died. Every function leaves no connection open.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from webapp.appliance.checks import Refusal

if TYPE_CHECKING:
    from webapp.teams.models import User

P = ParamSpec("P")
R = TypeVar("R")
LINK_MINUTES = 10


def load(environment: Mapping[str, str]) -> None:
    """Set Django up with the children's environment."""
    os.environ.update(environment)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "webapp.config.settings")
    import django

    django.setup()


def _alone(function: Callable[P, R]) -> Callable[P, R]:
    """Close the connections afterwards, and tell of a database that is away as a Refusal."""

    @functools.wraps(function)
    def wrapped(*args: P.args, **kwargs: P.kwargs) -> R:
        from django.db import connections
        from django.db.utils import DatabaseError, InterfaceError

        try:
            return function(*args, **kwargs)
        except (DatabaseError, InterfaceError) as error:
            why = " ".join(str(error).split()).rstrip(".?")
            raise Refusal(
                f"The database cannot be used: {why}. If DATABASE_URL is set, see whether that "
                "server runs and the address is right; then run `make run` again."
            ) from error
        finally:
            connections.close_all()

    return wrapped


@_alone
def migrate() -> None:
    """Bring the tables up to date; quick when they are."""
    from django.core.management import call_command
    from django.db import connection
    from django.db.migrations.executor import MigrationExecutor

    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        call_command("migrate", interactive=False, verbosity=0, skip_checks=True)


@_alone
def first_user() -> User:
    """Return the person who owns this Flint, made with a team and an example at the first start."""
    from webapp.pairing import firstrun

    return firstrun.ensure().owner


@_alone
def sign_in_secret(user: User) -> str:
    """Return the secret of a link that lets the person in once, within LINK_MINUTES."""
    from webapp.teams import signin

    return signin.issue_link(user, minutes=LINK_MINUTES)


@_alone
def expire_leases(owner: str) -> int:
    """Free the sessions of a web process that died; returns how many."""
    from webapp.live import ownership

    return ownership.expire_leases(owner)


@_alone
def expire_leases_of_earlier_runs(owner_prefix: str) -> int:
    """Free what earlier runs of this folder left, all of them dead; returns how many."""
    from webapp.live import ownership

    return ownership.expire_leases_of_all(owner_prefix)
