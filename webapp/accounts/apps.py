"""Django's handle on this room."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """See the room's docstring."""

    name = "webapp.accounts"
