"""Files into a session that exists, through the page's address."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import AsyncClient
from pytest_django import Settings

from tests.cast import FILES, Cast, signed_in
from tests.live.conftest import hub, rows
from tests.live.people import Page
from webapp.live.hub import Hub
from webapp.pairing import export
from webapp.pairing.models import BlobPart
from webapp.teams.models import User

__all__ = ["hub", "rows"]
OLD = {path: text.encode() for path, text in FILES.items()}


async def _post(user: User, slug: str, files: dict[str, bytes], **fields: str) -> Any:
    client = AsyncClient()
    await client.aforce_login(user, backend="django.contrib.auth.backends.ModelBackend")
    lines = [
        f'--x\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode()
        for name, value in fields.items()
    ]
    for path, data in files.items():
        head = f'form-data; name="files"; filename="{path}"\r\nContent-Type: text/plain'
        lines.append(f"--x\r\nContent-Disposition: {head}\r\n\r\n".encode() + data + b"\r\n")
    body = b"".join(lines) + b"--x--\r\n"
    return await client.post(
        f"/s/{slug}/upload/",
        body,
        content_type="multipart/form-data; boundary=x",
        headers={"accept": "application/json"},
    )


async def _held(cast: Cast, rows: Any) -> dict[str, bytes]:
    files = await rows(lambda: export.as_it_is(cast.session))
    return {kept.path: (await rows(kept.encoded)).data for kept in files}


async def test_everybody_in_the_session_has_them(cast: Cast, hub: Hub, rows: Any) -> None:
    page = Page(await hub.enter(cast.session.pk), cast.owner.pk)
    page.hello()
    page.take()
    files = {"d/b.bin": b"\0\1", "c.txt": b"c\r\n"}
    answer = await _post(cast.member, cast.session.slug, files)
    assert answer.status_code == 200
    assert json.loads(answer.content) == {"added": [*files], "replaced": [], "skipped": []}
    assert [frame["path"] for frame in page.take("tree")] == [*files]
    assert await _held(cast, rows) == {**OLD, **files}


async def test_what_is_there_is_asked_about(cast: Cast, hub: Hub, rows: Any) -> None:
    slug = cast.session.slug
    files = {"app.py": b"new\n", "b.py": b"b\n"}
    asked = await _post(cast.member, slug, files)
    assert asked.status_code == 409
    assert json.loads(asked.content)["exists"] == ["app.py"]
    assert await _held(cast, rows) == OLD
    kept = await _post(cast.member, slug, files, conflicts="skip")
    assert json.loads(kept.content)["skipped"] == ["app.py"]
    replaced = await _post(cast.member, slug, files, conflicts="replace")
    assert json.loads(replaced.content)["replaced"] == ["app.py", "b.py"]
    assert await _held(cast, rows) == {**OLD, **files}


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({}, "no file"),
        ({"../x": b""}, '"../x"'),
        ({"a/.git/config": b""}, '"a/.git/config"'),
        ({"APP.py": b""}, "do not tell it from"),
        ({"x": b"", "app.py/x": b""}, "cannot be a folder"),
    ],
    ids=["nothing", "up and out", "of git", "case alone", "a file as a folder"],
)
async def test_bad_files_are_refused_and_nothing_is_added(
    files: dict[str, bytes], words: str, cast: Cast, hub: Hub, rows: Any
) -> None:
    answer = await _post(cast.member, cast.session.slug, files, conflicts="replace")
    assert answer.status_code == 422
    assert words in json.loads(answer.content)["message"]
    assert await _held(cast, rows) == OLD
    assert not await rows(BlobPart.objects.exists)


async def test_a_session_that_is_another_process_s_says_try_again(
    cast: Cast, hub: Hub, rows: Any
) -> None:
    hub._down = True
    answer = await _post(cast.member, cast.session.slug, {"a": b""})
    assert answer.status_code == 503
    assert "try again" in json.loads(answer.content)["message"]
    hub._down = False


async def test_strangers_add_nothing(cast: Cast, hub: Hub, rows: Any) -> None:
    assert (await _post(cast.stranger, cast.session.slug, {"a": b""})).status_code == 404
    assert await _held(cast, rows) == OLD


def test_without_a_script_there_is_a_page(cast: Cast, settings: Settings) -> None:
    client = signed_in(cast.member)
    page = client.get(f"/s/{cast.session.slug}/upload/").content.decode()
    assert 'name="conflicts"' in page
    refused = client.post(f"/s/{cast.session.slug}/upload/", {})
    assert refused.status_code == 422
    assert "There is no file in it." in refused.content.decode()
    settings.DATA_UPLOAD_MAX_NUMBER_FILES = 1
    assert signed_in(None).get(f"/s/{cast.session.slug}/upload/").status_code == 302
    assert client.delete(f"/s/{cast.session.slug}/upload/").status_code == 405
