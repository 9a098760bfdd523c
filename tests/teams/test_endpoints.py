"""The models of a team: who may change them, and what a change keeps."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pytest_django import Settings

from tests.cast import Cast
from webapp.lib.sentences import Sentence
from webapp.teams import endpoints, secrets
from webapp.teams.access import NotFound
from webapp.teams.endpoints import Draft, Full, key_of, origin_of
from webapp.teams.members import put_member
from webapp.teams.models import Endpoint, Membership, User

DRAFT = Draft("One", "preview", "https://models.example/v1", "m", "blocks", 32_768, 8192)


@pytest.fixture(autouse=True)
def home(settings: Settings, tmp_path: Path) -> Path:
    """An empty home, and no material in the settings."""
    settings.FLINT_HOME = tmp_path
    settings.FLINT_ENDPOINT_KEYS = []
    return tmp_path


def draft(**more: Any) -> Draft:
    return Draft(**({name: getattr(DRAFT, name) for name in Draft.__slots__} | more))


def add(cast: Cast, key: str = "", **more: Any) -> Endpoint:
    row = endpoints.add(cast.owner, cast.team.pk, draft(**more), key)
    assert isinstance(row, Endpoint)
    return row


def change(cast: Cast, row: Endpoint, key: str | None = None, **more: Any) -> Endpoint:
    return endpoints.change(cast.owner, cast.team.pk, row.pk, draft(**more), key)


def defaults(cast: Cast) -> list[str]:
    rows = endpoints.rows_of(cast.team.pk)
    return [f"{row.tier} {row.label}" for row in rows if row.is_default]


def test_only_who_manages_the_team_may_do_anything(cast: Cast) -> None:
    row = add(cast, "sk")
    admin = User.objects.create_user("ada@example.org")
    put_member(cast.team, admin, Membership.Role.ADMIN)
    assert endpoints.endpoint_for(admin, cast.team.pk, row.pk) == row
    away = User.objects.create_user("gone@example.org")
    put_member(cast.team, away, Membership.Role.OWNER)
    away.is_active = False
    acts: list[Callable[[User], object]] = [
        lambda who: endpoints.endpoints_for(who, cast.team.pk),
        lambda who: endpoints.endpoint_for(who, cast.team.pk, row.pk),
        lambda who: endpoints.add(who, cast.team.pk, DRAFT, ""),
        lambda who: endpoints.change(who, cast.team.pk, row.pk, DRAFT, ""),
        lambda who: endpoints.make_default(who, cast.team.pk, row.pk),
        lambda who: endpoints.give_back(who, cast.team.pk, "preview"),
        lambda who: endpoints.set_window(who, cast.team.pk, row.pk, 4096),
        lambda who: endpoints.remove(who, cast.team.pk, row.pk),
        lambda who: endpoints.removed_for(who, cast.team.pk, row.pk),
        lambda who: endpoints.restore(who, cast.team.pk, row.pk),
    ]
    for person in (cast.member, cast.stranger, away):
        for act in acts:
            with pytest.raises(NotFound):
                act(person)
    [left] = endpoints.rows_of(cast.team.pk)
    assert (left.label, key_of(left), left.is_default) == ("One", "sk", False)


def test_another_teams_row_is_not_there_under_ones_own_team(cast: Cast) -> None:
    row = add(cast)
    own = cast.stranger.memberships.get().team_id
    for id in (row.pk, "a" * 20, "\0", ""):
        with pytest.raises(NotFound):
            endpoints.endpoint_for(cast.stranger, own, id)
        with pytest.raises(NotFound):
            endpoints.remove(cast.stranger, own, id)
    with pytest.raises(NotFound):
        endpoints.endpoints_for(cast.owner, "\0")
    assert endpoints.rows_of(cast.team.pk) == [row]


def test_a_tier_has_one_default_at_most(cast: Cast) -> None:
    one = add(cast, label="One", is_default=True)
    two = add(cast, label="Two", is_default=True)
    add(cast, label="Deep", tier="standard", is_default=True)
    assert defaults(cast) == ["preview Two", "standard Deep"]
    endpoints.make_default(cast.owner, cast.team.pk, one.pk)
    endpoints.make_default(cast.owner, cast.team.pk, one.pk)
    assert defaults(cast) == ["preview One", "standard Deep"]
    change(cast, two, label="Two", tier="standard", is_default=True)
    assert defaults(cast) == ["preview One", "standard Two"]
    endpoints.give_back(cast.owner, cast.team.pk, "preview")
    assert defaults(cast) == ["standard Two"]


def test_the_key_stays_until_it_is_replaced_or_removed(cast: Cast) -> None:
    row = add(cast, "sk-1")
    assert key_of(change(cast, row, model="other")) == "sk-1"
    assert key_of(change(cast, row, "sk-2")) == "sk-2"
    assert key_of(change(cast, row, "")) == ""
    assert Endpoint.objects.get(pk=row.pk).key == ""


@pytest.mark.parametrize(
    ("base_url", "kept"),
    [
        ("https://models.example/other", "sk"),
        ("https://MODELS.example:443/v1", "sk"),
        ("https://elsewhere.example/v1", ""),
        ("http://models.example/v1", ""),
        ("https://models.example:8443/v1", ""),
    ],
)
def test_a_key_does_not_follow_to_another_server(cast: Cast, base_url: str, kept: str) -> None:
    row = change(cast, add(cast, "sk"), base_url=base_url)
    assert key_of(row) == kept


def test_a_row_that_is_moved_behind_our_back_takes_no_key_along(cast: Cast) -> None:
    row = add(cast, "sk")
    Endpoint.objects.filter(pk=row.pk).update(base_url="https://elsewhere.example/v1")
    row.refresh_from_db()
    assert key_of(row) is None


def test_a_test_says_nothing_of_what_was_changed_since(cast: Cast) -> None:
    row = add(cast, "sk")
    problem = Sentence("%(host)s refused.", host="models.example")
    endpoints.note_test(row, problem)
    row.refresh_from_db()
    assert row.tested_at is not None
    assert endpoints.problem_of(row) == "models.example refused."
    assert change(cast, row, label="Renamed").problem == row.problem
    stale = Endpoint.objects.get(pk=row.pk)
    changed = change(cast, row, model="other")
    assert (changed.tested_at, changed.problem) == (None, "")
    endpoints.note_test(stale, "")
    changed.refresh_from_db()
    assert changed.tested_at is None


def test_a_deletion_can_be_undone_with_its_key(cast: Cast) -> None:
    row = add(cast, "sk", is_default=True)
    endpoints.remove(cast.owner, cast.team.pk, row.pk)
    assert endpoints.rows_of(cast.team.pk) == []
    assert endpoints.removed_for(cast.owner, cast.team.pk, row.pk) == row
    other = cast.stranger.memberships.get().team_id
    assert endpoints.removed_for(cast.stranger, other, row.pk) is None
    restored = endpoints.restore(cast.owner, cast.team.pk, row.pk)
    assert restored is not None
    assert (restored.pk, key_of(restored), restored.is_default) == (row.pk, "sk", True)
    assert endpoints.restore(cast.owner, cast.team.pk, row.pk) is None
    assert len(endpoints.rows_of(cast.team.pk)) == 1


def test_what_comes_back_gives_way_to_what_came_meanwhile(cast: Cast) -> None:
    row = add(cast, is_default=True)
    endpoints.remove(cast.owner, cast.team.pk, row.pk)
    add(cast, label="one", is_default=True)
    restored = endpoints.restore(cast.owner, cast.team.pk, row.pk)
    assert restored is not None
    assert (restored.label, restored.is_default) == ("One 2", False)


def test_names_are_told_apart_without_case_and_within_the_team(cast: Cast) -> None:
    row = add(cast)
    assert endpoints.is_label_taken(cast.team, "ONE")
    assert not endpoints.is_label_taken(cast.team, "ONE", but=row.pk)
    assert not endpoints.is_label_taken(cast.stranger.memberships.get().team, "One")


def test_a_team_has_so_many_and_no_more(cast: Cast) -> None:
    rows = [Endpoint(team=cast.team, label=f"{n}", base_url="x", model="m") for n in range(50)]
    Endpoint.objects.bulk_create(rows)
    assert endpoints.add(cast.owner, cast.team.pk, DRAFT, "sk") == Full()
    assert Endpoint.objects.count() == endpoints.MOST


def test_a_smaller_window_shortens_the_answer(cast: Cast) -> None:
    row = endpoints.set_window(cast.owner, cast.team.pk, add(cast).pk, 4096)
    assert (row.context_window, row.max_output) == (4096, 2048)


def test_without_material_nothing_is_kept(cast: Cast, home: Path) -> None:
    (home / secrets.FILE).write_text("broken")
    with pytest.raises(secrets.CannotSeal):
        add(cast, "sk")
    assert endpoints.rows_of(cast.team.pk) == []


@pytest.mark.parametrize(
    ("address", "origin"),
    [
        ("https://A.example/v1", "https://a.example:443"),
        ("http://[::1]:11434/v1", "http://::1:11434"),
        ("https://a.example.", "https://a.example:443"),
        ("ftp://a.example", ""),
        ("https://a.example:99999", ""),
        ("https://[", ""),
        ("no address", ""),
    ],
)
def test_origins(address: str, origin: str) -> None:
    assert origin_of(address) == origin
