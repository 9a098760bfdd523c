"""Django's handle on this room."""

from django.apps import AppConfig


class ApiConfig(AppConfig):
    """See the room's docstring."""

    name = "webapp.api"
