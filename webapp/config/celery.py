"""The Celery application; tasks live beside what they serve, in each room's tasks.py.

A worker that is alive says so in Redis: `flint:worker:<hostname>`, written every two seconds and
gone ten seconds after the last one. `/readyz` looks for such a key; asking the workers over the
broker instead would take a second for each request.
"""

from __future__ import annotations

import contextlib
import os
from typing import Any

import redis
from celery import Celery
from celery.signals import heartbeat_sent

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "webapp.config.settings")

app = Celery("flint")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()

HEARTBEAT_TTL_S = 10
_redis: redis.Redis | None = None


@heartbeat_sent.connect
def say_alive(sender: Any, **_: Any) -> None:
    """Renew this worker's key; a Redis that is away loses a beat and nothing else."""
    global _redis
    from django.conf import settings

    if _redis is None:
        _redis = redis.Redis.from_url(settings.REDIS_URL, socket_timeout=1.0)
    with contextlib.suppress(redis.RedisError):
        _redis.set(f"flint:worker:{sender.eventer.hostname}", "1", ex=HEARTBEAT_TTL_S)
