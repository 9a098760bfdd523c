"""Which paths a project takes, and which stand in each other's way."""

import pytest

from webapp.document.tree import PathError, check_path, clash, first_clash

GOOD = [
    "app.py",
    "src/pkg/__init__.py",
    ".gitignore",
    ".github/workflows/ci.yml",
    "docs/a file with spaces.md",
    "中文/文件.txt",
    "family👩‍💻.txt",
    "console.log",
    "com10.txt",
    "auxiliary/null.py",
    "a..b/...c",
    "~/x",
    "a" * 255,
    "git~2",
]


@pytest.mark.parametrize("path", GOOD)
def test_good(path: str) -> None:
    assert check_path(path) == path


BAD = {
    "empty": ("", "empty"),
    "root": ("/", "start inside"),
    "absolute": ("/etc/passwd", "start inside"),
    "drive": ("C:/x", "start inside"),
    "drive alone": ("c:x", "start inside"),
    "backslash": ("a\\b", "backslash"),
    "dot": ("./a", "not a name"),
    "dots": ("a/../b", "not a name"),
    "dots last": ("a/..", "not a name"),
    "empty segment": ("a//b", "empty name"),
    "folder": ("a/", "empty name"),
    "leading space": ("a/ b", "space"),
    "trailing space": ("a /b", "space"),
    "ideographic space": ("\u3000a", "space"),
    "trailing dot": ("a./b", "dot"),
    "only dots": ("...", "dot"),
    "NUL": ("a\x00b", "cannot be seen"),
    "newline": ("a\nb", "cannot be seen"),
    "DEL": ("a\x7f", "cannot be seen"),
    "C1": ("a\x85b", "cannot be seen"),
    "line separator": ("a\u2028b", "cannot be seen"),
    "reversed name": ("a\u202egpj.exe", "cannot be seen"),
    "half a pair": ("a\ud83d", "cannot be seen"),
    "git": (".git/config", "git"),
    "GIT": ("sub/.GiT", "git"),
    "git for HFS": (".g\u200cit/config", "git"),
    "git for NTFS": ("GIT~1/config", "git"),
    "git's stream": (".git::$INDEX_ALLOCATION/config", "git"),
    "con": ("con", "Windows"),
    "nul with an ending": ("src/NUL.tar.gz", "Windows"),
    "aux with a space": ("aux .py", "Windows"),
    "com1": ("com1", "Windows"),
    "lpt superscript": ("lpt\u00b2.txt", "Windows"),
    "star": ("src/a*b.py", "Windows"),
    "stream": ("notes.txt:hidden", "Windows"),
    "tag": ("<img src=x>.py", "Windows"),
    "question": ("what?", "Windows"),
    "long segment": ("中" * 86, "258 bytes"),
    "long path": ("a/" * 256 + "b", "513 characters"),
}


@pytest.mark.parametrize(("path", "why"), BAD.values(), ids=BAD)
def test_bad(path: str, why: str) -> None:
    with pytest.raises(PathError, match=why) as caught:
        check_path(path)
    assert str(caught.value).startswith("The path ") and str(caught.value).endswith(".")
    assert str(caught.value).isprintable()


def test_message_names_the_path() -> None:
    with pytest.raises(PathError, match='The path "a/con.py" cannot be used'):
        check_path("a/con.py")


def test_normal_form() -> None:
    assert check_path("e\u0301.txt") == "é.txt"
    assert check_path("\ud83d\ude00.txt") == "😀.txt"
    assert check_path("a" * 252 + "e\u0301") == "a" * 252 + "é"


@pytest.mark.parametrize(
    ("path", "existing", "why"),
    [
        ("a.py", ["b.py", "a.py"], "exists already"),
        ("A.py", ["a.py"], "do not tell it from"),
        ("src/É.py", ["SRC/é.py"], "do not tell it from"),
        ("a.py/b", ["a.py"], "is a file"),
        ("A.PY/b/c", ["a.py"], "is a file"),
        ("src", ["src/a.py"], "is a folder"),
        ("SRC", ["src/a.py"], "is a folder"),
    ],
)
def test_clash(path: str, existing: list[str], why: str) -> None:
    found = clash(path, existing)
    assert found is not None and why in found and found.endswith(".")


def test_no_clash() -> None:
    assert clash("src/b.py", ["src/a.py", "src/b", "src/b.pyc", "srcs"]) is None
    assert clash("src2", ["src/a.py"]) is None
    assert clash("a", []) is None


@pytest.mark.parametrize(
    ("paths", "words"),
    [
        (["a", "b", "a"], '"a" comes twice'),
        (["a.txt", "A.TXT"], "do not tell it from"),
        (["a", "a/b"], '"a" is a file'),
        (["a/b/c", "a/b"], '"a/b" is a folder already'),
        (["Src/x", "src"], "is a folder already"),
        (["straße", "STRASSE/x"], "is a file"),
    ],
)
def test_many_paths_are_looked_at_together(paths: list[str], words: str) -> None:
    found = first_clash(paths)
    assert found is not None
    assert words in found


def test_paths_that_get_on_are_many_and_quick() -> None:
    paths = [f"d{n % 50}/e{n % 7}/{n}.txt" for n in range(20_000)]
    assert first_clash(paths) is None
