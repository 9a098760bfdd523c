"""The process's figures as Prometheus text: of the interpreter, and of the rooms that are open."""

from __future__ import annotations

from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, generate_latest

CONTENT_TYPE = CONTENT_TYPE_LATEST


def page() -> bytes:
    """Return every figure of this process; rooms register theirs with the default registry."""
    return generate_latest(REGISTRY)
