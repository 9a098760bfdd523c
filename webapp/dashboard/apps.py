"""Django's handle on this room."""

from django.apps import AppConfig


class DashboardConfig(AppConfig):
    """See the room's docstring."""

    name = "webapp.dashboard"
