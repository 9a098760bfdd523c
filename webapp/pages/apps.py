"""Django's handle on this room."""

from django.apps import AppConfig


class PagesConfig(AppConfig):
    """See the room's docstring."""

    name = "webapp.pages"
