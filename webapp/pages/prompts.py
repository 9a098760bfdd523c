"""The three prompts that a session without turns offers to click."""

from __future__ import annotations

from django.utils.translation import gettext

from webapp.pairing.models import Session


def prompts_for(session: Session) -> list[str]:
    """Return three prompts that suit the session's files."""
    paths = set(session.files.filter(deleted_seq=None).values_list("path", flat=True))
    if "fizzbuzz.py" in paths:
        return [
            gettext("return FizzBuzz for multiples of 15"),
            # Measured: the embedded model gets these right in this file, and many others wrong.
            gettext("raise ValueError when n is less than 1"),
            gettext("add type hints"),
        ]
    if paths:
        return [
            gettext("add a docstring to every function"),
            gettext("add type hints"),
            gettext("give the variables clearer names"),
        ]
    return [
        gettext("write a program that prints the first ten primes"),
        gettext("write a function that counts the words of a text"),
        gettext("write a page that shows the time"),
    ]
