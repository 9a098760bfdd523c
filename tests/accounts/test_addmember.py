"""manage.py addmember."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from pytest_django import Settings

from tests.cast import Cast, signed_in
from webapp.teams.models import Membership, Team, User


def run(*arguments: str) -> str:
    out = io.StringIO()
    call_command("addmember", *arguments, stdout=out)
    return out.getvalue()


def secret_in(printed: str) -> str:
    origin = re.escape(settings.PUBLIC_ORIGINS[0])
    found = re.search(rf"^{origin}/accounts/link/#(\S+)$", printed, re.M)
    assert found, printed
    return found[1]


def test_a_colleague_gets_a_link_into_the_team(cast: Cast) -> None:
    printed = run("Ben@Example.org")
    assert "ben@example.org can sign in once within 10 minutes" in printed
    ben = User.objects.get(email="ben@example.org")
    assert not ben.has_usable_password()
    assert Membership.objects.get(user=ben).team == cast.team
    client = signed_in(None)
    client.post("/accounts/link/", {"secret": secret_in(printed)})
    assert client.get(f"/s/{cast.session.slug}/").status_code == 200


def test_twice_makes_one_member_and_two_links(cast: Cast) -> None:
    links = {secret_in(run("max@example.org")) for _ in range(2)}
    assert len(links) == 2
    assert Membership.objects.filter(user=cast.member).count() == 1


def test_it_keeps_the_role_unless_told(cast: Cast) -> None:
    run("olga@example.org")
    assert cast.team.memberships.get(user=cast.owner).role == "owner"
    run("max@example.org", "--role", "admin")
    assert cast.team.memberships.get(user=cast.member).role == "admin"
    run("max@example.org")
    assert cast.team.memberships.get(user=cast.member).role == "admin"


def test_another_role_makes_open_rooms_look_again(cast: Cast) -> None:
    run("max@example.org", "--role", "admin")
    cast.session.refresh_from_db()
    assert cast.session.access_version == 2


def test_the_only_owner_stays_owner(cast: Cast) -> None:
    with pytest.raises(CommandError, match="only owner"):
        run("olga@example.org", "--role", "member")
    assert cast.team.memberships.get(user=cast.owner).role == "owner"


def test_the_team_is_chosen_by_name_or_id(cast: Cast) -> None:
    elsewhere = Team.objects.get(name="Elsewhere")
    run("ben@example.org", "--team", "elsewhere")
    run("cleo@example.org", "--team", elsewhere.pk)
    assert elsewhere.memberships.count() == 3


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["nonsense"], "not an email"),
        (["a@example.org", "--team", "nowhere"], "no team"),
        (["a@example.org", "--minutes", "0"], "takes 1 to"),
        (["a@example.org", "--minutes", "99999"], "takes 1 to"),
    ],
)
def test_what_cannot_be_is_said_and_nothing_is_made(
    cast: Cast, arguments: list[str], says: str
) -> None:
    people = User.objects.count()
    with pytest.raises(CommandError, match=says):
        run(*arguments)
    assert User.objects.count() == people


def test_a_deactivated_person_gets_no_link(cast: Cast) -> None:
    User.objects.filter(pk=cast.member.pk).update(is_active=False)
    with pytest.raises(CommandError, match="deactivated"):
        run("max@example.org")


def test_the_link_leads_to_the_flint_that_runs_on_the_folder(
    cast: Cast, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PUBLIC_ORIGINS", raising=False)
    settings.FLINT_HOME = tmp_path
    note = {"pid": os.getpid(), "address": "http://127.0.0.1:1"}
    (tmp_path / "appliance.lock").write_text(json.dumps(note), encoding="utf-8")
    assert "http://127.0.0.1:1/accounts/link/#" in run("ben@example.org")
    monkeypatch.setenv("PUBLIC_ORIGINS", settings.PUBLIC_ORIGINS[0])
    assert secret_in(run("ben@example.org"))


def test_the_note_of_a_flint_that_has_ended_counts_for_nothing(
    cast: Cast, settings: Settings, tmp_path: Path
) -> None:
    settings.FLINT_HOME = tmp_path
    ended = subprocess.Popen(["true"])
    ended.wait()
    note = {"pid": ended.pid, "address": "http://127.0.0.1:1"}
    (tmp_path / "appliance.lock").write_text(json.dumps(note), encoding="utf-8")
    assert secret_in(run("ben@example.org"))


def test_on_a_new_installation_it_makes_the_team_first(db: None) -> None:
    run("ben@example.org")
    assert Membership.objects.filter(role="owner").count() == 1
    assert Membership.objects.filter(user__email="ben@example.org", role="member").exists()
