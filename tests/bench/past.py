"""How soon the timeline shows its first frame for a log of 200,000 changes, new and old.

The old log has no keyframes, as one that was written before there were any: a look into its middle
makes them. Measured over HTTP, against the product, from the request to the last byte.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator

from tests.product import ROOT, Product, cookie_and_slug

ENTRIES = 200_000
MAX_FIRST_FRAME_S = 1.0
MAKING_S = 300

_MAKE = """
import random
from datetime import timedelta
from webapp.document.changes import ChangeSet
from webapp.document.text import dumps_ascii
from webapp.lib import clock
from webapp.pairing.create import create_session
from webapp.pairing.models import Entry, File, Snapshot
from webapp.pairing.texts import keep_snapshot
from webapp.teams.models import Team, User
user, dice = User.objects.order_by("pk").first(), random.Random(1)
lines = {f"f{i}.py": f"x = {i}\\n" * 1000 for i in range(20)}
session = create_session(Team.objects.first(), user, "Long", lines)
files = list(File.objects.filter(session=session).order_by("path"))
texts, versions = {f: list(lines[f.path]) for f in files}, dict.fromkeys(files, 0)
at, seq, rows = clock.now() - timedelta(days=3), 20, []
for i in range(%d):
    file = files[0] if i %% 4 else dice.choice(files)
    pos, letter = dice.randrange(len(texts[file])), dice.choice("abc")
    change = [pos, [1, letter], len(texts[file]) - pos - 1]
    texts[file][pos], versions[file] = letter, versions[file] + 1
    seq, at = seq + 1, at + timedelta(seconds=1)
    rows.append(Entry(session=session, seq=seq, file=file, version=versions[file],
        author=f"user:{user.pk}", client="c" * 20, counter=i + 1,
        payload=dumps_ascii(ChangeSet.from_json(change).to_json()), at=at))
    if len(rows) == 5000 or i == %d - 1:
        Entry.objects.bulk_create(rows)
        rows = []
for file in files:
    keep_snapshot(file.pk, versions[file], "".join(texts[file]))
print(session.slug, files[0].pk)
"""


def bench() -> Iterator[dict[str, object]]:
    """Yield what `make bench` prints of the timeline; fails when the first frame takes too long."""
    with Product() as product:
        cookie, _ = cookie_and_slug(product)
        script = f"exec({_MAKE % (ENTRIES, ENTRIES)!r})\n"
        made = subprocess.run(
            [sys.executable, "manage.py", "shell", "-v", "0"],
            cwd=ROOT,
            env=product.env,
            input=script,
            capture_output=True,
            text=True,
            timeout=MAKING_S,
            check=True,
        )
        slug, file = made.stdout.split()
        base = f"{product.origin}/s/{slug}/history/"

        def read(path: str) -> dict[str, object]:
            request = urllib.request.Request(base + path, headers={"Cookie": cookie})  # noqa: S310 - loopback
            with urllib.request.urlopen(request) as answer:  # noqa: S310 - loopback
                return dict(json.loads(answer.read()))

        def frame(seq: int) -> float:
            begun_s = time.perf_counter()
            for path in (f"{seq}/", f"{seq - 1}-{seq}/", f"{seq}/{file}/"):
                read(path)
            return time.perf_counter() - begun_s

        read("0/")
        begun_s = time.perf_counter()
        last = read("")["last"]
        assert isinstance(last, int)
        first_s = time.perf_counter() - begun_s + frame(last)
        middle = last // 2
        figures = {
            "first frame": first_s,
            "frame in the middle, the first time": frame(middle),
            "frame in the middle": frame(middle + 1),
        }
        for name, seconds in figures.items():
            yield {"bench": f"timeline {name}", "unit": "s", "flint": round(seconds, 3)}
        assert first_s < MAX_FIRST_FRAME_S, f"the first frame took {first_s:.2f} s"
