"""What each child is given: what the operator set, and the rest filled in."""

from __future__ import annotations

import socket
import stat
from pathlib import Path

import pytest

from webapp.appliance import plan
from webapp.appliance.plan import Plan
from webapp.appliance.tiers import PREVIEW, STANDARD


def made(tmp_path: Path, host: str = "127.0.0.1", **given: str) -> Plan:
    return Plan(
        home=tmp_path,
        host=host,
        port=8123,
        given={"PATH": "/usr/bin", **given},
        model_ports={"preview": 4321, "standard": 4322},
        redis_url="" if "REDIS_URL" in given else "unix:///run/v.sock",
    )


def test_with_nothing_set_everything_is_embedded(tmp_path: Path) -> None:
    env = made(tmp_path).environment()
    assert env["REDIS_URL"] == "unix:///run/v.sock"
    assert env["FLINT_PREVIEW_BASE_URL"] == "http://127.0.0.1:4321"
    assert env["FLINT_PREVIEW_SMALL"] == "1"
    assert len(env["FLINT_PREVIEW_API_KEY"]) >= 32
    assert env["FLINT_STANDARD_BASE_URL"] == "http://127.0.0.1:4322"
    assert env["FLINT_STANDARD_MODEL"] == "Qwen2.5-Coder-1.5B"
    assert env["FLINT_STANDARD_FORMAT"] == "whole"
    assert len(env["FLINT_STANDARD_API_KEY"]) >= 32
    assert env["FLINT_STANDARD_API_KEY"] != env["FLINT_PREVIEW_API_KEY"]
    assert env["PUBLIC_ORIGINS"] == "http://127.0.0.1:8123,http://localhost:8123"
    assert env["PATH"] == "/usr/bin"
    assert "SECRET_KEY" not in env
    assert "DATABASE_URL" not in env


def test_what_the_operator_set_is_passed_on_untouched(tmp_path: Path) -> None:
    given = {
        "REDIS_URL": "redis://elsewhere/1",
        "DATABASE_URL": "postgres://elsewhere/flint",
        "PUBLIC_ORIGINS": "https://flint.example.com",
        "FLINT_PREVIEW_BASE_URL": "https://models.example.com/v1",
        "FLINT_PREVIEW_MODEL": "fast",
    }
    flint = made(tmp_path, **given)
    env = flint.environment()
    assert {name: env[name] for name in given} == given
    assert "FLINT_PREVIEW_API_KEY" not in env
    assert "FLINT_PREVIEW_SMALL" not in env
    assert not flint.embeds(PREVIEW)
    assert flint.embeds(STANDARD)
    assert flint.origin_host == "flint.example.com"


def test_a_server_of_the_operators_takes_the_deeper_tier_over(tmp_path: Path) -> None:
    given = {"FLINT_STANDARD_BASE_URL": "https://models.example.com/v1"}
    flint = made(tmp_path, **given)
    env = flint.environment()
    assert not flint.embeds(STANDARD)
    assert flint.embeds(PREVIEW)
    assert env["FLINT_STANDARD_BASE_URL"] == given["FLINT_STANDARD_BASE_URL"]
    assert not {"FLINT_STANDARD_API_KEY", "FLINT_STANDARD_FORMAT"} & set(env)


def test_what_the_operator_says_of_an_embedded_model_holds(tmp_path: Path) -> None:
    given = {"FLINT_STANDARD_FORMAT": "blocks", "FLINT_PREVIEW_SMALL": "0"}
    env = made(tmp_path, **given).environment()
    assert {name: env[name] for name in given} == given


def test_each_model_has_a_process_a_log_and_a_status_of_its_own(tmp_path: Path) -> None:
    flint = made(tmp_path, FLINT_STANDARD_STATUS=str(tmp_path / "deep.json"))
    specs = [flint.model(tier) for tier in (PREVIEW, STANDARD)]
    assert [spec.name for spec in specs] == ["model", "model-standard"]
    assert [spec.command[-1] for spec in specs] == ["preview", "standard"]
    env = flint.environment()
    assert env["FLINT_PREVIEW_STATUS"] == str(tmp_path / "model-preview.json")
    assert env["FLINT_STANDARD_STATUS"] == str(tmp_path / "deep.json")


def test_another_file_of_weights_is_named_after_its_file(tmp_path: Path) -> None:
    same = made(tmp_path, FLINT_MODEL_PATH="/models/copy.gguf").environment()
    assert same["FLINT_PREVIEW_MODEL"] == "Qwen2.5-Coder-0.5B"
    other = made(
        tmp_path, FLINT_MODEL_PATH="/models/other-3b.gguf", FLINT_MODEL_SHA256="ab"
    ).environment()
    assert other["FLINT_PREVIEW_MODEL"] == "other-3b"
    assert other["FLINT_STANDARD_MODEL"] == "Qwen2.5-Coder-1.5B"


def test_each_web_process_has_a_name_of_its_own_under_one_prefix(tmp_path: Path) -> None:
    flint = made(tmp_path)
    with socket.socket() as listener:
        web = flint.web(listener, gate=9)
    first, second = (web.environment()["FLINT_PROCESS"] for _ in range(2))
    assert first != second
    assert first.startswith(flint.owner_prefix)
    assert second.startswith(flint.owner_prefix)
    other = Plan(home=tmp_path / "other", host="127.0.0.1", port=8123, given={})
    assert other.owner_prefix != flint.owner_prefix


@pytest.mark.parametrize(
    ("host", "local", "connect", "first_origin"),
    [
        ("127.0.0.1", True, "127.0.0.1", "http://127.0.0.1:8123"),
        ("::", False, "::1", "http://127.0.0.1:8123"),
        ("0.0.0.0", False, "127.0.0.1", "http://127.0.0.1:8123"),  # noqa: S104 - compared with
        ("::1", True, "::1", "http://[::1]:8123"),
        ("192.0.2.7", False, "192.0.2.7", "http://192.0.2.7:8123"),
    ],
)
def test_where_flint_is_reached_follows_from_host(
    tmp_path: Path, host: str, local: bool, connect: str, first_origin: str
) -> None:
    flint = made(tmp_path, host=host)
    assert flint.is_local is local
    assert flint.connect_host == connect
    assert flint.origins[0] == first_origin


def test_the_models_port_stays_free_for_the_model_alone() -> None:
    with plan.reserve_port() as reservation:
        address = reservation.getsockname()
        for _ in range(2):  # also after the model was restarted
            with socket.socket() as model:
                model.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                model.bind(address)
                model.listen()


def test_the_secret_key_is_written_once_for_its_owner_alone(tmp_path: Path) -> None:
    plan.keep_secret_key(tmp_path)
    path = tmp_path / "secret-key"
    key = path.read_text()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert len(key) >= 50
    plan.keep_secret_key(tmp_path)
    assert path.read_text() == key


def test_the_web_process_has_the_limits_of_the_procfile(tmp_path: Path) -> None:
    with socket.socket() as listener:
        command = made(tmp_path).web(listener, 5).command
    limits = [part for part in command if part.startswith("--websocket")]
    web = (plan.BASE / "Procfile").read_text().splitlines()[0]
    assert limits
    assert all(part.replace("=", " ") in web for part in limits)
