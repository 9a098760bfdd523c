"""How allauth behaves here: nobody signs up by themselves, and mails say only what they must."""

from __future__ import annotations

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest
from django.urls import reverse


class AccountAdapter(DefaultAccountAdapter):
    """allauth's adapter, closed: people are added by the team or by `manage.py addmember`."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Return False: there is no way in but being added."""
        return False

    def format_email_subject(self, subject: str) -> str:
        """Return the subject as it is, without the host's name in brackets."""
        return subject

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        """Return to the profile, where the change began."""
        return reverse("profile")
