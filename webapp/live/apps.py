"""Django's handle on this room."""

from django.apps import AppConfig


class LiveConfig(AppConfig):
    """See the room's docstring."""

    name = "webapp.live"
