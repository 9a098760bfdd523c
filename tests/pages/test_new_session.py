"""Starting a session, each way, without a script."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from pytest_django import Settings

from tests.cast import Cast, signed_in
from webapp.pages import receiving
from webapp.pairing import example, export
from webapp.pairing.models import Session
from webapp.pairing.uploads import guessed_name


def _zip(**files: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as made:
        for name, text in files.items():
            made.writestr(name, text)
    return out.getvalue()


def _held(session: Session) -> dict[str, bytes]:
    return {kept.path: kept.encoded().data for kept in export.as_it_is(session)}


def _made(cast: Cast) -> Session:
    return Session.objects.exclude(pk=cast.session.pk).get()


def test_the_page_shows_every_way_and_asks_nothing_else(cast: Cast) -> None:
    page = signed_in(cast.member).get("/new/").content.decode()
    for way in ("files", "text", "example", "nothing"):
        assert f'name="from" value="{way}"' in page
    assert 'enctype="multipart/form-data"' in page
    assert "webkitdirectory" in page
    assert Session.objects.count() == 1


def test_without_a_team_the_page_says_so(cast: Cast) -> None:
    cast.member.memberships.all().delete()
    assert "addmember" in signed_in(cast.member).get("/new/").content.decode()


def test_an_empty_session_is_made_and_opened(cast: Cast) -> None:
    answer = signed_in(cast.member).post("/new/", {"team": cast.team.pk})
    made = Session.objects.get(title="Untitled")
    assert answer["Location"] == f"/s/{made.slug}/"
    assert made.created_by == cast.member
    assert not made.files.exists()


def test_the_example_brings_its_files(cast: Cast) -> None:
    signed_in(cast.member).post("/new/", {"team": cast.team.pk, "from": "example"})
    made = Session.objects.get(title="Example")
    assert set(made.files.values_list("path", flat=True)) == set(example.files())


def test_pasted_text_gets_the_name_that_suits_it(cast: Cast) -> None:
    fields = {"team": cast.team.pk, "from": "text", "text": "def f():\r\n    pass\r\n"}
    signed_in(cast.member).post("/new/", fields)
    assert _held(_made(cast)) == {"main.py": b"def f():\n    pass\n"}
    assert _made(cast).title == "main.py"


def test_a_name_and_a_title_that_were_typed_win(cast: Cast) -> None:
    fields = {"from": "text", "text": "x", "path": "d/a.txt", "title": "  Mine "}
    signed_in(cast.member).post("/new/", {"team": cast.team.pk, **fields})
    assert _held(_made(cast)) == {"d/a.txt": b"x"}
    assert _made(cast).title == "Mine"


def test_a_zip_is_unpacked_and_names_the_session(cast: Cast) -> None:
    sent = SimpleUploadedFile("My app.zip", _zip(**{"app/a.py": "1", "app/.DS_Store": "2"}))
    client = signed_in(cast.member)
    answer = client.post("/new/", {"team": cast.team.pk, "from": "files", "files": sent})
    assert answer.status_code == 302
    assert (_made(cast).title, _held(_made(cast))) == ("My app", {"a.py": b"1"})
    page = client.get(answer["Location"]).content.decode()
    assert "1 file that a system had left there for itself was left out." in page


def _multipart(cast: Cast, files: list[tuple[str, bytes]]) -> tuple[bytes, str]:
    """Return what a browser sends for a folder: paths for names. Django's own client cuts them."""
    lines = []
    fields = {"team": cast.team.pk, "from": "files"}
    for name, value in fields.items():
        lines.append(
            f'--x\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode()
        )
    for path, data in files:
        head = f'form-data; name="folder"; filename="{path}"\r\nContent-Type: text/plain'
        lines.append(f"--x\r\nContent-Disposition: {head}\r\n\r\n".encode() + data + b"\r\n")
    return b"".join(lines) + b"--x--\r\n", "multipart/form-data; boundary=x"


def _send(client: Client, cast: Cast, files: list[tuple[str, bytes]], **more: Any) -> Any:
    body, kind = _multipart(cast, files)
    return client.post("/new/", body, content_type=kind, **more)


def test_a_folder_keeps_its_paths_and_names_the_session(cast: Cast) -> None:
    files = [("app/a.py", b"1\n"), ("app/d/é.bin", b"\0\1")]
    assert _send(signed_in(cast.member), cast, files).status_code == 302
    made = _made(cast)
    assert (made.title, _held(made)) == ("app", {"a.py": b"1\n", "d/é.bin": b"\0\1"})


def test_two_thousand_files_need_no_descriptors(cast: Cast) -> None:
    before = len(list(Path("/proc/self/fd").iterdir()))
    files = [(f"app/{n}.txt", f"{n}".encode()) for n in range(2_000)]
    assert _send(signed_in(cast.member), cast, files).status_code == 302
    assert _made(cast).files.count() == 2_000
    assert len(list(Path("/proc/self/fd").iterdir())) <= before + 2


