"""Metrics: only with the token, and not at all without one in the settings."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from pytest_django import Settings


@pytest.mark.django_db
def test_without_a_token_there_is_no_page(settings: Settings) -> None:
    settings.METRICS_TOKEN = ""
    assert Client().get("/metrics").status_code == 404
    assert Client().get("/metrics", headers={"Authorization": "Bearer "}).status_code == 404


@pytest.mark.parametrize(
    "given", [None, "Bearer", "Bearer wrong", "Basic right", "right", "Bearer é"]
)
def test_a_wrong_token_is_refused(settings: Settings, given: str | None) -> None:
    settings.METRICS_TOKEN = "right"
    answer = Client().get("/metrics", headers={} if given is None else {"Authorization": given})
    assert answer.status_code == 401
    assert answer["WWW-Authenticate"] == "Bearer"
    assert b"python_info" not in answer.content


def test_the_right_token_gets_prometheus_text(settings: Settings) -> None:
    settings.METRICS_TOKEN = "right"
    answer = Client().get("/metrics", headers={"Authorization": "Bearer right"})
    assert answer.status_code == 200
    assert answer["Content-Type"].startswith("text/plain")
    assert b"process_cpu_seconds_total" in answer.content


def test_the_rooms_are_counted(settings: Settings) -> None:
    settings.METRICS_TOKEN = "right"
    page = Client().get("/metrics", headers={"Authorization": "Bearer right"}).content.decode()
    for figure in ("rooms", "people", "turns"):
        assert re.search(rf"^flint_live_{figure} \d+\.0$", page, re.M)
