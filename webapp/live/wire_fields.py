"""The fields of a frame: what each may hold, checked before anything is made of it. Pure."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

MAX_INT: Final = 2**53 - 1
"""What a browser still counts exactly."""


class Malformed(ValueError):
    """A frame whose fields are not as they must be; the text says which, for a developer."""


Check = Callable[[object], bool]


@dataclass(frozen=True, slots=True)
class Field:
    """One field: `what` it must be, for whoever reads that it is not."""

    check: Check
    what: str
    required: bool = True


def check_fields(frame: dict[str, Any], fields: dict[str, Field]) -> None:
    """Raise Malformed for a field that is unknown, wrong or missing."""
    for name, value in frame.items():
        field = fields.get(name)
        if field is None:
            raise Malformed(f"unknown field {name[:40]!r}")
        if not field.check(value):
            raise Malformed(f"{name} is not {field.what}")
    if len(frame) < len(fields):
        for name, field in fields.items():
            if field.required and name not in frame:
                raise Malformed(f"{name} is missing")


def is_count(value: object) -> bool:
    """Say whether it is a whole number from 0."""
    return type(value) is int and 0 <= value <= MAX_INT


def is_number(value: object) -> bool:
    """Say whether it is a finite number, and no boolean."""
    if type(value) is int:
        return abs(value) <= MAX_INT
    return type(value) is float and math.isfinite(value)


def is_range(value: object) -> bool:
    """Say whether it is two offsets, in any order."""
    return isinstance(value, list) and len(value) == 2 and all(map(is_count, value))


def is_text(limit: int, least: int = 0) -> Check:
    """Return the check for a text of so many UTF-16 units."""
    return lambda value: isinstance(value, str) and least <= len(value) <= limit


def one_of(*values: str) -> Field:
    """Return a required field that holds one of these."""
    return Field(lambda value: value in values, f"one of {', '.join(values)}")
