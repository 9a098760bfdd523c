"""Which language the person behind a socket reads: as for pages, by cookie, else by browser."""

from __future__ import annotations

from django.conf import settings
from django.utils.translation import get_supported_language_variant
from django.utils.translation.trans_real import parse_accept_lang_header

from webapp.live.origins import Scope


def language_of(scope: Scope) -> str:
    """Return the code of one of the languages that Flint speaks."""
    chosen = scope.get("cookies", {}).get(settings.LANGUAGE_COOKIE_NAME, "")
    headers = dict(scope.get("headers", []))
    accepted = parse_accept_lang_header(headers.get(b"accept-language", b"").decode("latin-1"))
    for code in (chosen, *(code for code, _ in accepted)):
        try:
            return get_supported_language_variant(code)
        except LookupError:
            continue
    return settings.LANGUAGE_CODE
