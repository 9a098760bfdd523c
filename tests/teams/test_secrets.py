"""Keys at rest: round trip, rotation, and what happens when the material is lost."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from cryptography.fernet import Fernet
from pytest_django import Settings

from webapp.teams import secrets

ORIGIN = "https://models.example:443"


@pytest.fixture(autouse=True)
def home(settings: Settings, tmp_path: Path) -> Path:
    """An empty home, and no material in the settings."""
    settings.FLINT_HOME = tmp_path
    settings.FLINT_ENDPOINT_KEYS = []
    return tmp_path


def test_a_key_comes_back_as_it_was_and_is_not_to_be_read_at_rest(home: Path) -> None:
    sealed = secrets.seal("sk-secret-ü", ORIGIN)
    assert "sk-secret" not in sealed
    assert secrets.unseal(sealed, ORIGIN) == "sk-secret-ü"
    assert secrets.seal("sk-secret-ü", ORIGIN) != sealed


def test_it_is_opened_for_no_other_origin() -> None:
    sealed = secrets.seal("sk-secret", ORIGIN)
    assert secrets.unseal(sealed, "http://models.example:80") is None
    assert secrets.unseal(sealed, "https://elsewhere.example:443") is None
    assert secrets.unseal(sealed, "") is None


def test_the_file_is_made_once_and_for_its_owner_alone(home: Path) -> None:
    assert secrets.unseal("gAAAAA", ORIGIN) is None
    assert not (home / secrets.FILE).exists()
    secrets.seal("one", ORIGIN)
    material = (home / secrets.FILE).read_text()
    secrets.seal("two", ORIGIN)
    assert (home / secrets.FILE).read_text() == material
    assert (home / secrets.FILE).stat().st_mode & 0o777 == 0o600
    assert [path.name for path in home.iterdir()] == [secrets.FILE]


def test_two_who_make_it_at_the_same_time_use_the_same(home: Path) -> None:
    together = threading.Barrier(8)
    sealed: list[str] = []

    def seal() -> None:
        together.wait()
        sealed.append(secrets.seal("sk", ORIGIN))

    threads = [threading.Thread(target=seal) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [secrets.unseal(each, ORIGIN) for each in sealed] == ["sk"] * 8
    assert [path.name for path in home.iterdir()] == [secrets.FILE]


def test_the_settings_come_before_the_file(home: Path, settings: Settings) -> None:
    settings.FLINT_ENDPOINT_KEYS = [Fernet.generate_key().decode()]
    sealed = secrets.seal("sk", ORIGIN)
    assert list(home.iterdir()) == []
    assert secrets.unseal(sealed, ORIGIN) == "sk"
    settings.FLINT_ENDPOINT_KEYS = []
    assert secrets.unseal(sealed, ORIGIN) is None


def test_older_material_opens_and_newer_seals(settings: Settings) -> None:
    old, new = Fernet.generate_key().decode(), Fernet.generate_key().decode()
    settings.FLINT_ENDPOINT_KEYS = [old]
    sealed = secrets.seal("sk", ORIGIN)
    settings.FLINT_ENDPOINT_KEYS = [new, old]
    assert secrets.unseal(sealed, ORIGIN) == "sk"
    assert not secrets.is_newest(sealed)
    turned = secrets.rotate(sealed)
    assert turned is not None
    assert secrets.is_newest(turned)
    settings.FLINT_ENDPOINT_KEYS = [new]
    assert secrets.unseal(turned, ORIGIN) == "sk"
    assert secrets.rotate(sealed) is None


@pytest.mark.parametrize("material", ["no fernet key", "\xff", ""])
def test_material_that_is_none_is_a_sentence_to_seal_and_a_lost_key_to_open(
    home: Path, material: str
) -> None:
    sealed = secrets.seal("sk", ORIGIN)
    (home / secrets.FILE).write_text(material, encoding="utf-8")
    assert secrets.unseal(sealed, ORIGIN) is None
    with pytest.raises(secrets.CannotSeal, match=r"Whoever\s+runs this Flint"):
        secrets.seal("sk", ORIGIN)


def test_wrong_settings_are_a_sentence(settings: Settings) -> None:
    settings.FLINT_ENDPOINT_KEYS = ["too short"]
    with pytest.raises(secrets.CannotSeal, match="FLINT_ENDPOINT_KEYS"):
        secrets.seal("sk", ORIGIN)
    assert secrets.unseal("gAAAAA", ORIGIN) is None


def test_a_home_that_cannot_be_written_is_a_sentence(home: Path, settings: Settings) -> None:
    (home / "file").write_text("")
    settings.FLINT_HOME = home / "file"
    with pytest.raises(secrets.CannotSeal, match=r"cannot be (read|written)"):
        secrets.seal("sk", ORIGIN)
