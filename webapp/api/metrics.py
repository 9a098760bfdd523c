"""The process's figures as Prometheus text: of the interpreter, and of the rooms that are open."""

from __future__ import annotations

from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, Gauge, generate_latest

from webapp.live import hub

CONTENT_TYPE = CONTENT_TYPE_LATEST

_HELP = {
    "rooms": "Sessions that are open in this process.",
    "people": "Pages that are connected to this process.",
    "turns": "Turns that run in this process.",
}


def _gauge(name: str) -> None:
    gauge = Gauge(f"flint_live_{name}", _HELP[name])
    gauge.set_function(lambda: hub.figures()[name])


for _name in _HELP:
    _gauge(_name)


def page() -> bytes:
    """Return every figure of this process."""
    return generate_latest(REGISTRY)
