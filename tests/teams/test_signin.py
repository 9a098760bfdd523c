"""Links that sign in once."""

from __future__ import annotations

import threading

import pytest
from django.db import connection

from tests.cast import Cast
from webapp.lib import clock
from webapp.lib.clock import HeldClock
from webapp.teams import signin
from webapp.teams.models import SignInLink, User


def test_a_link_is_good_once(cast: Cast) -> None:
    secret = signin.issue_link(cast.member)
    assert signin.use_link(secret) == cast.member
    assert signin.use_link(secret) is None


def test_a_link_ends_at_its_minute(cast: Cast) -> None:
    with clock.held(HeldClock()) as held:
        assert isinstance(held, HeldClock)
        early, late = (signin.issue_link(cast.member, minutes=2) for _ in range(2))
        held.advance(119)
        assert signin.use_link(early) == cast.member
        held.advance(1)
        assert signin.use_link(late) is None


def test_only_the_digest_is_stored(cast: Cast) -> None:
    secret = signin.issue_link(cast.member)
    row = SignInLink.objects.get()
    assert secret not in (row.digest, str(row))
    assert signin.use_link(row.digest) is None


def test_old_links_are_swept_up(cast: Cast) -> None:
    with clock.held(HeldClock()) as held:
        assert isinstance(held, HeldClock)
        signin.issue_link(cast.member)
        held.advance(2 * 24 * 3600)
        signin.issue_link(cast.member)
    assert SignInLink.objects.count() == 1


def test_the_secret_stands_behind_the_hash(cast: Cast) -> None:
    secret = signin.issue_link(cast.member)
    address = signin.link_address("https://flint.example/", secret)
    assert address == f"https://flint.example/accounts/link/#{secret}"


@pytest.mark.django_db(transaction=True)
def test_of_two_at_the_same_time_one_gets_in() -> None:
    user = User.objects.create_user("ann@example.org")
    secret = signin.issue_link(user)
    together = threading.Barrier(4)
    let_in: list[User | None] = []

    def try_it() -> None:
        try:
            together.wait(timeout=10)
            let_in.append(signin.use_link(secret))
        finally:
            connection.close()

    threads = [threading.Thread(target=try_it) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(let_in, key=lambda found: found is None) == [user, None, None, None]
