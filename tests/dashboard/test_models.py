"""The list of models, and the frame around it."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytest_django import Settings

from tests.cast import Cast, signed_in
from tests.dashboard.people import KEY, add, admin, at, browser, refused
from webapp.lib.sentences import Sentence
from webapp.notices import modelstatus
from webapp.notices.modelstatus import ModelStatus
from webapp.teams import endpoints, secrets
from webapp.teams.members import create_team
from webapp.teams.models import Endpoint


def test_it_shows_the_installations_own_first_and_then_the_teams(cast: Cast) -> None:
    add(cast, "Quick one", KEY)
    page = browser(cast.owner).get(at(cast)).content.decode()
    assert 0 < page.index("Tiny") < page.index("Quick one")
    assert "Set by whoever runs this Flint, at 127.0.0.1:9" in page
    assert "models.example" in page and "32,768 tokens" in page
    assert "search and replace blocks" in page
    assert "Not tested yet" in page


def test_admins_see_it_and_others_do_not(cast: Cast) -> None:
    assert browser(admin(cast)).get(at(cast)).status_code == 200
    refused(cast, "get", at(cast))


def test_other_verbs_are_refused(cast: Cast) -> None:
    assert browser(cast.owner).post(at(cast)).status_code == 405
    assert browser(cast.owner).head(at(cast)).status_code == 200


def test_without_models_it_teaches(cast: Cast) -> None:
    page = browser(cast.owner).get(at(cast)).content.decode()
    assert "Bring a faster or a deeper model" in page
    assert "No model answers this tier yet" in page
    add(cast)
    assert "Bring a faster" not in browser(cast.owner).get(at(cast)).content.decode()


def test_what_the_last_test_found_is_shown_with_its_time(cast: Cast) -> None:
    row = add(cast)
    endpoints.note_test(row, Sentence("%(host)s refused.", host="<models>"))
    page = browser(cast.owner).get(at(cast)).content.decode()
    assert "&lt;models&gt; refused." in page
    assert "just now" in page
    endpoints.note_test(row, "")
    page = browser(cast.owner).get(at(cast)).content.decode()
    assert "Answered" in page and "refused" not in page


def test_a_lost_key_is_said_and_no_error(cast: Cast, home: Path) -> None:
    row = add(cast, "One", KEY, is_default=True)
    (home / secrets.FILE).unlink()
    answer = browser(cast.owner).get(at(cast))
    assert answer.status_code == 200
    page = answer.content.decode()
    assert "Enter the key again" in page
    assert f"/{row.pk}/test/" not in page
    Endpoint.objects.filter(pk=row.pk).update(key="no token")
    assert browser(cast.owner).get(at(cast)).status_code == 200


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (ModelStatus("downloading", "Deep", "", 1, 3, tier="standard"), "33% so far"),
        (ModelStatus("offered", "Deep", tier="standard"), "offers the download"),
        (ModelStatus("unfit", "Deep", "Too little memory.", tier="standard"), "Too little memory."),
        (ModelStatus("failed", "Deep", tier="standard"), "does not run"),
    ],
)
def test_how_far_an_embedded_model_is(
    cast: Cast, home: Path, settings: Settings, status: ModelStatus, words: str
) -> None:
    settings.MODELS["standard"]["base_url"] = "http://127.0.0.1:9"  # as the appliance has it
    modelstatus.write(home / "model-standard.json", status)
    page = browser(cast.owner).get(at(cast)).content.decode()
    assert "Deep" in page and words in page
    assert "Comes with Flint" in page


def test_the_teams_address_leads_to_it(cast: Cast) -> None:
    address = f"/team/{cast.team.pk}/"
    assert browser(cast.owner).get(address)["Location"] == at(cast)
    refused(cast, "get", address)
    assert browser(cast.owner).get("/team/%00/").status_code == 404
    assert browser(cast.owner).get(at(cast, "%00")).status_code == 404


def test_the_menu_of_those_who_manage_a_team_leads_to_it(cast: Cast) -> None:
    for person, count in ((cast.owner, 1), (cast.member, 0)):
        page = signed_in(person).get("/").content.decode()
        assert page.count(f'href="{at(cast)}"') == count
    assert signed_in(None).get("/accounts/login/").status_code == 200


def test_who_manages_several_teams_goes_from_one_to_the_other(cast: Cast) -> None:
    other = create_team("Second", cast.owner)
    page = browser(cast.owner).get(at(cast)).content.decode()
    assert "Choose another team" in page
    assert f'href="/team/{other.pk}/models/"' in page
