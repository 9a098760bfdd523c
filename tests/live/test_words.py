"""Each page is told in the language of its person; rows keep what all are made of."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.catalogue import speak_german
from tests.live.turning import NEW, OLD, Stage, block, choice, stage, upstream
from webapp.document.text import loads_utf16
from webapp.lib.sentences import Sentence, from_json
from webapp.live import turn_rows
from webapp.live.languages import language_of
from webapp.live.watching import ModelWatch
from webapp.notices import modelstatus
from webapp.notices.modelstatus import ModelStatus
from webapp.notices.words import spoken
from webapp.pairing.models import Turn

__all__ = ["stage", "upstream"]

GERMAN = {
    "The path %(path)s cannot be used: %(problem)s.": "Der Pfad %(path)s geht nicht: %(problem)s.",
    "Windows reserves a name in it": "Windows braucht ihn selbst",
    "A file named %(path)s exists already.": "%(path)s gibt es schon.",
    "%(label)s limits how fast requests may come. Try again in a moment.": "%(label)s bremst.",
    "%(problem)s Nothing was changed.": "%(problem)s Alles blieb.",
    "A file was not created. %(problem)s": "Keine Datei. %(problem)s",
    "The model ran out of %(what)s.": "Dem Modell fehlte %(what)s.",
    "%(first)s %(then)s": "%(first)s Und: %(then)s",
    "%(first)s, %(then)s": "%(first)s und %(then)s",
    "The lines that the model wanted to change are several times in %(path)s (at lines"
    " %(lines)s), so that edit was not made. Select the lines that you mean, and ask again.": (
        "Mehrmals in %(path)s: %(lines)s."
    ),
    "%(name)s took that back before you. Nothing more was changed.": "%(name)s war schneller da.",
    "%(name)s redirected that turn before you. Your prompt waits and is asked next; you can"
    " change it until then.": "%(name)s war schneller.",
}
FAILED = ModelStatus("failed", "m", Sentence("The model ran out of %(what)s.", what="RAM"))
LIMITED = "The scripted model limits how fast requests may come. Try again in a moment."


@pytest.fixture(autouse=True)
def german(settings: Any, tmp_path: Path) -> None:
    speak_german(settings, tmp_path / "locale", GERMAN)


@pytest.fixture
def two(stage: Stage) -> Stage:
    """Ann reads German, Bob English."""
    stage.ann.client.language = "de"
    return stage


@pytest.mark.parametrize(
    ("path", "in_german", "in_english"),
    [
        (
            "con.py",
            'Der Pfad "con.py" geht nicht: Windows braucht ihn selbst.',
            'The path "con.py" cannot be used: Windows reserves a name in it.',
        ),
        ("app.py", '"app.py" gibt es schon.', 'A file named "app.py" exists already.'),
    ],
)
async def test_a_path_that_a_page_asks_for(
    two: Stage, path: str, in_german: str, in_english: str
) -> None:
    other = next(file.id for file in two.room.files.values() if file.path != "app.py")
    for page, message in ((two.ann, in_german), (two.bob, in_english)):
        page.take()
        page.send("tree", id="q" * 20, op="rename", file=other, path=path)
        (frame,) = page.take()
        assert frame["message"] == message


async def test_a_turn_that_failed_is_told_to_each_and_kept_for_all(two: Stage) -> None:
    two.script({"status": 429, "body": "slow down"})
    turn = two.prompt()
    await two.over()
    assert two.last_turn(two.ann)["reason"] == "The scripted model bremst. Alles blieb."
    assert two.last_turn(two.bob)["reason"] == f"{LIMITED} Nothing was changed."
    assert two.text == OLD
    row = await two.ask(lambda: Turn.objects.get(pk=turn))
    kept = from_json(loads_utf16(row.reason))
    assert isinstance(kept, Sentence)
    assert spoken({"reason": kept}, "de")["reason"] == "The scripted model bremst. Alles blieb."
    two.ann.hello()
    (welcome,) = two.frames(two.ann, "welcome")[-1:]
    assert welcome["turns"][-1]["reason"] == "The scripted model bremst. Alles blieb."


async def test_a_reason_that_holds_another_is_told_as_the_language_joins_them(two: Stage) -> None:
    two.script({"say": block("x = 1\n", path="aux.py")})
    two.prompt(repair=False)
    await two.over()
    (withheld,) = two.last_turn(two.ann)["withheld"]
    reason = withheld["reason"]
    assert 'Keine Datei. Der Pfad "aux.py" geht nicht: Windows braucht ihn selbst.' in reason


async def test_the_lines_of_an_edit_with_several_places(stage: Stage) -> None:
    stage.room.choices = (choice(stage.upstream, edit_format="blocks"),)
    stage.ann.client.language = "de"
    stage.script({"say": "app.py\n<<<<<<< SEARCH\n\n=======\nx\n>>>>>>> REPLACE\n"})
    stage.prompt(repair=False)
    await stage.over()
    (withheld,) = stage.last_turn(stage.ann)["withheld"]
    assert withheld["reason"] == "Mehrmals in app.py: 3 und 4."


async def test_why_nothing_more_is_taken_back(two: Stage) -> None:
    two.script({"say": block(NEW)})
    turn = two.prompt()
    await two.over()
    two.bob.send("revert", id="r" * 20, turn=turn)
    two.ann.send("revert", id="s" * 20, turn=turn)
    await two.durable()
    assert two.answer(two.ann, "s" * 20)["message"] == "Bob war schneller da."


async def test_who_came_first_with_a_redirect(two: Stage) -> None:
    two.script({"gate": "first"})
    turn = two.prompt()
    await two.upstream.reached("first")
    two.script({"gate": "second"})
    two.redirect(turn, by=two.bob)
    late = two.redirect(turn, by=two.ann)
    await two.until(lambda: any(frame["id"] == late for frame in two.frames(two.ann, "ok")))
    assert two.answer(two.ann, late)["message"] == "Bob war schneller."


async def test_the_models_status_in_the_welcome(two: Stage) -> None:
    two.hub.models._statuses["preview"] = FAILED
    for page, message in (
        (two.ann, "Dem Modell fehlte RAM."),
        (two.bob, "The model ran out of RAM."),
    ):
        page.hello()
        (welcome,) = two.frames(page, "welcome")[-1:]
        assert [status["message"] for status in welcome["models"]] == [message]


def test_the_models_status_when_it_changes(tmp_path: Path) -> None:
    watch = ModelWatch({"preview": tmp_path / "model.json"})
    modelstatus.write(tmp_path / "model.json", FAILED)
    (status,) = watch.changed()
    assert status.message == FAILED.message
    assert isinstance(status.message, Sentence)
    assert not watch.changed()


def test_a_frame_without_a_sentence_is_the_same_for_everybody() -> None:
    plain = {"t": "hunk", "hunk": {"old": "x", "list": [1, None, ("a", 2)]}}
    assert spoken(plain, "de") is plain
    mixed = {"list": [{"why": FAILED.message}, "x"], "same": plain}
    said = spoken(mixed, "de")
    assert said == {"list": [{"why": "Dem Modell fehlte RAM."}, "x"], "same": plain}
    assert said["same"] is plain
    assert mixed["list"][0] == {"why": "The model ran out of RAM."}


@pytest.mark.parametrize(
    ("kept", "reason"),
    [("", ""), ("Older rows have the text.", "Older rows have the text."), ('"text"', "text")],
)
def test_reasons_of_rows_of_any_age(kept: str, reason: str) -> None:
    assert turn_rows.reason_of(kept) == reason


@pytest.mark.parametrize(
    ("cookie", "accepted", "code"),
    [
        ("de", "en", "de"),
        ("", "de-AT,de;q=0.9,en;q=0.1", "de"),
        ("xx", "fr, en;q=0.5", "en"),
        ("", "", "en"),
        ("de\0", "\xff;;q=x", "en"),
    ],
)
def test_the_language_of_a_socket(cookie: str, accepted: str, code: str) -> None:
    scope = {
        "cookies": {"django_language": cookie} if cookie else {},
        "headers": [(b"accept-language", accepted.encode("latin-1"))],
    }
    assert language_of(scope) == code
