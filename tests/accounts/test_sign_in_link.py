"""The one-time link: its page, its button, and the one answer for all links that do not work."""

from __future__ import annotations

from tests.cast import PASSWORD, Cast, signed_in, without_token
from webapp.lib import clock
from webapp.lib.clock import HeldClock
from webapp.teams.models import User
from webapp.teams.signin import issue_link

ADDRESS = "/accounts/link/"


def test_opening_it_signs_nobody_in_and_uses_nothing_up(cast: Cast) -> None:
    secret = issue_link(cast.member)
    client = signed_in(None)
    page = client.get(ADDRESS)
    assert page.status_code == 200
    assert secret not in page.content.decode()
    assert client.get("/").status_code == 302
    assert client.post(ADDRESS, {"secret": secret}).status_code == 302


def test_the_button_signs_in_and_leads_to_the_only_session(cast: Cast) -> None:
    client = signed_in(None)
    answer = client.post(ADDRESS, {"secret": issue_link(cast.member)})
    assert answer["Location"] == f"/s/{cast.session.slug}/"
    assert client.get(answer["Location"]).status_code == 200


def test_without_a_password_the_way_goes_over_the_welcome_page(cast: Cast) -> None:
    guest = User.objects.create_user("new@example.org")
    answer = signed_in(None).post(ADDRESS, {"secret": issue_link(guest)})
    assert answer["Location"] == "/accounts/welcome/"


def test_used_expired_and_unknown_links_get_the_same_answer(cast: Cast) -> None:
    used = issue_link(cast.member)
    signed_in(None).post(ADDRESS, {"secret": used})
    with clock.held(HeldClock()) as held:
        expired = issue_link(cast.member)
        assert isinstance(held, HeldClock)
        held.advance(601)
        answers = [
            signed_in(None).post(ADDRESS, {"secret": secret})
            for secret in (used, expired, "unknown", "")
        ]
    assert {answer.status_code for answer in answers} == {410}
    pages = [without_token(answer.content.decode()) for answer in answers]
    assert all("make run" in page and "addmember" in page for page in pages)
    assert all("Nobody was signed in" in page for page in pages)
    assert len(set(pages)) == 1


def test_somebody_else_who_was_signed_in_here_is_signed_out(cast: Cast) -> None:
    client = signed_in(cast.stranger)
    client.post(ADDRESS, {"secret": issue_link(cast.member)})
    assert "max@example.org" in client.get("/accounts/profile/").content.decode()


def test_the_session_gets_a_new_key(cast: Cast) -> None:
    client = signed_in(None)
    client.get(ADDRESS)
    client.session["planted"] = "1"
    before = client.session.session_key
    client.post(ADDRESS, {"secret": issue_link(cast.member)})
    assert client.session.session_key != before


def test_a_deactivated_person_stays_out(cast: Cast) -> None:
    secret = issue_link(cast.member)
    User.objects.filter(pk=cast.member.pk).update(is_active=False)
    assert signed_in(None).post(ADDRESS, {"secret": secret}).status_code == 410


def test_other_verbs_are_refused(cast: Cast) -> None:
    assert signed_in(None).put(ADDRESS).status_code == 405


def test_the_password_still_works_beside_links(cast: Cast) -> None:
    client = signed_in(None)
    client.post(ADDRESS, {"secret": issue_link(cast.member)})
    assert client.login(username=cast.member.email, password=PASSWORD)
