"""Asking for an embedded model, which the appliance then brings; see notices/modelwish.py.

This only notes the wish; the model's status tells what became of it. Whoever calls has found out
that the person may ask. A wish for what is so already is taken, since what is told here may be a
moment old.
"""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Literal

from django.conf import settings

from webapp.lib import clock
from webapp.lib.sentences import Sentence, gettext_noop
from webapp.notices import modelstatus, modelwish
from webapp.notices.modelwish import Wish

log = logging.getLogger(__name__)

BY_ITSELF = Sentence(
    gettext_noop(
        "The embedded model of this tier is brought by itself when Flint starts. Its state tells"
        " how far it is."
    )
)
ELSEWHERE = Sentence(
    gettext_noop(
        "This tier is answered by a model server that the operator has set. There is nothing to"
        " download."
    )
)
NO_APPLIANCE = Sentence(
    gettext_noop(
        "This Flint runs without the part that brings models. Whoever operates it can start it"
        " with `make run`, or set a model server for this tier."
    )
)
IS_HERE = Sentence(gettext_noop("The model is here already and answers. Choose it and ask."))


def ask(tier: str, op: Literal["start", "stop"], who: str = "") -> str | None:
    """Have the tier's embedded model downloaded and started, or left; `who` is for the operator.

    Returns None when the wish was noted, else a Sentence that says why not. Reads and writes one
    small file.
    """
    named = settings.MODELS.get(tier)
    if named is None:
        return Sentence(
            gettext_noop("There is no tier named %(tier)s. Nothing was downloaded."), tier=tier[:40]
        )
    if tier not in modelwish.ON_DEMAND:
        return BY_ITSELF
    if not named["base_url"]:
        return NO_APPLIANCE
    path: Path = named["status_file"]
    status = modelstatus.read(path)
    if status is None:
        return ELSEWHERE
    if op == "start" and status.state == "ready":
        return IS_HERE
    if op == "start" and status.state in {"unfit", "missing"}:
        return status.message or NO_APPLIANCE
    try:
        modelwish.write(
            modelwish.path_beside(path), Wish(op, who, clock.now().isoformat(timespec="seconds"))
        )
    except OSError as error:
        log.warning("a wish for the %s model could not be noted: %s", tier, error)
        return Sentence(
            gettext_noop(
                "What you asked for could not be noted: %(problem)s. Nothing has changed. Try"
                " again once there is room on the disk."
            ),
            problem=error.strerror or type(error).__name__,
        )
    return None
