"""The page after the first link."""

from __future__ import annotations

import pytest

from tests.cast import PASSWORD, Cast, signed_in
from webapp.pairing import firstrun
from webapp.teams.models import User

ADDRESS = "/accounts/welcome/"
FILLED = {"name": "Ada", "email": "Ada@Example.org", "password": "correct horse staple"}


@pytest.fixture
def newcomer(cast: Cast) -> User:
    return User.objects.create_user("new@example.org")


def test_it_stores_name_email_and_password_and_keeps_the_person_in(newcomer: User) -> None:
    client = signed_in(newcomer)
    answer = client.post(ADDRESS, FILLED)
    assert answer.status_code == 302
    newcomer.refresh_from_db()
    assert (newcomer.name, newcomer.email) == ("Ada", "ada@example.org")
    assert newcomer.check_password(FILLED["password"])
    assert client.get("/").status_code == 200


def test_afterwards_email_and_password_sign_in(newcomer: User) -> None:
    signed_in(newcomer).post(ADDRESS, FILLED)
    client = signed_in(None)
    form = {"login": "ADA@example.org", "password": FILLED["password"]}
    assert client.post("/accounts/login/", form)["Location"] == "/"
    assert client.get("/").status_code == 200


def test_it_can_be_skipped(newcomer: User) -> None:
    client = signed_in(newcomer)
    assert "Skip for now" in client.get(ADDRESS).content.decode()
    assert client.get("/").status_code == 200


def test_the_first_owner_is_not_asked_to_keep_a_made_up_address(db: None) -> None:
    owner = firstrun.ensure().owner
    page = signed_in(owner).get(ADDRESS).content.decode()
    assert f'value="{firstrun.OWNER_EMAIL}"' not in page


@pytest.mark.parametrize(
    ("field", "value", "says"),
    [
        ("name", "", "required"),
        ("email", "nonsense", "valid email"),
        ("email", "OLGA@example.org", "uses this address already"),
        ("password", "short", "too short"),
        ("password", "1234567890", "too common"),
        ("password", "", "required"),
    ],
)
def test_what_cannot_be_is_said_and_nothing_is_stored(
    newcomer: User, field: str, value: str, says: str
) -> None:
    client = signed_in(newcomer)
    page = client.post(ADDRESS, FILLED | {field: value}).content.decode()
    assert says in page
    newcomer.refresh_from_db()
    assert newcomer.name == ""
    assert not newcomer.has_usable_password()


def test_whoever_has_a_password_goes_to_the_profile(cast: Cast) -> None:
    client = signed_in(cast.member)
    assert client.post(ADDRESS, FILLED)["Location"] == "/accounts/profile/"
    cast.member.refresh_from_db()
    assert cast.member.check_password(PASSWORD)


def test_the_anonymous_sign_in_first(cast: Cast) -> None:
    assert signed_in(None).get(ADDRESS).status_code == 302
    assert signed_in(None).post(ADDRESS, FILLED).status_code == 302
