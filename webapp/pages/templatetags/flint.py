"""How templates write moments."""

from __future__ import annotations

from datetime import datetime

from django import template
from django.utils import formats, timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.timesince import timesince
from django.utils.translation import gettext

from webapp.lib import clock

register = template.Library()


@register.filter
def ago(at: datetime) -> SafeString:
    """Return `at` relative to now, with the exact time on hover; the page keeps it fresh."""
    span = timesince(at, clock.now(), depth=1).replace("\xa0", " ")
    seconds = (clock.now() - at).total_seconds()
    words = gettext("just now") if seconds < 60 else gettext("%(span)s ago") % {"span": span}
    exact = formats.date_format(timezone.localtime(at), "DATETIME_FORMAT") + " UTC"
    return format_html(
        '<time datetime="{}" title="{}" data-ago>{}</time>', at.isoformat(), exact, words
    )
