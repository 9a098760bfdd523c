"""Lines become a run, runs a table and a chart, and what was kept before stays."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

from tests.eval import history, report
from tests.eval.history import Run
from tests.eval.judging import Verdict


def line(task: str, verdict: str, **others: Any) -> dict[str, Any]:
    """Return a line of a run."""
    return {
        **{"task": task, "verdict": verdict, "lost": [], "stray": False, "output_tokens": 100},
        **{"tokens_per_s": 50.0, "ttft_ms": 80, "seconds": 2.5},
        **others,
    }


def a_run(at: str = "2026-01-02T03:04:05+00:00", of: int = 4) -> Run:
    """Return a run of four answers."""
    lines = [
        line("a", "right", stray=True),
        line("b", "right", tokens_per_s=None, ttft_ms=None),
        line("c", "wrong", tokens_per_s=70.0, lost=["x.py", "y.py"]),
        line("d", "cut off", ttft_ms=100),
    ]
    return history.summed(lines, at=at, model="a <model>", edit_format="whole", of=of)


def test_lines_are_summed() -> None:
    run = a_run()
    assert (run.done, run.count(Verdict.RIGHT), run.count(Verdict.REFUSED)) == (4, 2, 0)
    assert (run.lost, run.stray, run.tokens, run.seconds) == (2, 1, 400, 10.0)
    assert (run.tokens_per_s, run.ttft_ms) == (50.0, 80)
    assert run.tasks == {"a": "right", "b": "right", "c": "wrong", "d": "cut off"}


def test_runs_are_kept_in_their_order(tmp_path: Path) -> None:
    path = tmp_path / "history.json"
    assert history.load(path) == []
    first, second = a_run("2026-01-01T00:00:00+00:00"), a_run()
    assert history.keep(first, path) == [first]
    assert history.keep(second, path) == [first, second]
    assert history.load(path) == [first, second]


def test_the_table_tells_a_stopped_run(tmp_path: Path) -> None:
    rows = report.table([a_run(), a_run("2026-01-03T00:00:00+00:00", of=41)]).splitlines()
    assert len({row.count("|") for row in rows}) == 1
    assert "2 of 4 (41 wanted), 1 with stray lines" in rows[2]
    assert "2 of 4, 1 with stray lines" in rows[3]


def test_the_chart_is_a_picture_whose_bars_are_full() -> None:
    tree = ET.fromstring(report.chart([a_run()] * 30))  # noqa: S314 - our own text
    texts = ["".join(each.itertext()) for each in tree.iter("{http://www.w3.org/2000/svg}text")]
    assert sum("a <model>, whole" in text for text in texts) == report.SHOWN
    bars = [each for each in tree.iter("{http://www.w3.org/2000/svg}rect") if len(each)]
    assert round(sum(float(each.attrib["width"]) for each in bars)) == 460 * report.SHOWN


def test_the_page_is_changed_between_its_marks_alone(tmp_path: Path) -> None:
    page = tmp_path / "evaluation.md"
    page.write_text(f"# Before\n{report.BEGIN}\nold\n{report.END}\nAfter\n", "utf-8")
    report.write([a_run()], tmp_path)
    text = page.read_text("utf-8")
    assert text.startswith(f"# Before\n{report.BEGIN}\n| when")
    assert text.endswith(f"{report.END}\nAfter\n")
    assert "old" not in text
    assert (tmp_path / "img" / "evaluation.svg").read_text("utf-8").startswith("<svg")


def test_the_page_shows_what_is_kept() -> None:
    runs = history.load()
    page = (report.DOCS / "evaluation.md").read_text("utf-8")
    assert f"{report.BEGIN}\n{report.table(runs)}{report.END}" in page
    assert (report.DOCS / "img" / "evaluation.svg").read_text("utf-8") == report.chart(runs)
