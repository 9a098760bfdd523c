"""The usual model servers: where they answer, what they need, and what to begin with.

A preset fills in a form and is not looked up again: what was saved is what counts. Addresses and
model names are the vendors' own; a model that is gone shows in the test (`probe.py`), which lists
what the endpoint has. Local servers begin with the window they have when nobody configures one.
"""

from dataclasses import dataclass
from typing import Final

from webapp.engine.ports import EditFormat
from webapp.lib.sentences import Sentence, gettext_noop


@dataclass(frozen=True, slots=True)
class Preset:
    """What a form begins with. Sizes are in tokens; `hint` says where key and model come from."""

    id: str
    label: str
    base_url: str
    needs_key: bool
    is_local: bool
    model: str
    edit_format: EditFormat
    context_window: int
    max_output: int
    small: bool
    hint: Sentence
    port: int = 0
    """The port that a local server listens on unless told otherwise; 0 for the others."""


OTHER: Final = "other"

PRESETS: Final = (
    Preset(
        "openai",
        "OpenAI",
        "https://api.openai.com/v1",
        needs_key=True,
        is_local=False,
        model="gpt-5-mini",
        edit_format="blocks",
        context_window=128_000,
        max_output=16_384,
        small=False,
        hint=Sentence(
            gettext_noop(
                "Make a key on the API keys page of the OpenAI platform; it begins with sk-."
            )
        ),
    ),
    Preset(
        "cerebras",
        "Cerebras",
        "https://api.cerebras.ai/v1",
        needs_key=True,
        is_local=False,
        model="gpt-oss-120b",
        edit_format="blocks",
        context_window=65_536,
        # Counted against the limit of tokens a minute before the answer begins.
        max_output=8_192,
        small=False,
        hint=Sentence(
            gettext_noop(
                "Make a key in the Cerebras cloud console; it begins with csk-. A longer answer"
                " limit uses up the tokens a minute sooner."
            )
        ),
    ),
    Preset(
        "groq",
        "Groq",
        "https://api.groq.com/openai/v1",
        needs_key=True,
        is_local=False,
        model="openai/gpt-oss-120b",
        edit_format="blocks",
        context_window=131_072,
        max_output=8_192,
        small=False,
        hint=Sentence(gettext_noop("Make a key in the Groq console; it begins with gsk_.")),
    ),
    Preset(
        "openrouter",
        "OpenRouter",
        "https://openrouter.ai/api/v1",
        needs_key=True,
        is_local=False,
        model="qwen/qwen3-coder",
        edit_format="blocks",
        context_window=128_000,
        max_output=16_384,
        small=False,
        hint=Sentence(
            gettext_noop(
                "Make a key in the settings of OpenRouter; it begins with sk-or-. Model names hold"
                " the maker, like qwen/qwen3-coder."
            )
        ),
    ),
    Preset(
        "vllm",
        "vLLM",
        "http://127.0.0.1:8000/v1",
        needs_key=False,
        is_local=True,
        model="Qwen/Qwen2.5-Coder-7B-Instruct",
        edit_format="blocks",
        context_window=32_768,
        max_output=8_192,
        small=False,
        hint=Sentence(
            gettext_noop(
                "Start it with `vllm serve MODEL`. A key is needed only when it was started with"
                " --api-key; --max-model-len sets the context window."
            )
        ),
        port=8000,
    ),
    Preset(
        "ollama",
        "Ollama",
        "http://127.0.0.1:11434/v1",
        needs_key=False,
        is_local=True,
        model="qwen2.5-coder:7b",
        edit_format="blocks",
        context_window=4_096,
        max_output=2_048,
        small=True,
        hint=Sentence(
            gettext_noop(
                "No key is needed. Fetch a model with `ollama pull MODEL`. Ollama cuts what is"
                " longer than its context window without a word; OLLAMA_CONTEXT_LENGTH raises it."
            )
        ),
        port=11434,
    ),
    Preset(
        "llamacpp",
        "llama.cpp",
        "http://127.0.0.1:8080/v1",
        needs_key=False,
        is_local=True,
        model="default",
        edit_format="blocks",
        context_window=8_192,
        max_output=4_096,
        small=True,
        hint=Sentence(
            gettext_noop(
                "Start it with `llama-server -m FILE -c 8192`; it answers with the model it was"
                " started with, whatever the name."
            )
        ),
        port=8080,
    ),
    Preset(
        "lmstudio",
        "LM Studio",
        "http://127.0.0.1:1234/v1",
        needs_key=False,
        is_local=True,
        model="qwen2.5-coder-7b-instruct",
        edit_format="blocks",
        context_window=4_096,
        max_output=2_048,
        small=True,
        hint=Sentence(
            gettext_noop(
                "Load a model and start the server on the Developer page of LM Studio. The context"
                " window is set where the model is loaded."
            )
        ),
        port=1234,
    ),
    Preset(
        OTHER,
        "",
        "",
        needs_key=True,
        is_local=False,
        model="",
        edit_format="blocks",
        context_window=32_768,
        max_output=8_192,
        small=False,
        hint=Sentence(
            gettext_noop(
                "Any server that answers Chat Completions. The base URL is what stands before"
                " /chat/completions, and usually ends in /v1."
            )
        ),
    ),
)

_BY_ID: Final = {preset.id: preset for preset in PRESETS}


def preset(id: str) -> Preset:
    """Return the preset with this id, else the one for other servers."""
    return _BY_ID.get(id, _BY_ID[OTHER])
