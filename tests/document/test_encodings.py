"""What is text and in which encoding; and that the same bytes come out again."""

from __future__ import annotations

import codecs
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webapp.document.encodings import Binary, Encoded, Recognised, encode, of_text, recognise
from webapp.document.text import to_utf16


def _again(found: Recognised, text: str | None = None) -> Encoded:
    text = found.text if text is None else text
    return encode(text, found.encoding, found.has_bom, found.ending)


TEXTS = {
    "cp1252": "# Café à la crème, Größe über 3 – “déjà vu”\n",
    "gb18030": "# 你好，世界。这是一个测试文件。\nprint('中文编码')\n",
    "big5": "# 你好，世界。這是一個測試檔案。\nprint('中文編碼')\n",
    "cp932": "# こんにちは世界。これはテストです。\nprint('日本語')\n",
    "euc_jp": "# こんにちは世界。これはテストです。\nprint('日本語')\n",
    "cp949": "# 안녕하세요 세계. 이것은 시험입니다.\nprint('한국어')\n",
    "cp1251": "# Привет, мир! Это проверка кодировки.\n",
    "koi8_r": "# Привет, мир! Это проверка кодировки.\n",
    "cp1250": "# Příliš žluťoučký kůň úpěl ďábelské ódy\n",
    "cp1253": "# Καλημέρα κόσμε, αυτό είναι ένα τεστ\n",
}


@pytest.mark.parametrize("encoding", TEXTS)
def test_the_encodings_of_older_files_are_recognised(encoding: str) -> None:
    data = TEXTS[encoding].encode(encoding)
    found = recognise(data)
    assert isinstance(found, Recognised)
    assert (found.encoding, found.text) == (encoding, TEXTS[encoding])
    assert _again(found).data == data


@pytest.mark.parametrize("has_bom", [True, False], ids=["marked", "bare"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
def test_unicode_with_a_mark_and_without(encoding: str, has_bom: bool) -> None:
    text = "print('hello, 世界 😀')\nx = 1\n"
    data = ("\ufeff" if has_bom else "").encode(encoding) + text.encode(encoding)
    assert recognise(data) == Recognised(text, encoding, has_bom)


@pytest.mark.parametrize(
    ("text", "ending"),
    [("a\r\nb\r\n", "crlf"), ("a\rb\r", "cr"), ("a\nb", "lf"), ("a\r\nb\n", "mixed"), ("", "lf")],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le"])
def test_line_ends_are_kept_beside_the_text(text: str, ending: str, encoding: str) -> None:
    data = ("\ufeff" + text).encode(encoding)
    found = recognise(data)
    assert isinstance(found, Recognised)
    assert found.ending == ending
    assert _again(found).data == data


BINARY = {
    "a picture": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x10",
    "a NUL in a text": b"hello\0world\n",
    "one NUL": b"\0",
    "UTF-16 of odd length": codecs.BOM_UTF16_LE + b"a\0b",
    "half a pair in UTF-16": codecs.BOM_UTF16_LE + b"\0\xd8a\0",
    "half a pair in UTF-8": b"\xed\xa0\x80 \x01",
    "a number too large for UTF-32": codecs.BOM_UTF32_LE + b"\xff\xff\xff\xff",
    "controls": b"caf\xe9 \x01\x02",
    "a marked text with a NUL": codecs.BOM_UTF8 + b"a\0b",
    "few UTF-16 units": b"a\0b\0",
}


@pytest.mark.parametrize("name", BINARY)
def test_what_is_no_text_is_kept_as_it_is(name: str) -> None:
    assert recognise(BINARY[name]) == Binary(BINARY[name])


@pytest.mark.parametrize("size", [50, 200, 1_000, 10_000, 100_000])
def test_noise_is_no_text(size: int) -> None:
    for seed in range(10):
        data = random.Random(seed).randbytes(size)
        assert recognise(data) == Binary(data)
        assert isinstance(recognise(data.replace(b"\0", b"\1")), Binary)


def test_escape_sequences_are_text() -> None:
    found = recognise(b"\x1b[1mbold\x1b[0m\x07\x0c\x08\n")
    assert found == Recognised("\x1b[1mbold\x1b[0m\x07\x0c\x08\n")


@given(st.binary(max_size=200))
def test_any_bytes_come_out_as_they_went_in(data: bytes) -> None:
    found = recognise(data)
    assert (found.data if isinstance(found, Binary) else _again(found).data) == data


@given(
    st.text(max_size=200), st.sampled_from(["utf-8", "utf-16-le", "utf-32-be", "cp1252", "big5"])
)
def test_any_text_comes_out_as_it_went_in(text: str, encoding: str) -> None:
    data = text.encode(encoding, "ignore")
    found = recognise(data)
    assert (found.data if isinstance(found, Binary) else _again(found).data) == data


def test_a_character_that_the_encoding_lacks_makes_it_utf_8() -> None:
    found = recognise("Größe\r\n".encode("cp1252"))
    assert isinstance(found, Recognised)
    assert _again(found, "Größe €\n") == Encoded("Größe €\r\n".encode("cp1252"), "cp1252")
    assert _again(found, to_utf16("Größe 😀\n")) == Encoded("Größe 😀\r\n".encode(), "utf-8", True)


def test_half_a_pair_is_no_character() -> None:
    assert encode("a\ud83d", "utf-8", False, "lf").data == "a\ufffd".encode()
    assert encode("\ud83d\ude00", "utf-16-le", True, "lf").data == "\ufeff😀".encode("utf-16-le")


def test_ordinary_text_is_utf_8_without_a_mark() -> None:
    assert of_text("a\r\n") == Recognised("a\n", "utf-8", False, "crlf")


def test_a_large_file_takes_no_time() -> None:
    data = ("x = 'Größe über alles'\n" * 90_000).encode("cp1252")
    found = recognise(data)
    assert isinstance(found, Recognised)
    assert _again(found).data == data
