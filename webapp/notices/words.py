"""Sentences of the rooms that know no framework, in the language of who reads them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext, override

from webapp.lib.sentences import Sentence


def translated(sentence: str) -> str:
    """Return a Sentence from the active catalogue, its values too; any other text as it is."""
    if not isinstance(sentence, Sentence):
        return sentence
    text = gettext(sentence.msgid)
    if not sentence.values:
        return text
    values = sentence.values.items()
    return text % {
        name: translated(value) if isinstance(value, str) else value for name, value in values
    }


def spoken(frame: Mapping[str, Any], language: str) -> Mapping[str, Any]:
    """Return a frame with every Sentence in it, however deep, in a language.

    People of several languages share a session, so a frame holds Sentences until it is known who
    reads it. A frame without one is returned itself, so that it is encoded once for everybody.
    """
    with override(language):
        said = _said(frame)
    return said if isinstance(said, Mapping) else frame


def _said(value: Any) -> Any:
    """Return `value` in the active language; the very same object when it holds no Sentence."""
    if isinstance(value, str):
        return translated(value)
    if isinstance(value, Mapping):
        changed = {name: _said(each) for name, each in value.items()}
        return changed if any(changed[name] is not value[name] for name in changed) else value
    if isinstance(value, list | tuple):
        parts = [_said(each) for each in value]
        return parts if any(a is not b for a, b in zip(parts, value, strict=True)) else value
    return value
