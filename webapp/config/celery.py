"""The Celery application; tasks live beside what they serve, in each room's tasks.py."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "webapp.config.settings")

app = Celery("flint")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
