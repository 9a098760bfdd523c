"""Django's handle on this room."""

from django.apps import AppConfig


class TeamsConfig(AppConfig):
    """People and teams."""

    name = "webapp.teams"
    default_auto_field = "django.db.models.BigAutoField"
