"""The embedded models, one a tier: what each is, what it needs, how it is run. Pure data.

Both may be loaded at once, and usually one turn runs at a time. So each computes with all cores
(its threads sleep while it has nothing to do), and when both write, the quick one goes first, by
niceness.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from webapp.appliance import published
from webapp.appliance.published import Weights
from webapp.notices import modelwish

CONTEXT_TOKENS: Final = 8192
MAX_OUTPUT_TOKENS: Final = 2048


@dataclass(frozen=True, slots=True)
class Tier:
    """One embedded model."""

    name: str
    weights: Weights
    child: str
    """The name of its process, and of its log."""
    path_setting: str
    digest_setting: str
    needs_bytes: int
    """Memory, once it is loaded and has been asked a few times."""
    prompt_cache_mib: int
    niceness: int

    @property
    def on_demand(self) -> bool:
        """Whether it is brought only when somebody asks for it."""
        return self.name in modelwish.ON_DEMAND

    def setting(self, what: str) -> str:
        """Return the name of one of its settings."""
        return f"FLINT_{self.name.upper()}_{what}"

    def given_path(self, environment: Mapping[str, str]) -> str:
        """Return the file that the operator set, or an empty text."""
        return environment.get(self.path_setting, "").strip()


PREVIEW: Final = Tier(
    name="preview",
    weights=published.PREVIEW,
    child="model",
    path_setting="FLINT_MODEL_PATH",
    digest_setting="FLINT_MODEL_SHA256",
    needs_bytes=750_000_000,
    prompt_cache_mib=512,
    niceness=3,
)
STANDARD: Final = Tier(
    name="standard",
    weights=published.STANDARD,
    child="model-standard",
    path_setting="FLINT_STANDARD_MODEL_PATH",
    digest_setting="FLINT_STANDARD_MODEL_SHA256",
    needs_bytes=1_800_000_000,
    prompt_cache_mib=256,
    niceness=6,
)
EMBEDDED: Final = {tier.name: tier for tier in (PREVIEW, STANDARD)}
