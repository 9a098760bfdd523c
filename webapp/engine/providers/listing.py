"""What model servers say of themselves: which models they have, and how much they read. Pure.

Bodies in, values out; anything unexpected is None, as no two servers agree. Sources: OpenAI's
`GET /v1/models` and what others add to it (vLLM `max_model_len`, Groq `context_window`, OpenRouter
`context_length`, Mistral `max_context_length`, llama.cpp `meta.n_ctx`), llama.cpp's `GET /props`,
Ollama's `/api/tags`, `/api/ps` and `/api/show`, LM Studio's `/api/v0/models`.
"""

import json
import re
from dataclasses import dataclass
from typing import Any, Final

_WINDOWS: Final = (
    "max_model_len",
    "loaded_context_length",
    "context_window",
    "context_length",
    "max_context_length",
)
_LONGEST_NAME: Final = 200
_MOST: Final = 5_000


@dataclass(frozen=True, slots=True)
class Listed:
    """One model of a server. `window` is in tokens; `owner` is what it calls `owned_by`."""

    name: str
    window: int | None = None
    owner: str = ""


def models_in(body: bytes) -> tuple[Listed, ...] | None:
    """Return the models that a body lists, in its order; None when it is no such list."""
    parsed = _parsed(body)
    if isinstance(parsed, dict):
        parsed = parsed.get("data", parsed.get("models"))
    if not isinstance(parsed, list):
        return None
    found = (_listed(item) for item in parsed[:_MOST])
    return tuple(each for each in found if each is not None)


def window_in_props(body: bytes) -> int | None:
    """Return the context of one slot from llama.cpp's `/props`."""
    parsed = _parsed(body)
    if not isinstance(parsed, dict):
        return None
    settings = parsed.get("default_generation_settings")
    inner = _size(settings.get("n_ctx")) if isinstance(settings, dict) else None
    return inner or _size(parsed.get("n_ctx"))


def window_in_ps(body: bytes, model: str) -> int | None:
    """Return the context with which Ollama's `/api/ps` says that it has loaded `model`."""
    loaded = models_in(body) or ()
    return next((each.window for each in loaded if same_model(each.name, model)), None)


def window_in_show(body: bytes) -> int | None:
    """Return the `num_ctx` that a model of Ollama's brings along, from `/api/show`."""
    parsed = _parsed(body)
    parameters = parsed.get("parameters") if isinstance(parsed, dict) else None
    if not isinstance(parameters, str):
        return None
    found = re.search(r"^num_ctx\s+(\d{1,9})\s*$", parameters, re.MULTILINE)
    return _size(int(found[1])) if found else None


def same_model(listed: str, asked: str) -> bool:
    """Say whether two names mean one model: Ollama adds `:latest` to a name without a tag."""
    return listed.casefold() in (asked.casefold(), f"{asked.casefold()}:latest")


def _listed(item: Any) -> Listed | None:
    if isinstance(item, str):
        item = {"id": item}
    if not isinstance(item, dict):
        return None
    name = next((item[key] for key in ("id", "name", "model", "key") if item.get(key)), None)
    if not isinstance(name, str) or not name.isprintable() or len(name) > _LONGEST_NAME:
        return None
    meta = item.get("meta")
    windows = [_size(item.get(key)) for key in _WINDOWS]
    windows.append(_size(meta.get("n_ctx")) if isinstance(meta, dict) else None)
    owner = item.get("owned_by")
    return Listed(
        name.removeprefix("models/"),
        next((window for window in windows if window), None),
        owner if isinstance(owner, str) else "",
    )


def _size(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None


def _parsed(body: bytes) -> Any:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None
