"""A session's files on their way out."""

from __future__ import annotations

import io
import subprocess
import zipfile
from pathlib import Path

import pytest
from django.test import AsyncClient

from tests.cast import FILES, Cast, signed_in
from webapp.document.encodings import recognise
from webapp.document.text import dumps_ascii
from webapp.lib import ids
from webapp.live import reading
from webapp.pairing.create import create_session, import_session
from webapp.pairing.models import Checkpoint, Entry, File, Session, Turn
from webapp.pairing.uploads import NewFile


def _log(session: Session, file: File, kind: str, payload: object, version: int | None) -> int:
    seq = Entry.objects.filter(session=session).count() + 1
    row = Entry(session=session, seq=seq, file=file, version=version, kind=kind, author="system")
    row.client, row.payload = "system", dumps_ascii(payload)
    row.save()
    return seq


def _edited(cast: Cast) -> Session:
    """Return a session in which one file was edited, one renamed, one deleted and one made."""
    files = {"edited.py": "1\n2\n", "old name.py": "x\n", "gone.py": "y\n"}
    session = create_session(cast.team, cast.owner, "My app: “2”", files)
    rows = {row.path: row for row in session.files.all()}
    _log(session, rows["edited.py"], "edit", [4, [0, "3", ""]], 1)
    _log(session, rows["old name.py"], "rename", "d/new.py", None)
    File.objects.filter(pk=rows["old name.py"].pk).update(path="d/new.py")
    seq = _log(session, rows["gone.py"], "delete", None, None)
    File.objects.filter(pk=rows["gone.py"].pk).update(deleted_seq=seq)
    made = File.objects.create(session=session, path="made.py", created_seq=seq + 1)
    _log(session, made, "create", "z\n", 0)
    return session


def _unzipped(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_the_zip_holds_every_file_below_one_folder(cast: Cast) -> None:
    for person in (cast.owner, cast.member):
        answer = signed_in(person).get(f"/s/{cast.session.slug}/download/")
        assert answer["Content-Type"] == "application/zip"
        assert answer["Content-Disposition"] == 'attachment; filename="notes.zip"'
        assert answer["X-Content-Type-Options"] == "nosniff"
        assert _unzipped(answer.getvalue()) == {
            f"notes/{path}": text.encode() for path, text in FILES.items()
        }


@pytest.mark.django_db(transaction=True)
async def test_it_is_sent_while_it_is_made(cast: Cast) -> None:
    client = AsyncClient()
    await client.aforce_login(cast.owner, backend="django.contrib.auth.backends.ModelBackend")
    answer = await client.get(f"/s/{cast.session.slug}/download/")
    parts = [part async for part in answer.streaming_content]
    assert len(parts) > len(FILES)
    assert len(_unzipped(b"".join(parts))) == len(FILES)
    reading.read.close()


def test_a_patch_makes_of_a_checkpoint_what_is_there_now(cast: Cast, tmp_path: Path) -> None:
    session = _edited(cast)
    checkpoint = Checkpoint.objects.get(session=session)
    answer = signed_in(cast.member).get(f"/s/{session.slug}/patch/?from={checkpoint.pk}")
    assert answer["Content-Type"] == "text/x-diff"
    for path, text in {"edited.py": "1\n2\n", "old name.py": "x\n", "gone.py": "y\n"}.items():
        (tmp_path / path).write_text(text)
    command = ["git", "apply", "-"]
    done = subprocess.run(
        command, cwd=tmp_path, input=answer.getvalue(), capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr.decode()
    found = {str(path.relative_to(tmp_path)): path.read_text() for path in tmp_path.rglob("*.py")}
    assert found == {"edited.py": "1\n2\n3\n", "d/new.py": "x\n", "made.py": "z\n"}


def test_checkpoints_to_choose_from(cast: Cast) -> None:
    turn = Turn.objects.create(
        session=cast.session, author=cast.owner, author_name="Olga", prompt="spell <it> out"
    )
    own = Checkpoint.objects.create(session=cast.session, seq=2, turn=turn, manifest="[]")
    page = signed_in(cast.member).get(f"/s/{cast.session.slug}/export/").content.decode()
    assert page.index("the session's start") < page.index("spell &lt;it&gt; out")
    assert f'<option value="{own.pk}">' in page
    assert page.count("<option") == 2
    part = signed_in(cast.member).get(
        f"/s/{cast.session.slug}/export/", headers={"HX-Request": "true"}
    )
    assert "<html" not in part.content.decode()


def test_a_character_that_a_file_s_encoding_lacks_is_said_before_and_with_the_download(
    cast: Cast,
) -> None:
    content = recognise("Größe\r\n".encode("cp1252"))
    session = import_session(cast.team, cast.owner, "T", [NewFile("größe.txt", content)])
    client = signed_in(cast.member)
    assert "written as UTF-8" not in client.get(f"/s/{session.slug}/export/").content.decode()
    _log(session, session.files.get(), "edit", [6, [0, "😀"]], 1)
    assert "written as UTF-8" in client.get(f"/s/{session.slug}/export/").content.decode()
    answer = client.get(f"/s/{session.slug}/download/")
    assert answer["Flint-Written-As-UTF-8"] == "gr%C3%B6%C3%9Fe.txt"
    assert _unzipped(answer.getvalue()) == {"t/größe.txt": "Größe\r\n😀".encode()}


def test_an_empty_project_is_an_empty_zip(cast: Cast) -> None:
    session = create_session(cast.team, cast.owner, "…", {})
    answer = signed_in(cast.owner).get(f"/s/{session.slug}/download/")
    assert _unzipped(answer.getvalue()) == {}
    assert "project.zip" in answer["Content-Disposition"]


def test_strangers_get_nothing_and_nobody_another_sessions_checkpoint(cast: Cast) -> None:
    other = create_session(cast.team, cast.owner, "Other", {"a": ""})
    foreign = Checkpoint.objects.get(session=other).pk
    slug = cast.session.slug
    for page in ("export/", "download/", f"patch/?from={foreign}"):
        assert signed_in(cast.stranger).get(f"/s/{slug}/{page}").status_code == 404
        assert signed_in(None).get(f"/s/{slug}/{page}").status_code == 302
    for wanted in (foreign, "", "x", "9" * 30, ids.new_id(), "٣"):
        assert signed_in(cast.owner).get(f"/s/{slug}/patch/?from={wanted}").status_code == 404
    assert signed_in(cast.owner).post(f"/s/{slug}/download/").status_code == 405
