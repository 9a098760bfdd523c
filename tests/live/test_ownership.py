"""Leases: one owner at a time, a fencing token that only rises, nobody waits for the dead."""

from __future__ import annotations

from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import call_command

from tests.cast import Cast
from webapp.lib import clock
from webapp.live import ownership
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
