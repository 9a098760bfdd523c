"""Rules that a scan of templates and style sheets can hold."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
STYLES = sorted((ROOT / "static" / "css").glob("*.css"))

_INLINE = {
    "a style attribute": re.compile(r"<[^>]*\sstyle\s*=", re.I),
    "a style element": re.compile(r"<style\b", re.I),
    "an inline handler": re.compile(r"<[^>]*\son\w+\s*=", re.I),
    "an inline script": re.compile(r"<script\b(?![^>]*\bsrc=)", re.I),
    "a javascript: address": re.compile(r"javascript:", re.I),
    "htmx that evaluates": re.compile(r"\bhx-on\b|\bhx-vals=['\"]js:", re.I),
    "text that is not escaped": re.compile(r"\|safe\b|autoescape off"),
}


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: str(path.relative_to(ROOT)))
def test_templates_hold_nothing_that_the_policy_forbids(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert not [what for what, rule in _INLINE.items() if rule.search(text)]


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: str(path.relative_to(ROOT)))
def test_words_in_templates_go_through_the_catalogue(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    text = re.sub(r"{% (comment|blocktranslate).*?{% end\1 %}", "", text, flags=re.S)
    text = re.sub(r"{%.*?%}|{{.*?}}|{#.*?#}", "", text, flags=re.S)
    text = re.sub(r"<(code|kbd|title)\b[^>]*>.*?</\1>", "", text, flags=re.S)
    words = re.findall(r">([^<>]*[A-Za-z]{2,}[^<>]*)<", text)
    assert [word.strip() for word in words if word.strip() != "Flint"] == []


def test_colours_and_sizes_have_their_numbers_in_one_place() -> None:
    number = re.compile(
        r"#[0-9a-fA-F]{3,8}\b|\brgba?\(|\bhsla?\(|\b\d*\.?\d+(?:px|rem)\b|\b\d+m?s\b"
    )
    found = []
    for path in STYLES:
        if path.name == "tokens.css":
            continue
        text = re.sub(r"/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.S)
        text = re.sub(r"@media[^{]*{", "", text)
        found += [f"{path.name}: {number_}" for number_ in number.findall(text)]
    assert found == []


def test_every_custom_property_in_use_is_defined() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in STYLES)
    assert set(re.findall(r"var\((--[\w-]+)", text)) <= set(re.findall(r"(--[\w-]+):", text))
