"""How the team's pages write sizes, and which teams a person manages."""

from __future__ import annotations

from urllib.parse import urlsplit

from django import template
from django.utils import formats
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from webapp.teams.access import Person, managed_teams_for
from webapp.teams.models import Team

register = template.Library()


@register.simple_tag
def managed_teams(person: Person) -> list[Team]:
    """Return the teams that the person is owner or admin of."""
    return list(managed_teams_for(person))


@register.filter
def grouped(number: int) -> str:
    """Return a whole number with its thousands set apart, as the language does."""
    return formats.number_format(number, use_l10n=True, force_grouping=True)


@register.filter
def code(text: str) -> SafeString:
    """Return a text as HTML, what stands `between backticks` as code."""
    parts = enumerate(text.split("`"))
    return format_html_join(
        "", "{}", ((format_html("<code>{}</code>", part) if i % 2 else part,) for i, part in parts)
    )


@register.filter
def host(base_url: str) -> str:
    """Return the host and port of an address, or all of it when it has none."""
    try:
        return urlsplit(base_url).netloc.rpartition("@")[2] or base_url
    except ValueError:
        return base_url
