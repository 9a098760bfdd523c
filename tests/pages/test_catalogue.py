"""The catalogues: each text has its translation, and nothing of the text is lost in it.

That the catalogues have all texts of the source is `.ci/messages.sh --check`'s to say.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.cast import signed_in

_LOCALE = Path(__file__).parents[2] / "webapp" / "locale"
_CATALOGUES = sorted(_LOCALE.glob("*/LC_MESSAGES/*.po"))
_CHINESE = sorted(_LOCALE.glob("zh_Hans/LC_MESSAGES/*.po"))

_PLACEHOLDER = re.compile(r"%\(\w+\)[a-z]|\{\w+\}|%%")
_TAG = re.compile(r"</?[a-z][^<>]*>")
_HAN = "[\u4e00-\u9fff]"
_ASCII_MARK = re.compile(rf"{_HAN}[,.;:!?](?=\s|$|{_HAN})|[\u201c\u201d\uff08\uff09],")
_CRAMPED = re.compile(rf"{_HAN}[A-Za-z0-9]|[A-Za-z0-9]{_HAN}")
# What a translation may be made of when it is the text itself: a name and units.
_NAMES = {"Flint", "tok", "s", "MB", "GB"}


class _Text(NamedTuple):
    """An entry of a .po file."""

    forms: list[str]
    """The text, and its plural form if it has one."""

    translations: list[str]
    is_fuzzy: bool


@pytest.fixture(params=_CATALOGUES, ids=lambda path: "-".join(path.parts[-3::2]))
def texts(request: pytest.FixtureRequest) -> list[_Text]:
    return _texts(request.param)


@pytest.fixture(params=_CHINESE, ids=lambda path: path.name)
def chinese(request: pytest.FixtureRequest) -> list[_Text]:
    return _texts(request.param)


def test_there_are_catalogues_of_pages_and_of_scripts() -> None:
    assert [path.name for path in _CHINESE] == ["django.po", "djangojs.po"]
    assert all(len(_texts(path)) > 100 for path in _CHINESE)


def test_everything_is_translated(texts: list[_Text]) -> None:
    lacking = [text.forms[0] for text in texts if text.is_fuzzy or "" in text.translations]
    assert not lacking, "Translate these, as docs/translating.md says."


def test_a_translation_has_the_placeholders_of_its_text(texts: list[_Text]) -> None:
    assert not [
        (text.forms[0], translation)
        for text in texts
        for translation in text.translations
        if all(_placeholders(translation) != _placeholders(form) for form in text.forms)
    ]


def test_a_translation_has_the_tags_of_its_text(texts: list[_Text]) -> None:
    assert not [
        (text.forms[0], translation)
        for text in texts
        for translation in text.translations
        if Counter(_TAG.findall(translation)) != Counter(_TAG.findall(text.forms[0]))
    ]


def test_a_translation_begins_and_ends_in_the_blanks_of_its_text(texts: list[_Text]) -> None:
    assert not [
        (text.forms[0], translation)
        for text in texts
        for translation in text.translations
        if _blanks(translation) != _blanks(text.forms[0])
    ]


def test_nothing_is_left_in_english(texts: list[_Text]) -> None:
    assert not [
        translation
        for text in texts
        for translation in text.translations
        if translation in text.forms
        and not set(re.findall(r"[^\W\d_]+", _PLACEHOLDER.sub("", translation))) <= _NAMES
    ]


def test_chinese_has_its_own_marks(chinese: list[_Text]) -> None:
    assert not [each for text in chinese for each in text.translations if _ASCII_MARK.search(each)]


def test_chinese_stands_apart_from_latin_letters_and_digits(chinese: list[_Text]) -> None:
    assert not [
        each
        for text in chinese
        for each in text.translations
        if _CRAMPED.search(_PLACEHOLDER.sub(" ", each))
    ]


def test_a_sentence_stays_a_sentence_and_a_label_a_label(chinese: list[_Text]) -> None:
    assert not [
        (text.forms[0], each)
        for text in chinese
        for each in text.translations
        if text.forms[0].endswith(".") != each.endswith("。")
        and not text.forms[0].endswith(")s")  # The value brings its own end.
    ]


def test_a_browser_that_asks_for_chinese_gets_it(db: None) -> None:
    stranger = signed_in(None)
    page = stranger.get("/accounts/login/", HTTP_ACCEPT_LANGUAGE="zh-CN,zh;q=0.9").content.decode()
    assert '<html lang="zh-hans">' in page
    assert "忘记密码？" in page


def _texts(path: Path) -> list[_Text]:
    """Return the entries after the header."""
    blocks = path.read_text(encoding="utf-8").strip().split("\n\n")
    return [_text(block) for block in blocks[1:]]


def _text(block: str) -> _Text:
    strings: dict[str, str] = {}
    keyword = ""
    is_fuzzy = False
    for line in block.splitlines():
        if line.startswith("#"):
            is_fuzzy = is_fuzzy or (line.startswith("#,") and "fuzzy" in line)
            continue
        if not line.startswith('"'):
            keyword, line = line.split(" ", 1)
        strings[keyword] = strings.get(keyword, "") + ast.literal_eval(line)
    return _Text(
        [strings[name] for name in ("msgid", "msgid_plural") if name in strings],
        [text for name, text in strings.items() if name.startswith("msgstr")],
        is_fuzzy,
    )


def _placeholders(text: str) -> Counter[str]:
    return Counter(_PLACEHOLDER.findall(text))


def _blanks(text: str) -> tuple[str, str]:
    return text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
