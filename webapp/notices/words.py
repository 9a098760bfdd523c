"""Sentences of the rooms that know no framework, in the language of who reads them."""

from __future__ import annotations

from django.utils.translation import gettext

from webapp.lib.sentences import Sentence


def translated(sentence: str) -> str:
    """Return a Sentence from the active catalogue, its values too; any other text as it is.

    A page that answers one person is in that person's language. The room's frames are in the
    server's own (LANGUAGE_CODE): one is encoded once for everybody, a turn's reason is kept in
    the database, and people of several languages share a session. No language is active there.
    """
    if not isinstance(sentence, Sentence):
        return sentence
    text = gettext(sentence.msgid)
    if not sentence.values:
        return text
    values = sentence.values.items()
    return text % {
        name: translated(value) if isinstance(value, str) else value for name, value in values
    }
