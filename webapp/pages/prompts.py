"""The three prompts that a session without turns offers to click."""

from __future__ import annotations

from django.utils.translation import gettext

from webapp.pairing.models import Session


def prompts_for(session: Session) -> list[tuple[str, str]]:
    """Return three prompts that suit the session's files, each with the path of the file that it
    needs when there is none yet, else ""."""
    paths = set(session.files.filter(deleted_seq=None).values_list("path", flat=True))
    if "fizzbuzz.py" in paths:
        return [
            (gettext("return FizzBuzz for multiples of 15"), ""),
            (gettext("add type hints"), ""),
            (gettext("let main start at a number other than 1"), ""),
        ]
    if paths:
        return [
            (gettext("add a docstring to every function"), ""),
            (gettext("add type hints"), ""),
            (gettext("give the variables clearer names"), ""),
        ]
    return [
        (gettext("write a program that prints the first ten primes"), "primes.py"),
        (gettext("write a function that counts the words of a text"), "words.py"),
        (gettext("write a page that shows the time"), "clock.html"),
    ]
