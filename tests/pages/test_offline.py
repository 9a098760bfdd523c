"""The service worker's script, and who pages say they are for."""

from __future__ import annotations

import json
import re

import pytest
from django.test import Client

from tests.cast import Cast, signed_in
from webapp.pages import offline


def _shell(client: Client) -> dict[str, object]:
    text = client.get("/sw.js").content.decode()
    found = re.match(r"globalThis\.FLINT = (.+);\n", text)
    assert found, text[:200]
    return dict(json.loads(found[1]))


@pytest.mark.django_db
def test_the_worker_is_a_script_at_the_root_that_no_browser_keeps() -> None:
    answer = Client().get("/sw.js")
    assert answer["Content-Type"] == "text/javascript; charset=utf-8"
    assert answer["Service-Worker-Allowed"] == "/"
    assert "no-store" in answer["Cache-Control"]
    assert "worker-src 'self'" in answer["Content-Security-Policy"]
    assert Client().post("/sw.js").status_code == 405


@pytest.mark.django_db
def test_it_knows_everything_that_a_session_page_loads_and_not_itself() -> None:
    assets = _shell(Client())["assets"]
    for name in ("js/pages/session.js", "css/editor.css", "vendor/codemirror.js", "img/icons.svg"):
        assert f"/static/{name}" in assets
    assert "/static/js/pages/worker.js" not in assets
    assert not [name for name in assets if name.endswith((".d.ts", ".md"))]


@pytest.mark.django_db
def test_every_answer_of_the_worker_is_a_static_file(client: Client) -> None:
    for path in _shell(client)["assets"]:
        assert client.get(path).status_code == 200, path


@pytest.mark.django_db
def test_another_file_is_another_version(monkeypatch: pytest.MonkeyPatch) -> None:
    before = _shell(Client())["version"]
    assert _shell(Client())["version"] == before
    known = list(offline._assets())
    monkeypatch.setattr(offline, "_assets", lambda: iter([*known, ("/static/new.js", "1")]))
    assert _shell(Client())["version"] != before


def test_pages_name_the_person_they_are_for(cast: Cast) -> None:
    for path in ("/", f"/s/{cast.session.slug}/"):
        assert signed_in(cast.member).get(path)["Flint-Person"] == str(cast.member.pk)
    refused = signed_in(cast.stranger).get(f"/s/{cast.session.slug}/")
    assert refused.status_code == 404
    assert "Flint-Person" not in refused


def test_the_page_of_what_is_kept_is_for_whoever_is_signed_in(cast: Cast) -> None:
    page = signed_in(cast.member).get("/offline/").content.decode()
    assert f'data-user="{cast.member.pk}"' in page
    assert 'data-user=""' in Client().get("/offline/").content.decode()
    assert cast.session.title not in page
