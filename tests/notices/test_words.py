"""What rooms without a framework say, in a language of the reader."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.utils.translation import override

from tests.catalogue import speak_german
from tests.document.test_tree import BAD
from tests.engine.providers.test_failures import ENDPOINT, EXCEPTIONS, STATUSES
from tests.lib.test_sentences import marked
from webapp.appliance import fitness, modelserver, ondemand, weights
from webapp.appliance.fitness import Free
from webapp.appliance.tiers import EMBEDDED, PREVIEW
from webapp.document.tree import PathError, check_path, clash
from webapp.engine.ports import Failed
from webapp.engine.providers import connecting, failures, reach
from webapp.lib.sentences import Sentence, said
from webapp.notices import modelstatus
from webapp.notices.words import translated

GERMAN = {
    "The path %(path)s cannot be used: %(problem)s.": "Der Pfad %(path)s geht nicht: %(problem)s.",
    "it has %(count)s characters, and %(most)s are allowed": "höchstens %(most)s, nicht %(count)s",
    "A file named %(path)s exists already.": "%(path)s gibt es schon.",
    "%(label)s limits how fast requests may come. Try again in a moment.": "%(label)s bremst.",
    "%(problem)s It asks to wait %(seconds)s s.": "In %(seconds)s s wieder. %(problem)s",
    "%(setting)s is %(path)s, which cannot be read: %(problem)s. Correct it,"
    " or leave it out to have the model downloaded, and run `make run` again.": (
        "%(path)s ist nicht lesbar (%(problem)s)."
    ),
}


@pytest.fixture
def german(settings: Any, tmp_path: Path) -> Iterator[None]:
    speak_german(settings, tmp_path / "locale", GERMAN)
    with override("de"):
        yield


def refusal(path: str) -> PathError:
    with pytest.raises(PathError) as caught:
        check_path(path)
    return caught.value


@pytest.mark.usefixtures("german")
def test_a_path_error_with_its_problem() -> None:
    refused = refusal("a" * 600)
    assert translated(refused.problem) == "höchstens 512, nicht 600"
    shown = '"' + "a" * 80 + '…"'
    said = f"Der Pfad {shown} geht nicht: höchstens 512, nicht 600."
    assert translated(refused.sentence) == said
    assert str(refused).startswith("The path ")


@pytest.mark.usefixtures("german")
def test_a_path_that_is_taken() -> None:
    problem = clash("50 %.py", ["50 %.py"])
    assert problem is not None
    assert translated(problem) == '"50 %.py" gibt es schon.'


@pytest.mark.usefixtures("german")
def test_a_provider_failure_within_another_sentence() -> None:
    failed = failures.from_status(ENDPOINT, 429, b"", {"Retry-After": "7"})
    assert translated(failed.message) == "In 7 s wieder. Models Inc bremst."


@pytest.mark.usefixtures("german")
def test_a_model_status_message_that_went_through_its_file(tmp_path: Path) -> None:
    gone = tmp_path / "gone.gguf"
    environment = {
        "FLINT_HOME": str(tmp_path),
        "FLINT_PREVIEW_STATUS": str(tmp_path / "status.json"),
        "FLINT_MODEL_PATH": str(gone),
        "FLINT_PREVIEW_MODEL": "model",
    }
    with pytest.raises(weights.NoWeights) as caught:
        weights.ensure(PREVIEW, environment, tmp_path, lambda now: None, print)
    reporter = modelserver.Reporter(tmp_path / "status.json", "model", PREVIEW)
    reporter.state("missing", said(caught.value))
    status = modelstatus.read(tmp_path / "status.json")
    assert status is not None
    assert status.message.startswith("FLINT_MODEL_PATH is ")
    assert translated(status.message) == f"{gone} ist nicht lesbar (No such file or directory)."


@pytest.mark.usefixtures("german")
def test_what_has_no_translation_is_english_and_other_text_stays() -> None:
    assert translated(refusal("").problem) == "it is empty"
    assert translated("A file named %(path)s exists already.") == (
        "A file named %(path)s exists already."
    )
    assert translated("") == translated(Sentence("")) == ""


FAILURES: list[Callable[[], Failed]] = [
    *(
        lambda s=s, b=b: failures.from_status(ENDPOINT, s, b.encode(), {"Retry-After": "7"})
        for s, b, *_ in STATUSES
    ),
    *(
        lambda e=e, a=a: connecting.from_exception(ENDPOINT, e, answered=a)
        for e, *_ in EXCEPTIONS
        for a in (True, False)
    ),
    lambda: failures.ABORTED,
    lambda: connecting.not_allowed(ENDPOINT, reach.closed("localhost")),
    lambda: failures.from_stream(ENDPOINT, "oops"),
    lambda: failures.bad_key(ENDPOINT),
    lambda: connecting.first_token_timeout(ENDPOINT, 300.0),
    lambda: connecting.idle_timeout(ENDPOINT, 60.0),
    lambda: connecting.cut(ENDPOINT),
    lambda: failures.not_a_stream(ENDPOINT, "", b""),
    lambda: failures.bad_stream(ENDPOINT, "why"),
]


def parts(sentence: str) -> Iterator[str]:
    """Yield the msgids that a text was made of."""
    assert isinstance(sentence, Sentence), sentence
    yield sentence.msgid
    for value in sentence.values.values():
        if isinstance(value, Sentence):
            yield from parts(value)


def test_all_that_is_said_is_in_the_catalogue_and_english_by_default() -> None:
    texts: list[str] = [make().message for make in FAILURES]
    texts += [refusal(path).sentence for path, _ in BAD.values()]
    texts += [weights.WHAT_TO_DO, weights.ASK_AGAIN, ondemand.IS_HERE]
    for tier in EMBEDDED.values():
        texts += [modelserver.out_of_memory(tier), modelserver.too_little_memory(tier, 0)]
        for free in (Free(0, None), Free(None, 0)):
            texts.append(fitness.unfit(tier, Path("/cache"), 0, free) or "")
    known = marked()
    for text in texts:
        assert set(parts(text)) <= known
        assert translated(text) == text
