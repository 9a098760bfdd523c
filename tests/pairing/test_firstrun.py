"""The first start of an installation, and every later one."""

from __future__ import annotations

import threading

import pytest
from django.db import connection

from webapp.pairing import firstrun
from webapp.pairing.models import Session
from webapp.teams.members import put_member
from webapp.teams.models import Membership, Team, User


def test_the_first_start_makes_a_team_its_owner_and_an_example(db: None) -> None:
    made = firstrun.ensure()
    assert made.made
    assert made.owner.email == firstrun.OWNER_EMAIL
    assert not made.owner.has_usable_password()
    assert Membership.objects.get().role == Membership.Role.OWNER
    session = Session.objects.get()
    assert (session.title, session.team, session.created_by) == ("Example", made.team, made.owner)


def test_the_second_start_makes_nothing(db: None) -> None:
    first = firstrun.ensure()
    second = firstrun.ensure()
    assert not second.made
    assert (second.team, second.owner) == (first.team, first.owner)
    assert (Team.objects.count(), User.objects.count(), Session.objects.count()) == (1, 1, 1)


def test_what_people_changed_stays_changed(db: None) -> None:
    first = firstrun.ensure()
    User.objects.filter(pk=first.owner.pk).update(email="ada@example.org", name="Ada")
    Session.objects.all().delete()
    again = firstrun.ensure()
    assert again.owner.email == "ada@example.org"
    assert not Session.objects.exists()
    assert User.objects.count() == 1


def test_the_owner_is_whoever_owns_the_team_by_now(db: None) -> None:
    first = firstrun.ensure()
    heir = User.objects.create_user("heir@example.org")
    put_member(first.team, heir, Membership.Role.OWNER)
    put_member(first.team, first.owner, Membership.Role.MEMBER)
    assert firstrun.ensure().owner == heir


@pytest.mark.django_db(transaction=True)
def test_two_starts_at_once_make_one_of_each() -> None:
    together = threading.Barrier(3)
    results: list[firstrun.FirstRun] = []

    def start() -> None:
        try:
            together.wait(timeout=10)
            results.append(firstrun.ensure())
        finally:
            connection.close()

    threads = [threading.Thread(target=start) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(found.made for found in results) == [False, False, True]
    assert (Team.objects.count(), User.objects.count(), Session.objects.count()) == (1, 1, 1)
