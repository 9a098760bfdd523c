"""`manage.py rotatekeys`."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from cryptography.fernet import Fernet
from django.core.management import CommandError, call_command
from pytest_django import Settings

from tests.cast import Cast
from tests.teams.test_endpoints import add, home
from webapp.teams import secrets
from webapp.teams.endpoints import key_of
from webapp.teams.models import Endpoint

__all__ = ["home"]


def rotate(*arguments: str) -> tuple[str, str]:
    out, err = io.StringIO(), io.StringIO()
    call_command("rotatekeys", *arguments, stdout=out, stderr=err)
    return out.getvalue(), err.getvalue()


def test_with_the_file_fresh_material_is_made_and_every_key_sealed_with_it(
    cast: Cast, home: Path
) -> None:
    row, _ = add(cast, "sk"), add(cast, label="Keyless")
    before, old = row.key, (home / secrets.FILE).read_text()
    assert rotate() == ("Keys that are encrypted with the newest material now: 1.\n", "")
    row.refresh_from_db()
    assert row.key != before
    assert key_of(row) == "sk"
    assert (home / secrets.FILE).read_text().endswith(old)
    assert (home / secrets.FILE).stat().st_mode & 0o777 == 0o600
    out, _ = rotate("--forget-old")
    assert "dropped from the file: 1." in out
    assert old not in (home / secrets.FILE).read_text()
    assert key_of(Endpoint.objects.get(pk=row.pk)) == "sk"


def test_with_the_settings_the_newest_of_them_counts(cast: Cast, settings: Settings) -> None:
    old, new = Fernet.generate_key().decode(), Fernet.generate_key().decode()
    settings.FLINT_ENDPOINT_KEYS = [old]
    row = add(cast, "sk")
    settings.FLINT_ENDPOINT_KEYS = [new, old]
    rotate()
    settings.FLINT_ENDPOINT_KEYS = [new]
    assert key_of(Endpoint.objects.get(pk=row.pk)) == "sk"
    once = Endpoint.objects.get(pk=row.pk).key
    rotate()
    assert Endpoint.objects.get(pk=row.pk).key == once
    with pytest.raises(CommandError, match="FLINT_ENDPOINT_KEYS"):
        rotate("--forget-old")


def test_a_lost_key_is_named_and_stays_as_it_is(cast: Cast, home: Path) -> None:
    row = add(cast, "sk")
    (home / secrets.FILE).unlink()
    out, err = rotate()
    assert "now: 0." in out
    assert row.pk in err and "Enter it again" in err and "sk" not in err
    assert Endpoint.objects.get(pk=row.pk).key == row.key


def test_material_that_cannot_be_used_is_an_error(cast: Cast, settings: Settings) -> None:
    add(cast, "sk")
    settings.FLINT_ENDPOINT_KEYS = ["broken"]
    with pytest.raises(CommandError, match="not a Fernet key"):
        rotate()
