"""The presets fit together with everything that uses them."""

import pytest

from webapp.engine.ports import Reach
from webapp.engine.providers import asking, presets, reach
from webapp.engine.providers.presets import PRESETS, Preset

NAMED = [each for each in PRESETS if each.base_url]


def test_each_has_its_own_id() -> None:
    assert len({each.id for each in PRESETS}) == len(PRESETS) == 9
    assert PRESETS[-1].id == presets.OTHER


@pytest.mark.parametrize("each", NAMED, ids=lambda each: each.id)
def test_a_preset_can_be_asked(each: Preset) -> None:
    assert str(asking.completions_url(each.base_url)) == f"{each.base_url}/chat/completions"
    allowed = Reach(loopback=each.is_local)
    assert reach.check_url(each.base_url, allowed) is None
    assert each.is_local == bool(each.port)
    assert each.is_local == (not each.needs_key)
    assert not each.is_local or f":{each.port}/" in each.base_url
    assert each.model
    assert 2_048 <= each.max_output < each.context_window


def test_local_servers_are_out_of_reach_unless_flint_is_local_too() -> None:
    for each in NAMED:
        assert (reach.check_url(each.base_url, Reach()) is None) == (not each.is_local)


@pytest.mark.parametrize("each", PRESETS, ids=lambda each: each.id)
def test_a_hint_is_a_sentence(each: Preset) -> None:
    assert each.hint.endswith(".")
    assert each.hint.msgid == each.hint


def test_an_unknown_preset_is_another_server() -> None:
    assert presets.preset("groq").label == "Groq"
    assert presets.preset("gone").id == presets.OTHER
