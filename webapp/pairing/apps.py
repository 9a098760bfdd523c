"""Django's handle on this room."""

from django.apps import AppConfig


class PairingConfig(AppConfig):
    """Sessions at rest."""

    name = "webapp.pairing"
    default_auto_field = "django.db.models.BigAutoField"
