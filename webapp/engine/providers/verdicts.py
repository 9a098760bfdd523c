"""What a test of an endpoint came to, as one sentence: the first thing that is wrong. Pure."""

import difflib
from collections.abc import Sequence
from typing import Final

from webapp.engine.ports import LEAST_WINDOW, Endpoint, Failed, FailureCode
from webapp.engine.providers.replies import tidy
from webapp.lib.sentences import Sentence, gettext_noop, listed

_MOST_NAMES: Final = 12


def overdue(endpoint: Endpoint, limit_s: float) -> Sentence:
    """Return what to say of a server that takes too long for a test."""
    return Sentence(
        gettext_noop(
            "%(label)s did not finish a short answer within %(seconds)s s. It may still be"
            " loading the model: test again in a moment."
        ),
        label=endpoint.label,
        seconds=f"{limit_s:.0f}",
    )


def verdict(
    endpoint: Endpoint,
    *,
    failed: Failed | None,
    models: Sequence[str],
    window: int | None,
    suggested: str,
    is_empty: bool,
) -> Sentence | None:
    """Return what is wrong, or None.

    `models` and `window` (tokens) are what the server says it has; `suggested` is a base URL under
    which it does answer; `is_empty` says that the answer came to its end without any text.
    """
    label = endpoint.label
    if suggested:
        return Sentence(
            gettext_noop(
                "There are no chat completions at %(address)s. The same server answers at"
                " %(suggested)s: use that base URL."
            ),
            address=endpoint.base_url,
            suggested=suggested,
        )
    if failed is not None:
        return _of_failure(endpoint, failed, models)
    if window is not None and window < LEAST_WINDOW:
        return Sentence(
            gettext_noop(
                "%(label)s reads %(window)s tokens at once, and Flint needs %(least)s at least."
                " Give the model a larger context window there."
            ),
            label=label,
            window=window,
            least=LEAST_WINDOW,
        )
    if window is not None and window < endpoint.context_window:
        return Sentence(
            gettext_noop(
                "%(label)s reads %(window)s tokens at once, and this endpoint says %(said)s."
                " Set the context window to %(window)s here, or raise it there."
            ),
            label=label,
            window=window,
            said=endpoint.context_window,
        )
    if is_empty:
        return Sentence(
            gettext_noop(
                "%(label)s answered without any text. Check that the model is one for chat, and"
                " look at the server's log."
            ),
            label=label,
        )
    return None


def _of_failure(endpoint: Endpoint, failed: Failed, models: Sequence[str]) -> Sentence:
    message = failed.message
    if failed.code != FailureCode.UNKNOWN_MODEL or not models:
        if isinstance(message, Sentence):
            return message
        return Sentence(gettext_noop("%(problem)s"), problem=message)
    names = _nearest(endpoint.model, models)
    shown = listed(tidy(name, endpoint) for name in names)
    if len(models) == len(names):
        return Sentence(
            gettext_noop('%(label)s has no model named "%(model)s". It has %(names)s.'),
            label=endpoint.label,
            model=endpoint.model,
            names=shown,
        )
    return Sentence(
        gettext_noop(
            '%(label)s has no model named "%(model)s". It has %(count)s, among them %(names)s.'
        ),
        label=endpoint.label,
        model=endpoint.model,
        count=len(models),
        names=shown,
    )


def _nearest(asked: str, names: Sequence[str]) -> list[str]:
    """Return some names, those most like the asked one first."""
    if len(names) <= _MOST_NAMES:
        return list(names)
    alike = difflib.get_close_matches(asked, names, n=_MOST_NAMES, cutoff=0.4)
    alike += [name for name in names if name not in alike]
    return alike[: _MOST_NAMES // 2]
