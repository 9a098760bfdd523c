"""Files of every kind, in, through a session that people have open, and out: byte for byte."""

from __future__ import annotations

import codecs
import io
import random
import zipfile
from collections.abc import Awaitable, Callable
from typing import Any

from tests.cast import Cast
from tests.live.people import Page
from webapp.document.encodings import Binary
from webapp.live import reading
from webapp.live.hub import Hub
from webapp.pairing import export
from webapp.pairing.create import import_session
from webapp.pairing.models import Session
from webapp.pairing.uploads import from_zip

Rows = Callable[[Callable[[], Any]], Awaitable[Any]]

TEXT = "first\nsecond\nthird\n"
FILES: dict[str, bytes] = {
    "utf-8.txt": "Grüße, 世界\n".encode(),
    "utf-8-bom.txt": codecs.BOM_UTF8 + TEXT.encode(),
    "only-a-bom.txt": codecs.BOM_UTF8,
    "utf-16-le.txt": codecs.BOM_UTF16_LE + TEXT.encode("utf-16-le"),
    "utf-16-be.txt": codecs.BOM_UTF16_BE + "世界 😀\r\n".encode("utf-16-be"),
    "utf-16-only-a-bom.txt": codecs.BOM_UTF16_LE,
    "utf-16-bare.txt": (TEXT * 3).encode("utf-16-le"),
    "utf-32.txt": codecs.BOM_UTF32_LE + "世界 😀\n".encode("utf-32-le"),
    "cp1252.txt": "Café crème – “déjà vu”, Größe\r\n".encode("cp1252"),
    "gb18030.txt": "你好，世界。这是一个测试文件。\n".encode("gb18030"),
    "big5.txt": "你好，世界。這是一個測試檔案。\n".encode("big5"),
    "shift-jis.txt": "こんにちは世界。これはテストです。\n".encode("cp932"),
    "euc-jp.txt": "こんにちは世界。これはテストです。\n".encode("euc_jp"),
    "euc-kr.txt": "안녕하세요 세계. 이것은 시험입니다.\n".encode("cp949"),
    "cp1251.txt": "Привет, мир! Это проверка.\n".encode("cp1251"),
    "koi8-r.txt": "Привет, мир! Это проверка.\n".encode("koi8_r"),
    "lf.txt": TEXT.encode(),
    "crlf.txt": TEXT.replace("\n", "\r\n").encode(),
    "cr.txt": TEXT.replace("\n", "\r").encode(),
    "mixed.txt": b"a\r\nb\nc\rd\r\r\n\n\re",
    "no-end.txt": b"one\ntwo",
    "crlf-no-end.txt": b"one\r\ntwo",
    "only-ends.txt": b"\n\n\r\n",
    "empty.txt": b"",
    "emoji.txt": "👩‍👩‍👧‍👦 👍🏽 🇨🇳 😀\n".encode(),
    "combining.txt": "e\u0301 n\u0303 a\u0323\u0307 \u1112\u1161\u11ab\n".encode(),
    "right-to-left.txt": "שלום עולם \u200f(abc)\u200e مرحبا\n".encode(),
    "separators.txt": "a\u2028b\u2029c\x0bd\x0ce\x85f\n".encode(),
    "escapes.txt": b"\x1b[31mred\x1b[0m\x07\x08\x7f\n",
    "bom-inside.txt": "a\ufeffb\n".encode(),
    "noncharacters.txt": "\ufffe\uffff\ufffd\U0010ffff\n".encode(),
    "blanks.txt": b"   \t \n\t\n ",
    "one-line.json": b"[" + b"123456789," * 104_857 + b"0]",
    "wide-line.txt": ("世界" * 175_000).encode(),
    "with-nul.bin": b"text\0with a NUL\n",
    "picture.png": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + random.Random(4).randbytes(5_000),
    "noise.bin": random.Random(5).randbytes(1_500_000),
    "d/e/f/deep.py": b"print(1)\n",
}
RUNNABLE = "run.sh"


def _zip() -> io.BytesIO:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as made:
        for path, data in FILES.items():
            made.writestr(path, data)
        info = zipfile.ZipInfo(RUNNABLE)
        info.external_attr = 0o100755 << 16
        made.writestr(info, b"#!/bin/sh\r\n")
    return out


def _exported(session: Session) -> tuple[bytes, dict[str, bytes], list[str]]:
    """Return the zip, what is in it below its folder, and which of that may run."""
    files = export.as_it_is(session)
    made = b"".join(export.zip_of(files, "app", session.created_at))
    with zipfile.ZipFile(io.BytesIO(made)) as archive:
        assert archive.testzip() is None
        held = {info.filename.removeprefix("app/"): info for info in archive.infolist()}
        runnable = [path for path, info in held.items() if info.external_attr >> 16 & 0o100]
        return made, {path: archive.read(info) for path, info in held.items()}, runnable


async def test_what_nobody_changed_leaves_as_it_came(cast: Cast, hub: Hub, rows: Rows) -> None:
    bundle = from_zip(_zip())
    assert sum(isinstance(file.content, Binary) for file in bundle.files) == 3
    session = await rows(lambda: import_session(cast.team, cast.owner, "T", bundle.files))

    room = await hub.enter(session.pk)
    page = Page(room, cast.owner.pk)
    page.hello()
    (welcome,) = page.take("welcome")
    listed = {info["path"]: info for info in welcome["files"]}
    assert listed["picture.png"]["binary"]
    assert listed["picture.png"]["size"] == len(FILES["picture.png"])
    assert listed["gb18030.txt"]["encoding"] == "gb18030"
    assert (listed["utf-8-bom.txt"]["bom"], listed["mixed.txt"]["ending"]) == (True, "mixed")
    for info in welcome["files"]:
        page.send("open", file=info["file"])
        (answer,) = page.take("file", "error")
        assert (answer["t"] == "error") == info["binary"]
        page.send("close", file=info["file"])
    await room.close("")
    hub._forget(room)

    made, held, runnable = await rows(lambda: _exported(session))
    assert held == {**FILES, RUNNABLE: b"#!/bin/sh\r\n"}
    assert runnable == [RUNNABLE]
    assert list(held) == sorted(held)
    assert (await rows(lambda: _exported(session)))[0] == made

    again = from_zip(io.BytesIO(made))
    assert again.folder == "app"
    assert sorted(again.files, key=lambda file: file.path) == sorted(
        bundle.files, key=lambda file: file.path
    )
    reading.read.close()