def test_a_script_gets_json(cast: Cast) -> None:
    client = signed_in(cast.member)
    answer = _send(client, cast, [("a.py", b"1\n")], headers={"accept": "application/json"})
    assert answer.status_code == 201
    assert answer.json() == {"location": f"/s/{_made(cast).slug}/"}
    refused = _send(client, cast, [("../a", b"1")], headers={"accept": "application/json"})
    assert refused.status_code == 422
    assert '"../a"' in refused.json()["message"]


def test_what_is_refused_makes_nothing_and_keeps_what_was_typed(cast: Cast) -> None:
    fields = {"from": "text", "text": "kept <text>", "path": "../x", "title": "kept title"}
    answer = signed_in(cast.member).post("/new/", {"team": cast.team.pk, **fields})
    assert answer.status_code == 422
    page = answer.content.decode()
    assert "Nothing was created." in page
    assert "kept &lt;text&gt;" in page
    assert "kept title" in page
    assert Session.objects.count() == 1


@pytest.mark.parametrize(
    "sent",
    [[], [("app.zip", b"PK\3\4 cut off")], [("a", b""), ("A", b"")]],
    ids=["nothing", "no zip", "a clash"],
)
def test_bad_files_are_refused_with_a_sentence(cast: Cast, sent: list[tuple[str, bytes]]) -> None:
    answer = _send(signed_in(cast.member), cast, sent)
    assert answer.status_code == 422
    assert "Nothing was created." in answer.content.decode()
    assert Session.objects.count() == 1


def test_too_much_is_not_even_kept(
    cast: Cast, monkeypatch: pytest.MonkeyPatch, settings: Settings, tmp_path: Path
) -> None:
    monkeypatch.setattr(receiving, "MAX_UPLOAD_BYTES", 1_000)
    monkeypatch.setattr(receiving, "_IN_MEMORY_BYTES", 100)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    client = signed_in(cast.member)
    assert _send(client, cast, [("a", b"x" * 500), ("b", b"x" * 501)]).status_code == 413
    settings.DATA_UPLOAD_MAX_NUMBER_FILES = 2
    assert _send(client, cast, [("a", b""), ("b", b""), ("c", b"")]).status_code == 413
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 100
    pasted = {"team": cast.team.pk, "from": "text", "text": "x" * 200}
    assert client.post("/new/", pasted).status_code == 413
    monkeypatch.setattr(receiving, "MAX_BODY_BYTES", 10)
    assert _send(client, cast, [("a", b"")]).status_code == 413
    assert Session.objects.count() == 1
    assert list(tmp_path.iterdir()) == []


def test_forms_of_other_sites_are_refused(cast: Cast, settings: Settings) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(cast.member, backend="django.contrib.auth.backends.ModelBackend")
    assert client.post("/new/", {"team": cast.team.pk}).status_code == 403
    assert _send(client, cast, [("a.py", b"1\n")]).status_code == 403
    token = client.get("/new/").cookies[settings.CSRF_COOKIE_NAME].value
    answer = client.post("/new/", {"team": cast.team.pk, "csrfmiddlewaretoken": token})
    assert answer.status_code == 302


def test_another_teams_member_makes_nothing(cast: Cast) -> None:
    answer = signed_in(cast.stranger).post("/new/", {"team": cast.team.pk})
    assert answer.status_code == 404
    assert Session.objects.count() == 1


def test_an_unknown_team_is_not_found(cast: Cast) -> None:
    assert signed_in(cast.owner).post("/new/", {"team": "nonsense"}).status_code == 404
    assert signed_in(cast.owner).post("/new/").status_code == 404


def test_anonymous_people_are_asked_to_sign_in(cast: Cast) -> None:
    assert signed_in(None).post("/new/", {"team": cast.team.pk}).status_code == 302
    assert signed_in(None).get("/new/").status_code == 302
    assert signed_in(cast.owner).put("/new/").status_code == 405
    assert Session.objects.count() == 1


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("def f(x):\n    return x\n", "main.py"),
        ("import os\n", "main.py"),
        ("#!/usr/bin/env python3\nprint(1)", "main.py"),
        ("#!/bin/bash\nls\n", "script.sh"),
        ("<!DOCTYPE html>\n<p>", "index.html"),
        ("<svg xmlns='x'/>", "picture.svg"),
        ('{"a": [1, 2]}', "data.json"),
        ("const a = 1;\nlet b = 2;\n", "main.js"),
        ("interface A {\n  x: number;\n}\n", "main.ts"),
        ('package main\n\nimport "fmt"\n\nfunc main() {}\n', "main.go"),
        ("fn main() {\n}\n", "main.rs"),
        ("#include <stdio.h>\nint main() {}\n", "main.c"),
        ("#include <iostream>\nint main() {}\n", "main.cpp"),
        ("public class A {\n}\n", "Main.java"),
        ("SELECT * FROM t;\n", "query.sql"),
        ("<?php echo 1;", "main.php"),
        ("body {\n  color: red;\n}\n", "style.css"),
        ("# Title\n\nSome words.\n", "README.md"),
        ("[tool.x]\na = 1\n", "config.toml"),
        ("a: 1\nb: 2\n", "config.yaml"),
        ("Dear all,\nhello.\n", "notes.txt"),
        ("", "notes.txt"),
    ],
)
def test_what_pasted_text_is_called(text: str, name: str) -> None:
    assert guessed_name(text) == name
