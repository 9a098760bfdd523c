"""The profile page and the password pages behind it."""

from __future__ import annotations

import re

import pytest
from django.core import mail

from tests.cast import PASSWORD, Cast, signed_in, without_token
from webapp.teams.models import User

ADDRESS = "/accounts/profile/"
NEW = "another long phrase"


def test_the_name_is_changed(cast: Cast) -> None:
    client = signed_in(cast.member)
    answer = client.post(ADDRESS, {"name": "Maxine"}, follow=True)
    assert "Your name was saved" in answer.content.decode()
    cast.member.refresh_from_db()
    assert cast.member.name == "Maxine"


@pytest.mark.parametrize("name", ["Max \u202e(you)", "Max\u2066", "\u200d", "\u200b \u200b"])
def test_a_name_that_would_turn_what_stands_beside_it_is_refused(cast: Cast, name: str) -> None:
    answer = signed_in(cast.member).post(ADDRESS, {"name": name})
    assert "cannot be seen" in answer.content.decode()
    cast.member.refresh_from_db()
    assert cast.member.name == "Max Member"


@pytest.mark.parametrize("name", ["עדי \u200fכהן", "👩\u200d💻", "Zoe\u0308", ""])
def test_a_name_in_any_script_is_kept(cast: Cast, name: str) -> None:
    signed_in(cast.member).post(ADDRESS, {"name": name})
    cast.member.refresh_from_db()
    assert cast.member.name == name


def test_nothing_but_the_name_is(cast: Cast) -> None:
    form = {"name": "Maxine", "email": "evil@example.org", "is_superuser": "on"}
    signed_in(cast.member).post(ADDRESS, form)
    cast.member.refresh_from_db()
    assert cast.member.email == "max@example.org"
    assert not cast.member.is_superuser


def test_the_password_is_changed_by_who_knows_the_old_one(cast: Cast) -> None:
    client = signed_in(cast.member)
    form = {"oldpassword": "wrong", "password1": NEW, "password2": NEW}
    assert client.post("/accounts/password/change/", form).status_code == 200
    cast.member.refresh_from_db()
    assert cast.member.check_password(PASSWORD)
    form["oldpassword"] = PASSWORD
    assert client.post("/accounts/password/change/", form)["Location"] == ADDRESS
    cast.member.refresh_from_db()
    assert cast.member.check_password(NEW)
    assert client.get(ADDRESS).status_code == 200


def test_without_a_password_the_way_leads_to_the_welcome_page(cast: Cast) -> None:
    client = signed_in(User.objects.create_user("new@example.org"))
    assert "You have none yet" in client.get(ADDRESS).content.decode()
    answer = client.get("/accounts/password/change/", follow=True)
    assert answer.request["PATH_INFO"] == "/accounts/welcome/"


def test_a_forgotten_password_is_replaced_by_mail(cast: Cast) -> None:
    client = signed_in(None)
    answer = client.post("/accounts/password/reset/", {"email": "MAX@example.org"}, follow=True)
    assert "Look into your mail" in answer.content.decode()
    assert mail.outbox[0].subject == "A new password for Flint"
    found = re.search(r"http://\S+", str(mail.outbox[0].body))
    assert found
    page = client.get(found[0], follow=True)
    path = page.request["PATH_INFO"]
    assert client.post(path, {"password1": NEW, "password2": NEW}).status_code == 302
    cast.member.refresh_from_db()
    assert cast.member.check_password(NEW)
    assert "This link no longer works" in client.get(found[0], follow=True).content.decode()


def test_resetting_does_not_tell_who_has_an_account(cast: Cast) -> None:
    pages = [
        signed_in(None).post("/accounts/password/reset/", {"email": email}, follow=True)
        for email in ("max@example.org", "nobody@example.org")
    ]
    texts = [without_token(page.content.decode()) for page in pages]
    assert texts[0] == texts[1]
    assert [message.to for message in mail.outbox] == [["max@example.org"]]


def test_the_anonymous_sign_in_first_and_other_verbs_are_refused(cast: Cast) -> None:
    assert signed_in(None).post(ADDRESS, {"name": "x"}).status_code == 302
    assert signed_in(cast.member).delete(ADDRESS).status_code == 405
