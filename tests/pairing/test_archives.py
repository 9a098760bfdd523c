"""Archives and uploads of every kind: the right project, or one sentence that names the file."""

from __future__ import annotations

import io
import random
import shutil
import struct
import subprocess
import tracemalloc
import zipfile
import zlib
from pathlib import Path

import pytest

from tests.pairing.zipping import Part, archive
from webapp.document.encodings import Binary, encode
from webapp.pairing.uploads import Bundle, NewFile, Raw, Refused, from_files, from_text, from_zip


def _bytes(file: NewFile) -> bytes:
    content = file.content
    if isinstance(content, Binary):
        return content.data
    return encode(content.text, content.encoding, content.has_bom, content.ending).data


def _held(bundle: Bundle) -> dict[str, bytes]:
    return {file.path: _bytes(file) for file in bundle.files}


def _noise(size: int) -> bytes:
    return random.Random(size).randbytes(size)


def _by_zipfile(**files: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
        for name, data in files.items():
            made.writestr(name, data)
    return out.getvalue()


def _streamed() -> bytes:
    """Return what a program writes that cannot seek: sizes stand behind the data."""

    class Pipe(io.RawIOBase):
        def __init__(self) -> None:
            self.got = b""

        def writable(self) -> bool:
            return True

        def write(self, data: object) -> int:
            self.got += bytes(data)  # type: ignore[call-overload]  # any buffer
            return len(bytes(data))  # type: ignore[call-overload]  # as above

    pipe = Pipe()
    with zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr("a.txt", "streamed\n")
    return pipe.got


def _unicode_path(name: bytes, real: str) -> bytes:
    value = b"\1" + struct.pack("<L", zlib.crc32(name)) + real.encode()
    return struct.pack("<2H", 0x7075, len(value)) + value


HELLO = b"hello\n"
GOOD: dict[str, tuple[bytes, dict[str, bytes]]] = {
    "two files": (
        _by_zipfile(**{"a.txt": HELLO, "d/b.txt": b"b"}),
        {"a.txt": HELLO, "d/b.txt": b"b"},
    ),
    "one top folder, taken off": (
        archive(Part("app/", b"", 0, mode=0o40755), Part("app/a.txt"), Part("app/d/b.txt")),
        {"a.txt": HELLO, "d/b.txt": HELLO},
    ),
    "two top folders, left": (
        archive(Part("a/x"), Part("b/x")),
        {"a/x": HELLO, "b/x": HELLO},
    ),
    "a file beside the folder, left": (
        archive(Part("a/x"), Part("README")),
        {"a/x": HELLO, "README": HELLO},
    ),
    "stored": (archive(Part(method=0)), {"a.txt": HELLO}),
    "sizes behind the data": (_streamed(), {"a.txt": b"streamed\n"}),
    "data descriptor by hand": (archive(Part(descriptor=True)), {"a.txt": HELLO}),
    "zip64 end": (archive(Part(), zip64=True), {"a.txt": HELLO}),
    "zip64 sizes": (archive(Part(zip64=True)), {"a.txt": HELLO}),
    "comments": (
        archive(Part(comment=b"of the file"), comment=b"of all PK\5\6 of it"),
        {"a.txt": HELLO},
    ),
    "UTF-8 with the flag": (archive(Part("é.txt", flags=0x800)), {"é.txt": HELLO}),
    "UTF-8 without the flag": (archive(Part("表.txt")), {"表.txt": HELLO}),
    "cp437": (archive(Part("é.txt".encode("cp437"))), {"é.txt": HELLO}),
    "a Unicode name beside another": (
        archive(Part(b"?.txt", extra=_unicode_path(b"?.txt", "ж.txt"))),
        {"ж.txt": HELLO},
    ),
    "leftovers of a Mac": (
        archive(Part("a.txt"), Part("__MACOSX/._a.txt", _noise(9)), Part(".DS_Store", _noise(9))),
        {"a.txt": HELLO},
    ),
    "a zip in a zip": (
        archive(Part("a.txt"), Part("in.zip", archive(Part("../x")))),
        {"a.txt": HELLO, "in.zip": archive(Part("../x"))},
    ),
    "a picture": (
        archive(Part("p.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + _noise(99))),
        {"p.png": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + _noise(99)},
    ),
    "an empty file": (archive(Part(data=b"")), {"a.txt": b""}),
    "a small file of one letter": (
        archive(Part(data=b"x" * 100_000)),
        {"a.txt": b"x" * 100_000},
    ),
    "2,000 files": (
        archive(*(Part(f"{n}.txt") for n in range(2_000))),
        {f"{n}.txt": HELLO for n in range(2_000)},
    ),
    "20 MB": (
        archive(*(Part(f"{n}.bin", _noise(10 << 20), 0) for n in range(2))),
        {f"{n}.bin": _noise(10 << 20) for n in range(2)},
    ),
    "names that git minds and a project may have": (
        archive(Part(".gitignore"), Part(".github/x.yml")),
        {".gitignore": HELLO, ".github/x.yml": HELLO},
    ),
}

_LINK = 0o120777
_PIPE = 0o10644
_DEVICE = 0o20644


def _overlapping() -> bytes:
    """Return an archive in which two names share one member's bytes."""
    one, two = Part("a.txt"), Part("a.txt")
    two.offset = 0
    two.name = "a.txt"
    return archive(one, two)


def _quoted() -> bytes:
    """Return one in which a member lies inside another's data, as David Fifield's bomb does."""
    inner = archive(Part("b.txt", method=0))
    outer = Part("a.txt", inner, 0)
    second = Part("b.txt", method=0, offset=30 + len("a.txt"))
    return archive(outer, second)


BAD: dict[str, tuple[bytes, str]] = {
    "up and out": (archive(Part("ok"), Part("../x")), '"../x"'),
    "up in the middle": (archive(Part("a/../../x")), '"a/../../x"'),
    "a folder up and out": (archive(Part("a"), Part("../d/", b"", 0)), '"../d"'),
    "absolute": (archive(Part("/etc/passwd")), '"/etc/passwd"'),
    "a drive": (archive(Part("C:/x")), '"C:/x"'),
    "backslashes": (archive(Part("a\\b")), '"a\\b"'),
    "a symbolic link": (archive(Part("ok"), Part("to", b"/etc", 0, mode=_LINK)), '"to" is a link'),
    "a pipe": (archive(Part("p", mode=_PIPE)), '"p" is a device'),
    "a device": (archive(Part("dev", mode=_DEVICE)), '"dev" is a device'),
    "twice": (archive(Part("a"), Part("a")), '"a" comes twice'),
    "case alone": (archive(Part("a.txt"), Part("A.txt")), '"A.txt"'),
    "accents written in two ways": (archive(Part("é"), Part("e\u0301")), '"é" comes twice'),
    "a file used as a folder": (archive(Part("a"), Part("a/b")), '"a" is a file'),
    "a folder used as a file": (archive(Part("a/b"), Part("a")), '"a" is a folder already'),
    "a folder in another case": (archive(Part("Src"), Part("src/x")), '"Src" is a file'),
    "of git": (archive(Part("ok"), Part(".git/config")), '".git/config"'),
    "of git, disguised": (archive(Part("d/.GIT /hooks/x")), ".GIT"),
    "of git, as Windows shortens it": (archive(Part("GIT~1/x")), '"GIT~1/x"'),
    "of Mercurial": (archive(Part(".hg/hgrc")), '".hg/hgrc" belongs to a version control'),
    "of Subversion, deep": (archive(Part("a/.svn/x"), Part("b")), '"a/.svn/x"'),
    "a NUL in the name": (archive(Part(b"a.txt\0.sh")), "\\u0000"),
    "a line end in the name": (archive(Part("a\nb")), "\\u000a"),
    "a name that reads backwards": (archive(Part("a\u202egpj.sh")), "\\u202e"),
    "a name that Windows reserves": (archive(Part("aux.c")), '"aux.c"'),
    "a character that Windows forbids": (archive(Part("a?.txt")), '"a?.txt"'),
    "a trailing dot": (archive(Part("d./x")), '"d./x"'),
    "a long path": (archive(Part("d/" * 260 + "x")), "521 characters"),
    "a long name": (archive(Part("n" * 300)), "300 bytes"),
    "no name": (archive(Part("")), '""'),
    "not UTF-8 though it says so": (archive(Part(b"\xff\xfe.txt", flags=0x800)), "cannot be read"),
    "encrypted": (archive(Part(flags=1)), '"a.txt" is encrypted'),
    "strongly encrypted": (archive(Part(flags=0x41)), '"a.txt" is encrypted'),
    "an unknown packing": (archive(Part(method=99)), '"a.txt" is packed'),
    "LZMA": (archive(Part(method=14)), '"a.txt" is packed'),
    "a bomb": (archive(Part("bomb", bytes(15 << 20))), '"bomb" unpacks to more than a hundred'),
    "many small bombs": (
        archive(*(Part(f"{n}", bytes(130_000)) for n in range(200))),
        "more than 20 MB",
    ),
    "20 MB and a byte": (
        archive(Part("a", _noise(10 << 20), 0), Part("b", _noise((10 << 20) + 1), 0)),
        'With "b" the archive unpacks to more than 20 MB',
    ),
    "larger than it says": (archive(Part(data=b"x" * 90, size=9)), '"a.txt" is larger'),
    "smaller than it says": (archive(Part(size=99)), '"a.txt" is smaller'),
    "a bomb that says it is small": (
        archive(Part("bomb", bytes(15 << 20), size=9)),
        '"bomb" is larger',
    ),
    "stored, of two sizes": (archive(Part(method=0, size=9)), "contradicts itself"),
    "another checksum": (archive(Part(crc=1)), '"a.txt" is damaged'),
    "no deflate stream": (archive(Part(packed=b"\xff" * 9)), '"a.txt" is damaged'),
    "a stream that stops": (archive(Part(packed=b"\x4b")), '"a.txt" is damaged'),
    "data behind the stream": (
        archive(Part(packed=Part().bytes_of() + b"more")),
        '"a.txt" is damaged',
    ),
    "cut off": (archive(Part(data=_noise(999)))[:-60], "was cut off"),
    "cut in the directory": (archive(Part(), directory_size=20), "contradicts itself"),
    "overlapping": (_overlapping(), "overlaps"),
    "a member inside another": (_quoted(), '"b.txt" overlaps'),
    "a header of another name": (archive(Part(local_name=b"b.txt")), "contradicts itself"),
    "a header of another size": (archive(Part(local_size=7)), "contradicts itself"),
    "data before it": (archive(Part(), before=b"#!/bin/sh\n")[10:], "contradicts itself"),
    "data behind it": (archive(Part(), after=b"more"), "was cut off"),
    "one more than it holds": (archive(Part(), count=2), "was cut off"),
    "one fewer than it holds": (archive(Part("a"), Part("b"), count=1), "contradicts itself"),
    "an offset far away": (archive(Part(offset=1 << 30)), "was cut off"),
    "zip64 end far away": (
        archive(Part(), zip64=True).replace(b"PK\6\7", b"PK\6\7"[:3] + b"\x08"),
        "was cut off",
    ),
    "2,001 files": (archive(*(Part(f"{n}") for n in range(2_001))), "2001 files"),
    "a million entries": (archive(Part(), count=60_000), "too many entries"),
    "nothing in it": (archive(), "no file in it"),
    "only folders": (archive(Part("d/", b"", 0)), "no file in it"),
    "no zip": (b"hello, this is no zip at all, not even a little", "no zip archive"),
    "empty": (b"", "no zip archive"),
    "a text of more than 2 MB": (
        archive(Part("big.txt", b"0123456789\n" * 200_000, 0)),
        '"big.txt" is a text of more than 2 MB',
    ),
}


@pytest.mark.parametrize("name", GOOD)
def test_a_good_archive_is_the_project_that_went_in(name: str) -> None:
    data, files = GOOD[name]
    assert _held(from_zip(io.BytesIO(data))) == files


@pytest.mark.parametrize("name", BAD)
def test_a_bad_archive_is_refused_with_a_sentence(name: str) -> None:
    data, words = BAD[name]
    with pytest.raises(Refused) as refused:
        from_zip(io.BytesIO(data))
    sentence = str(refused.value.sentence)
    assert words in sentence
    assert sentence.endswith(".")


@pytest.mark.parametrize("name", ["a bomb", "many small bombs", "a bomb that says it is small"])
def test_a_bomb_takes_no_memory(name: str) -> None:
    data = io.BytesIO(BAD[name][0])
    tracemalloc.start()
    try:
        with pytest.raises(Refused):
            from_zip(data)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 48 << 20


def test_any_byte_may_be_wrong() -> None:
    """Whatever is damaged, it is the right project, or refused; never another error."""
    sound = archive(Part("d/a.txt", b"hello hello hello\n"), Part("d/b.txt", method=0))
    files = _held(from_zip(io.BytesIO(sound)))
    for at in range(len(sound)):
        for value in (0, 0xFF, sound[at] ^ 1):
            damaged = sound[:at] + bytes([value]) + sound[at + 1 :]
            try:
                found = _held(from_zip(io.BytesIO(damaged)))
            except Refused:
                continue
            assert sorted(found.values()) == sorted(files.values())


def test_any_end_may_be_missing() -> None:
    sound = archive(Part("a"), Part("b", _noise(200)))
    for end in range(len(sound)):
        with pytest.raises(Refused):
            from_zip(io.BytesIO(sound[:end]))


def test_who_may_run_is_kept_and_what_was_left_out_is_counted() -> None:
    bundle = from_zip(
        io.BytesIO(archive(Part("app/run", mode=0o100755), Part("app/a"), Part("app/.DS_Store")))
    )
    assert {file.path: file.is_executable for file in bundle.files} == {"run": True, "a": False}
    assert (bundle.folder, bundle.skipped) == ("app", 1)


UPLOADS: dict[str, tuple[list[Raw], dict[str, bytes] | str]] = {
    "one file": ([Raw("a.txt", HELLO)], {"a.txt": HELLO}),
    "a folder": (
        [Raw("app/a", HELLO), Raw("app/d/b", HELLO)],
        {"a": HELLO, "d/b": HELLO},
    ),
    "an empty file": ([Raw("a", b"")], {"a": b""}),
    "a Mac's folder": ([Raw("app/a", HELLO), Raw("app/.DS_Store", b"\0")], {"a": HELLO}),
    "nothing": ([], "no file in it"),
    "up and out": ([Raw("../a", HELLO)], '"../a"'),
    "a Windows path": ([Raw("C:\\a.txt", HELLO)], "backslash"),
    "two of one name": ([Raw("a", HELLO), Raw("a", HELLO)], '"a" comes twice'),
    "of git": ([Raw("app/.git/HEAD", HELLO), Raw("app/a", HELLO)], '"app/.git/HEAD"'),
    "too many": ([Raw(f"{n}", b"") for n in range(2_001)], "2001 files"),
    "too much": ([Raw("a", HELLO), Raw("b", bytes(20 << 20))], 'the largest is "b"'),
}


@pytest.mark.parametrize("name", UPLOADS)
def test_uploads(name: str) -> None:
    raws, wanted = UPLOADS[name]
    if isinstance(wanted, dict):
        assert _held(from_files(raws)) == wanted
        return
    with pytest.raises(Refused) as refused:
        from_files(raws)
    assert wanted in str(refused.value.sentence)


def test_pasted_text_has_a_name_and_a_limit() -> None:
    assert _held(from_text("d/a.py", "é\n")) == {"d/a.py": "é\n".encode()}
    with pytest.raises(Refused, match="cannot be used"):
        from_text("../a", "")
    with pytest.raises(Refused, match="more than 2 MB"):
        from_text("a", "😀" * (1 << 20) + "!")


@pytest.mark.skipif(shutil.which("zip") is None, reason="zip is not installed")
def test_a_real_tool_agrees(tmp_path: Path) -> None:
    """What the system's own zip makes is read, its runnable files too."""
    (tmp_path / "app" / "d").mkdir(parents=True)
    (tmp_path / "app" / "a.txt").write_bytes(HELLO)
    (tmp_path / "app" / "d" / "ü.sh").write_bytes(b"#!/bin/sh\n")
    (tmp_path / "app" / "d" / "ü.sh").chmod(0o755)
    subprocess.run(["zip", "-qr", "app.zip", "app"], cwd=tmp_path, check=True)
    bundle = from_zip(io.BytesIO((tmp_path / "app.zip").read_bytes()))
    assert _held(bundle) == {"a.txt": HELLO, "d/ü.sh": b"#!/bin/sh\n"}
    assert [file.is_executable for file in bundle.files] == [False, True]
