"""Leases: one owner at a time, a fencing token that only rises, nobody waits for the dead."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from functools import partial
from io import StringIO

import pytest
from django.core.management import call_command

from tests.cast import Cast
from webapp.lib import clock
from webapp.live import ownership, reading
from webapp.live.hub import Hub
from webapp.live.ownership import LEASE_S, OwnedElsewhere
from webapp.pairing.models import Lease

pytestmark = pytest.mark.django_db


def test_a_held_session_is_refused_and_the_refusal_says_by_whom_and_until_when(cast: Cast) -> None:
    with clock.held(clock.HeldClock()) as time:
        assert ownership.acquire(cast.session.pk, "a") == 1
        with pytest.raises(OwnedElsewhere) as held:
            ownership.acquire(cast.session.pk, "b")
        assert held.value.owner == "a"
        assert held.value.frees_at == time.now() + timedelta(seconds=LEASE_S)


def test_a_lease_that_runs_out_is_taken_under_a_higher_epoch(cast: Cast) -> None:
    with clock.held(time := clock.HeldClock()):
        ownership.acquire(cast.session.pk, "a")
        time.advance(LEASE_S - 1)
        assert ownership.renew("a", {cast.session.pk: 1}) == set()
        time.advance(LEASE_S - 0.1)
        with pytest.raises(OwnedElsewhere):
            ownership.acquire(cast.session.pk, "b")
        time.advance(0.1)
        assert ownership.acquire(cast.session.pk, "b") == 2
        assert ownership.renew("a", {cast.session.pk: 1}) == {cast.session.pk}


def test_a_dead_owner_s_clock_that_ran_ahead_keeps_nobody_out(cast: Cast) -> None:
    with clock.held(clock.HeldClock()) as time:
        ahead = time.now() + timedelta(hours=1)
        Lease.objects.create(session=cast.session, owner="a", renewed_at=ahead)
        with pytest.raises(OwnedElsewhere) as held:
            ownership.acquire(cast.session.pk, "b")
        assert held.value.renewed_at == ahead
        assert ownership.acquire(cast.session.pk, "b", ahead) == 2


def test_an_owner_whose_clock_is_ahead_and_who_lives_keeps_its_session(cast: Cast) -> None:
    with clock.held(clock.HeldClock()) as time:
        ahead = time.now() + timedelta(hours=1)
        Lease.objects.create(session=cast.session, owner="a", renewed_at=ahead)
        Lease.objects.update(renewed_at=ahead + timedelta(seconds=1))
        with pytest.raises(OwnedElsewhere):
            ownership.acquire(cast.session.pk, "b", ahead)


async def test_a_session_whose_lease_lies_in_the_future_opens_after_one_lease(
    cast: Cast, hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ownership, "LEASE_S", 0.1)
    ahead = clock.now() + timedelta(hours=1)
    await reading.keep(
        partial(Lease.objects.create, session=cast.session, owner="dead", renewed_at=ahead)
    )
    async with asyncio.timeout(10):
        assert (await hub.enter(cast.session.pk)).epoch == 2


def test_what_is_given_back_or_was_a_dead_process_s_is_free_at_once(cast: Cast) -> None:
    ownership.acquire(cast.session.pk, "a")
    ownership.release("a", {cast.session.pk: 1})
    assert ownership.acquire(cast.session.pk, "b") == 2
    assert ownership.expire_leases("a") == 0
    assert ownership.expire_leases("b") == 1
    assert ownership.acquire(cast.session.pk, "c") == 3


def test_giving_back_under_an_old_epoch_gives_nothing_back(cast: Cast) -> None:
    ownership.acquire(cast.session.pk, "a")
    assert ownership.acquire(cast.session.pk, "a") == 2
    ownership.release("a", {cast.session.pk: 1})
    with pytest.raises(OwnedElsewhere):
        ownership.acquire(cast.session.pk, "b")


def test_the_supervisor_s_command_frees_what_its_dead_child_held(cast: Cast) -> None:
    ownership.acquire(cast.session.pk, "web-1")
    out = StringIO()
    call_command("expireleases", "web-1", stdout=out)
    assert Lease.objects.get(session=cast.session).owner == ""
    assert "1" in out.getvalue()


def test_what_earlier_runs_left_is_freed_by_the_beginning_of_their_names(cast: Cast) -> None:
    ownership.acquire(cast.session.pk, "web-abc-1")
    assert ownership.expire_leases_of_all("web-abd-") == 0
    assert ownership.expire_leases_of_all("web-abc-") == 1
    assert ownership.acquire(cast.session.pk, "web-xyz-1") == 2
