"""Email and password, in and out; nobody signs up by themselves."""

from __future__ import annotations

from django.utils.translation import override

from tests.cast import PASSWORD, Cast, signed_in, without_token
from webapp.accounts.adapter import AccountAdapter
from webapp.teams.models import User

OURS = (
    "email_password_mismatch",
    "invalid_login",
    "too_many_login_attempts",
    "enter_current_password",
    "invalid_password_reset",
    "rate_limited",
)
LOGIN = "/accounts/login/"


def test_in_and_out(cast: Cast) -> None:
    client = signed_in(None)
    form = {"login": "Max@Example.org", "password": PASSWORD}
    assert client.post(f"{LOGIN}?next=/s/x/", form)["Location"] == "/s/x/"
    assert client.get("/").status_code == 200
    assert client.get("/accounts/logout/").status_code == 200
    assert client.get("/").status_code == 200
    assert client.post("/accounts/logout/").status_code == 302
    assert client.get("/").status_code == 302


def test_the_way_after_it_leads_nowhere_else(cast: Cast) -> None:
    form = {"login": "max@example.org", "password": PASSWORD, "next": "https://evil.example/"}
    assert signed_in(None).post(LOGIN, form)["Location"] == "/"


def test_a_wrong_password_and_an_unknown_address_sound_the_same(cast: Cast) -> None:
    pages = [
        signed_in(None).post(LOGIN, {"login": email, "password": "wrong wrong"}).content.decode()
        for email in ("max@example.org", "xam@example.org")
    ]
    assert "errorlist" in pages[0]
    assert without_token(pages[0]).replace("max@", "xam@") == without_token(pages[1])


def test_too_many_tries_are_held_up(cast: Cast) -> None:
    client = signed_in(None)
    form = {"login": "max@example.org", "password": "wrong wrong"}
    pages = [client.post(LOGIN, form).content.decode() for _ in range(12)]
    assert "too many times" in pages[-1]
    form["password"] = PASSWORD
    assert client.post(LOGIN, form).status_code != 302


def test_what_the_forms_say_calls_people_as_all_of_flint_does() -> None:
    with override("zh-hans"):
        said = [str(AccountAdapter.error_messages[code]) for code in OURS]
    assert len({*said}) == len(OURS) - 1  # a wrong password is told in one way
    assert not any("您" in text or text.isascii() for text in said)


def test_a_deactivated_person_stays_out(cast: Cast) -> None:
    User.objects.filter(pk=cast.member.pk).update(is_active=False)
    client = signed_in(None)
    client.post(LOGIN, {"login": "max@example.org", "password": PASSWORD})
    assert client.get("/").status_code == 302


def test_sign_up_is_closed(cast: Cast) -> None:
    form = {"email": "a@example.org", "password1": PASSWORD, "password2": PASSWORD}
    for answer in (
        signed_in(None).get("/accounts/signup/"),
        signed_in(None).post("/accounts/signup/", form),
    ):
        assert "People are added by their team" in answer.content.decode()
    assert not User.objects.filter(email="a@example.org").exists()
