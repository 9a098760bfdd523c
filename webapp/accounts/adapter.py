"""How allauth behaves here: nobody signs up by themselves, and mails say only what they must."""

from __future__ import annotations

from typing import ClassVar

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


class AccountAdapter(DefaultAccountAdapter):
    """allauth's adapter, closed: people are added by the team or by `manage.py addmember`.

    What our forms may show is said in our words, which the catalogues have: allauth's own names no
    next step, and its Chinese addresses people otherwise than ours.
    """

    error_messages: ClassVar[dict[str, str | Promise]] = {
        **DefaultAccountAdapter.error_messages,
        "email_password_mismatch": _(
            "The email or the password is wrong. Try again, or choose “Forgot your password?”."
        ),
        "invalid_login": _(
            "The email or the password is wrong. Try again, or choose “Forgot your password?”."
        ),
        "too_many_login_attempts": _(
            "Signing in has failed too many times. Nothing was changed; try again in a few minutes."
        ),
        "enter_current_password": _(
            "That is not your current password. Nothing was changed; type it again."
        ),
        "invalid_password_reset": _(
            "This link was used already, or is too old. Your password was not changed; ask for a"
            " new link."
        ),
        "rate_limited": _("That was too often in a short time. Try again in a few minutes."),
    }

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Return False: there is no way in but being added."""
        return False

    def format_email_subject(self, subject: str) -> str:
        """Return the subject as it is, without the host's name in brackets."""
        return subject

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        """Return to the profile, where the change began."""
        return reverse("profile")
