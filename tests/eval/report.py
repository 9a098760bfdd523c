"""docs/evaluation.md and its chart, from the runs that are kept."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Final

from tests.eval.history import Run
from tests.eval.judging import Verdict

DOCS: Final = Path(__file__).resolve().parents[2] / "docs"
BEGIN: Final = "<!-- written by make eval: from here -->"
END: Final = "<!-- written by make eval: to here -->"
SHOWN: Final = 20
"""How many of the last runs the chart holds."""

_COLUMNS: Final = (
    *("when (UTC)", "model", "format", "right", "wrong", "wrong place", "refused", "cut off"),
    *("failed to apply", "no edit", "error", "files lost", "tokens", "tokens/s", "first token"),
    "seconds",
)
_ORDER: Final = (
    (Verdict.RIGHT, "#15803d"),
    (Verdict.WRONG, "#d97706"),
    (Verdict.WRONG_PLACE, "#be123c"),
    (Verdict.REFUSED, "#6366f1"),
    (Verdict.CUT, "#0891b2"),
    (Verdict.FAILED, "#881337"),
    (Verdict.NO_EDIT, "#64748b"),
    (Verdict.ERROR, "#1e293b"),
)


def write(runs: Sequence[Run], docs: Path = DOCS) -> None:
    """Write the chart, and the table between its two marks."""
    (docs / "img").mkdir(exist_ok=True)
    (docs / "img" / "evaluation.svg").write_text(chart(runs), "utf-8")
    page = docs / "evaluation.md"
    before, _, rest = page.read_text("utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    page.write_text(f"{before}{BEGIN}\n{table(runs)}{END}{after}", "utf-8")


def table(runs: Sequence[Run]) -> str:
    """Return the runs as a table in Markdown, the newest first."""
    lines = [_row(_COLUMNS), _row([*["---"] * 3, *["--:"] * (len(_COLUMNS) - 3)])]
    for run in reversed(runs):
        right = f"{run.count(Verdict.RIGHT)} of {run.done}"
        if run.done < run.of:
            right += f" ({run.of} wanted)"
        if run.stray:
            right += f", {run.stray} with stray lines"
        lines.append(
            _row(
                [
                    *(run.at[:16].replace("T", " "), run.model, run.edit_format, right),
                    *(str(run.count(verdict)) for verdict, _ in _ORDER[1:]),
                    *(str(run.lost), f"{run.tokens:,}", _known(run.tokens_per_s, "{:.0f}")),
                    *(_known(run.ttft_ms, "{:,} ms"), f"{run.seconds:,.0f}"),
                ]
            )
        )
    return "\n".join(lines) + "\n"


def chart(runs: Sequence[Run]) -> str:
    """Return the last runs as bars, the newest on top: an SVG that needs nothing around it."""
    shown = list(reversed(runs[-SHOWN:]))
    label, bar, row = 300, 460, 26
    width, height = label + bar + 70, 64 + row * len(shown)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" role="img" aria-labelledby="t" '
        'font-family="system-ui, sans-serif" font-size="12">',
        '<title id="t">Share of edit tasks by verdict, for each run; the table has the figures'
        "</title>",
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
    ]
    used = [(v, colour) for v, colour in _ORDER if any(run.count(v) for run in shown)]
    x = 12
    for verdict, colour in used:
        parts.append(f'<rect x="{x}" y="14" width="12" height="12" rx="2" fill="{colour}"/>')
        parts.append(f'<text x="{x + 17}" y="24" fill="#1f2937">{escape(verdict.value)}</text>')
        x += 34 + 7 * len(verdict.value)
    for number, run in enumerate(shown):
        y = 46 + row * number
        name = f"{run.at[:10]}  {run.model}, {run.edit_format}"
        parts.append(f'<text x="12" y="{y + 14}" fill="#1f2937">{escape(name)}</text>')
        at = float(label)
        for verdict, colour in _ORDER:
            size = bar * run.count(verdict) / max(run.done, 1)
            if size:
                parts.append(
                    f'<rect x="{at:.1f}" y="{y}" width="{size:.1f}" height="18" fill="{colour}">'
                    f"<title>{escape(verdict.value)}: {run.count(verdict)}</title></rect>"
                )
            at += size
        share = f"{run.count(Verdict.RIGHT)}/{run.done}"
        parts.append(f'<text x="{label + bar + 8}" y="{y + 14}" fill="#1f2937">{share}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _known(value: float | None, pattern: str) -> str:
    return "–" if value is None else pattern.format(value)
