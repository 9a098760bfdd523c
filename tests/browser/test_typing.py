"""Typing, beside others and the model: undo, tabs, large and unusual text."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import expect

from tests.browser.conftest import Cast
from tests.browser.person import Person
from tests.browser.scripts import answer, halves, listing
from tests.product import wait_until
from tests.upstream import Upstream

FAMILY = "\U0001f469‍\U0001f469‍\U0001f467"
FLAG = "\U0001f1e9\U0001f1ea"
ACCENTS = "éọ̈"


def test_undo_takes_back_ones_own_edits_while_the_model_writes(
    cast: Cast, upstream: Upstream, session: Callable[..., str]
) -> None:
    address = session({"notes.txt": listing(40)})
    ann, ben = cast.enter("ann"), cast.enter("ben")
    for person in (ann, ben):
        person.go(address)
    wanted = listing(40).replace("line 3\n", "three\nand more\n").replace("line 35\n", "last\n")
    wanted = wanted.replace("line 30", "before line 30")
    first, second = halves(answer(wanted))
    upstream.script({"say": first}, {"gate": "half"}, {"say": second, "pace": 200})
    ann.caret_before("line 30")
    ann.type("before ")  # and asked at once: the model is shown all of it
    ann.ask("spell some out")
    wait_until("the first edit", lambda: "and more\n" in ann.text())
    half = ann.text().replace("before ", "")
    ann.caret_before("line 4")
    ann.type("mine ")
    ben.caret_before("line 28")
    ben.type("his ")
    wait_until("what Ben typed", lambda: "his line 28" in ann.text())
    for _ in range(8):
        ann.page.keyboard.press("Control+z")
    assert ann.text() == half.replace("line 28", "his line 28")
    upstream.release("half")
    expect(ann.newest_turn).to_have_attribute("data-state", "finished")
    for _ in range(8):
        ann.page.keyboard.press("Control+y")
    ann.wait_saved()
    after = wanted.replace("line 28", "his line 28").replace("line 4\n", "mine line 4\n")
    wait_until("equal texts", lambda: ann.text() == ben.text() == after)


def test_two_tabs_of_one_person_type_at_once(cast: Cast, session: Callable[..., str]) -> None:
    ann = cast.enter("ann")
    ann.go(session({"notes.txt": "top\nend"}))
    # A tab that a page opens inherits what the tab remembers, its client id too.
    with ann.page.expect_popup() as popup:
        ann.page.evaluate("void open(location.href)")
    second = Person(popup.value)
    second.arrive()
    ids = [p.page.evaluate("sessionStorage.getItem('flint.client')") for p in (ann, second)]
    assert len(set(ids)) == 2
    ann.caret_before("top")
    second.caret_to_end()
    for letter in "abcdefghijklmnopqrstuvwxyz":
        ann.type(letter)
        second.type(letter.upper())
    for tab in (ann, second):
        tab.wait_saved()
    wanted = "abcdefghijklmnopqrstuvwxyztop\nendABCDEFGHIJKLMNOPQRSTUVWXYZ"
    wait_until("equal texts", lambda: ann.text() == second.text() == wanted)
    expect(ann.page.locator("#rejected-list")).to_be_empty()


def test_a_paste_of_600_kb_arrives_whole_and_is_one_step_of_undo(
    cast: Cast, session: Callable[..., str]
) -> None:
    address = session({"notes.txt": "top\nend\n"})
    ann, ben = cast.enter("ann"), cast.enter("ben")
    for person in (ann, ben):
        person.go(address)
    pasted = "".join(f'{i} quote " slash \\ umlaut \xfc face \U0001f600\n' for i in range(15_000))
    assert len(pasted.encode()) > 600_000
    ann.caret_before("end")
    ann.paste(pasted)
    ben.caret_before("top")
    ben.type("still typing ")
    ann.wait_saved()
    wanted = f"still typing top\n{pasted}end\n"
    wait_until("equal texts", lambda: ann.text() == ben.text() == wanted)
    ann.page.keyboard.press("Control+z")
    ann.wait_saved()
    wait_until("without it", lambda: ann.text() == ben.text() == "still typing top\nend\n")


def test_emoji_and_combining_marks_typed_by_two(cast: Cast, session: Callable[..., str]) -> None:
    address = session({"notes.txt": f"{FAMILY}|{FLAG}"})
    ann, ben = cast.enter("ann"), cast.enter("ben")
    for person in (ann, ben):
        person.go(address)
    ann.caret_before("|")
    ben.caret_to_end()
    for _ in range(5):
        ann.type(FAMILY)
        ben.type(ACCENTS)
        ann.type(ACCENTS)
        ben.type(FLAG)
    wanted = FAMILY + (FAMILY + ACCENTS) * 5 + "|" + FLAG + (ACCENTS + FLAG) * 5
    wait_until("equal texts", lambda: ann.text() == ben.text() == wanted)
    # One emoji for another of the same first half: a change that splits a pair.
    ann.caret_before("|")
    ann.type("\U0001f600")
    ann.page.keyboard.press("Shift+ArrowLeft")
    ann.type("\U0001f601")
    ben.page.keyboard.press("Backspace")
    for person in (ann, ben):
        person.wait_saved()
    wanted = wanted.replace("|", "\U0001f601|").removesuffix(FLAG)
    wait_until("equal texts", lambda: ann.text() == ben.text() == wanted)
    late = cast.enter("ben")
    late.go(address)
    assert late.text() == wanted


def test_the_model_yields_where_somebody_types_and_says_so(
    cast: Cast, upstream: Upstream, session: Callable[..., str]
) -> None:
    address = session({"notes.txt": listing(20)})
    ann, ben = cast.enter("ann"), cast.enter("ben")
    for person in (ann, ben):
        person.go(address)
    wanted = listing(20).replace("line 5\n", "new five\nand five more\nand the last of five\n")
    wanted = wanted.replace("line 15\n", "fifteen\n")
    first, second = answer(wanted).split(" more\n")
    upstream.script({"say": first}, {"gate": "inside"}, {"say": " more\n" + second})
    ann.ask("spell some out")
    wait_until("the hunk", lambda: "and five" in ben.text())
    ben.caret_before("five\n")
    ben.type("truly ")
    ben.wait_saved()
    upstream.release("inside")
    for person in (ann, ben):
        expect(person.newest_turn).to_have_attribute("data-state", "finished")
        yielded = person.newest_turn.locator(".hunk[data-status=yielded]")
        expect(yielded).to_contain_text("left to you where you typed")
    wait_until("equal texts", lambda: ann.text() == ben.text())
    text = ann.text()
    assert "new truly five\n" in text
    assert "and the last of five" not in text
    assert "fifteen\n" in text and "line 15\n" not in text
