"""How much a project may hold. Whoever takes files in, by whatever way, asks here."""

from __future__ import annotations

from typing import Final

MAX_FILES: Final = 2_000
MAX_TEXT_UNITS: Final = 2 * 1024 * 1024
"""Of one text file, in UTF-16 code units."""
MAX_TOTAL_BYTES: Final = 20 * 1024 * 1024
"""Of all files that come in at once, unpacked."""
MAX_RATIO: Final = 100
"""How many times its packed size a member of an archive may unpack to."""
