"""The runs that are kept, oldest first, in history.json: what the table and the chart show."""

from __future__ import annotations

import json
import statistics
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

from tests.eval.judging import Verdict

PATH: Final = Path(__file__).parent / "history.json"
Line = Mapping[str, Any]
"""One task of a run, as `running.py` prints it."""


@dataclass(frozen=True)
class Run:
    """One run. `of` is how many answers were wanted, the verdicts are of those that came.

    `tokens` are all that were written, `tokens_per_s` and `ttft_ms` medians over the answers,
    `seconds` all of the asking. `stray` counts right answers that changed other lines too.
    """

    at: str
    model: str
    edit_format: str
    of: int
    verdicts: Mapping[str, int]
    lost: int
    stray: int
    tokens: int
    tokens_per_s: float | None
    ttft_ms: int | None
    seconds: float
    temperature: float = 0.0
    repeat: int = 1
    machine: str = ""
    tasks: Mapping[str, str] = field(default_factory=dict)
    """Each task's verdict (of several answers: the last)."""

    @property
    def done(self) -> int:
        """How many answers there are."""
        return sum(self.verdicts.values())

    def count(self, verdict: Verdict) -> int:
        """How many answers came to this."""
        return self.verdicts.get(verdict.value, 0)


def summed(
    lines: Sequence[Line],
    *,
    at: str,
    model: str,
    edit_format: str,
    of: int,
    temperature: float = 0.0,
    repeat: int = 1,
    machine: str = "",
) -> Run:
    """Return the run that these lines are."""
    right = [line for line in lines if line["verdict"] == Verdict.RIGHT]
    return Run(
        at=at,
        model=model,
        edit_format=edit_format,
        of=of,
        verdicts=dict(Counter(line["verdict"] for line in lines)),
        lost=sum(len(line["lost"]) for line in lines),
        stray=sum(line["stray"] for line in right),
        tokens=sum(line["output_tokens"] for line in lines),
        tokens_per_s=_median(line["tokens_per_s"] for line in lines),
        ttft_ms=_rounded(_median(line["ttft_ms"] for line in lines)),
        seconds=round(sum(line["seconds"] for line in lines), 1),
        temperature=temperature,
        repeat=repeat,
        machine=machine,
        tasks={line["task"]: line["verdict"] for line in lines},
    )


def load(path: Path = PATH) -> list[Run]:
    """Return the runs that are kept."""
    if not path.exists():
        return []
    return [Run(**each) for each in json.loads(path.read_text("utf-8"))]


def keep(run: Run, path: Path = PATH) -> list[Run]:
    """Add a run, and return all of them."""
    runs = [*load(path), run]
    text = json.dumps([asdict(each) for each in runs], indent=1, ensure_ascii=False)
    draft = path.with_suffix(".tmp")
    draft.write_text(f"{text}\n", "utf-8")
    draft.replace(path)
    return runs


def _median(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return round(statistics.median(known), 1) if known else None


def _rounded(value: float | None) -> int | None:
    return None if value is None else round(value)
