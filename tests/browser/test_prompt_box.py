"""The prompt box: what completes, what is remembered, what goes along, and which model answers."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Cast
from tests.browser.line import Line
from tests.browser.scripts import answer
from tests.browser.test_page import _SHOTS, complaints_of_axe, scrolls_sideways
from tests.product import Product, wait_until
from tests.upstream import Upstream
from webapp.notices import modelstatus
from webapp.notices.modelstatus import ModelStatus

_FILES = {"app.py": "x = 1\n", "tests/test_app.py": "import app\n", "README.md": "# Game\n"}
_ASKED = """() => {
  window.asked = [];
  const send = WebSocket.prototype.send;
  WebSocket.prototype.send = function (text) {
    window.asked.push(JSON.parse(text));
    return send.call(this, text);
  };
}"""


def frames(page: Page, kind: str) -> list[dict]:
    """Return what the page sent of one kind, oldest first."""
    return [dict(frame) for frame in page.evaluate("window.asked") if frame["t"] == kind]


def record(page: Page) -> None:
    """Keep what the page sends from its next load on."""
    page.add_init_script(f"({_ASKED})()")


def options(page: Page) -> Locator:
    """What the list above the box offers."""
    return page.locator("#complete [role=option]")


def said(record: object) -> str:
    """Return what the model was told last."""
    return json.dumps(record.body["messages"], ensure_ascii=False)  # type: ignore[attr-defined]


def test_files_are_completed_with_the_keyboard_and_go_along(
    cast: Cast, upstream: Upstream, session: Callable[..., str]
) -> None:
    ann, ben = cast.enter("ann"), cast.enter("ben")
    record(ann.page)
    address = session(_FILES)
    ben.go(address)
    ann.go(address)
    keys, box = ann.page.keyboard, ann.page.locator("#prompt")
    keys.type("make it like @tap")
    expect(options(ann.page)).to_have_count(1)
    expect(options(ann.page)).to_have_text("tests/test_app.py")
    expect(box).to_have_attribute("aria-activedescendant", "complete-0")
    keys.press("Enter")
    expect(box).to_have_value("make it like @tests/test_app.py ")
    expect(options(ann.page)).to_have_count(0)
    expect(ann.page.locator("#mentions .chip-text")).to_have_text("tests/test_app.py")
    keys.type("and @")
    expect(options(ann.page)).to_contain_text(["README.md", "app.py", "tests/test_app.py", "Ben"])
    keys.press("ArrowUp")
    keys.press("Tab")
    expect(box).to_have_value("make it like @tests/test_app.py and @Ben ")
    keys.type("@READ")
    expect(options(ann.page)).to_have_count(1)
    keys.press("Escape")
    expect(options(ann.page)).to_have_count(0)
    keys.type("ME.md")
    expect(ann.page.locator("#mentions .chip-text")).to_have_text(
        ["tests/test_app.py", "README.md"]
    )
    ann.page.get_by_role("button", name="Do not send README.md with the prompt").click()
    expect(box).to_have_value("make it like @tests/test_app.py and @Ben README.md")
    expect(box).to_be_focused()
    upstream.script({"say": "Done."})
    keys.press("Enter")
    expect(ann.newest_turn).to_have_attribute("data-state", "finished")
    [frame] = frames(ann.page, "prompt")
    assert len(frame["files"]) == 1
    assert "import app" in said(upstream.records[-1])
    expect(ann.page.locator("#mentions")).to_be_hidden()


def test_a_mention_follows_the_file_that_is_renamed_and_a_composition_is_left_alone(
    cast: Cast, session: Callable[..., str]
) -> None:
    ann = cast.enter("ann")
    ann.go(session(_FILES))
    box = ann.page.locator("#prompt")
    box.fill("see @app.py")
    expect(ann.page.locator("#mentions .chip-text")).to_have_text("app.py")
    ann.page.get_by_role("button", name="app.py", exact=True).focus()
    ann.page.keyboard.press("F2")
    ann.page.locator("#name-input").fill("main.py")
    ann.page.locator("#name-ok").click()
    expect(box).to_have_value("see @main.py")
    expect(ann.page.locator("#mentions .chip-text")).to_have_text("main.py")
    box.fill("")
    ann.page.evaluate("""() => {
      const box = document.getElementById('prompt');
      box.focus();
      box.value = '@';
      box.setSelectionRange(1, 1);
      box.dispatchEvent(new InputEvent('input', { isComposing: true, bubbles: true }));
    }""")
    expect(options(ann.page)).to_have_count(0)
    ann.type("m")
    expect(options(ann.page)).to_have_text(["main.py", "README.md"])
    ann.page.keyboard.press("Escape")
    box.dispatch_event("compositionend")
    expect(options(ann.page)).to_have_text(["main.py", "README.md"])


def test_a_rename_leaves_the_caret_where_it_is(cast: Cast, session: Callable[..., str]) -> None:
    address = session(_FILES)
    ann, ben = cast.enter("ann"), cast.enter("ben")
    for person in (ann, ben):
        person.go(address)
    box = ann.page.locator("#prompt")
    box.fill("Make @app.py run")
    box.press("Home")
    ann.type("Now: ")
    ben.page.get_by_role("button", name="app.py", exact=True).focus()
    ben.page.keyboard.press("F2")
    ben.page.locator("#name-input").fill("src/main.py")
    ben.page.locator("#name-ok").click()
    expect(box).to_have_value("Now: Make @src/main.py run")
    ann.type("please ")
    expect(box).to_have_value("Now: please Make @src/main.py run")


def test_commands_complete_and_run(
    cast: Cast, upstream: Upstream, session: Callable[..., str]
) -> None:
    ann = cast.enter("ann")
    ann.go(session({"notes.txt": "one\n"}))
    keys, box = ann.page.keyboard, ann.page.locator("#prompt")
    keys.type("/")
    expect(options(ann.page)).to_contain_text(["/clear", "/help", "/model", "/new path"])
    count = options(ann.page).count()
    expect(ann.page.locator("#ask-live")).to_have_text(f"{count} suggestions")
    keys.type("n")
    keys.press("Enter")
    expect(box).to_have_value("/new ")
    keys.type("tools/run.py")
    keys.press("Enter")
    expect(ann.page.locator("#tree")).to_contain_text("run.py")
    expect(box).to_have_value("")
    ann.open_file("notes.txt")
    upstream.script({"say": answer("two\n")})
    ann.ask("say two")
    wait_until("the edit", lambda: ann.text() == "two\n")
    expect(ann.newest_turn).to_have_attribute("data-state", "finished")
    box.focus()
    keys.type("/un")
    keys.press("Enter")
    wait_until("taken back", lambda: ann.text() == "one\n")
    expect(ann.page.locator("#notice")).to_contain_text("Took back 1 change in notes.txt")
    expect(box).to_have_value("")
    keys.type("/help with tests")
    keys.press("Enter")
    expect(ann.page.locator("#help")).to_be_visible()
    keys.press("Escape")
    expect(box).to_have_value("with tests")
    box.fill("")
    box.focus()
    keys.type("/undo")
    keys.press("Enter")
    expect(ann.page.locator("#notice")).to_contain_text("There is no command /undo just now")
    expect(box).to_have_value("/undo")
    assert len(upstream.records) == 1, "no command was sent as a prompt"


def test_earlier_prompts_come_back_with_the_arrows(
    cast: Cast, upstream: Upstream, session: Callable[..., str]
) -> None:
    ann = cast.enter("ann")
    ann.go(session({"notes.txt": "one\n"}))
    keys, box = ann.page.keyboard, ann.page.locator("#prompt")
    for prompt in ("first", "second\nline"):
        upstream.script({"say": "Done."})
        ann.ask(prompt)
        expect(ann.newest_turn.locator(".turn-prompt")).to_have_text(prompt)
        expect(ann.newest_turn).to_have_attribute("data-state", "finished")
    for _ in range(2):
        box.focus()
        keys.press("ArrowUp")
        expect(box).to_have_value("second\nline")
        keys.press("ArrowUp")
        expect(box).to_have_value("first")
        keys.press("ArrowUp")
        expect(box).to_have_value("first")
        keys.press("ArrowDown")
        expect(box).to_have_value("second\nline")
        keys.press("ArrowDown")
        expect(box).to_have_value("")
        ann.page.reload()
        ann.arrive()
    keys.type("mine")
    keys.press("ArrowUp")
    expect(box).to_have_value("mine")


def test_a_draft_outlives_the_tab_with_its_mentions(
    cast: Cast, upstream: Upstream, session: Callable[..., str]
) -> None:
    address = session(_FILES)
    ann = cast.enter("ann")
    ann.go(address)
    ann.page.locator("#prompt").fill("like @README.md")
    expect(ann.page.locator("#mentions .chip-text")).to_have_text("README.md")
    again = ann.page.context.new_page()
    ann.page.close()
    ann.page = again
    ann.go(address)
    expect(again.locator("#prompt")).to_have_value("like @README.md")
    expect(again.locator("#mentions .chip-text")).to_have_text("README.md")
    assert "like" not in again.evaluate("sessionStorage.getItem('flint.prompt') ?? ''")
    other = session(_FILES)
    ann.go(other)
    expect(again.locator("#prompt")).to_have_value("")
    ann.go(address)
    upstream.script({"say": "Done."})
    again.locator("#prompt").press("Enter")
    expect(ann.newest_turn).to_have_attribute("data-state", "finished")
    again.reload()
    ann.arrive()
    expect(again.locator("#prompt")).to_have_value("")


def test_from_the_editor_to_the_prompt_with_the_place(
    cast: Cast, upstream: Upstream, session: Callable[..., str]
) -> None:
    for mac in (False, True):
        ann = cast.enter("ann")
        record(ann.page)
        if mac:
            ann.page.add_init_script(
                "Object.defineProperty(navigator, 'platform', { get: () => 'MacIntel' })"
            )
        ann.go(session({"notes.txt": "one\ntwo\nthree\n"}))
        chip = ann.page.locator("#focus-text")
        ann.caret_before("two")
        expect(chip).to_be_hidden()
        ann.page.keyboard.press("Meta+k" if mac else "Control+k")
        expect(ann.page.locator("#prompt")).to_be_focused()
        expect(chip).to_have_text("notes.txt, line 2")
        ann.caret_before("one")
        ann.page.keyboard.press("Shift+ArrowDown")
        ann.page.keyboard.press("Shift+ArrowDown")
        ann.page.keyboard.press("Meta+k" if mac else "Control+k")
        expect(chip).to_have_text("notes.txt, lines 1 to 2")
        upstream.script({"say": "Done."})
        ann.ask("explain")
        expect(ann.newest_turn).to_have_attribute("data-state", "finished")
        assert frames(ann.page, "prompt")[-1]["sel"] == [0, 8]
        ann.page.locator("#focus-clear").click()
        expect(chip).to_be_hidden()
        upstream.script({"say": "Done."})
        ann.ask("explain it all")
        expect(ann.newest_turn.locator(".turn-prompt")).to_have_text("explain it all")
        assert frames(ann.page, "prompt")[-1]["sel"] == [8, 8]


def test_the_meter_says_how_large_the_draft_is_and_of_what(
    cast: Cast, session: Callable[..., str]
) -> None:
    ann = cast.enter("ann")
    record(ann.page)
    ann.go(session({"app.py": "x = 1\n" * 30, "data.txt": "many words " * 9_000}))
    ann.open_file("app.py")
    meter = ann.page.locator("#meter-context")
    expect(meter).to_be_hidden()
    ann.page.locator("#prompt").focus()
    ann.type("say it all in one line")
    expect(meter).to_contain_text("context")
    assert len(frames(ann.page, "outline")) <= 3, "not one a key"
    assert frames(ann.page, "warm"), "the focus warms"
    meter.focus()
    ann.page.keyboard.press("Enter")
    panel = ann.page.get_by_role("region", name="What the model will see")
    expect(panel).to_be_visible()
    expect(panel).to_contain_text("Your prompt")
    expect(panel).to_contain_text("app.py")
    expect(panel.locator("rect").first).to_have_attribute("class", "k-rules")
    ann.page.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    expect(meter).to_be_focused()
    ann.page.locator("#prompt").fill("word " * 6_000)
    over = ann.page.locator("#meter-over")
    expect(over).to_be_visible()
    expect(meter).to_have_class("meter-context over")
    ann.page.locator("#prompt").fill("")
    expect(over).to_be_hidden()


@pytest.fixture
def offered(product: Product) -> Iterator[Path]:
    """Where the appliance says that the deeper model can be had; gone after the test."""
    path = product.home / "model-standard.json"
    modelstatus.write(
        path,
        ModelStatus(
            "offered", "Deep 1.5B", "Not downloaded yet.", 0, 1_117_320_768, tier="standard"
        ),
    )
    yield path
    path.unlink(missing_ok=True)


def test_the_model_is_chosen_beside_the_box_and_remembered(
    cast: Cast, session: Callable[..., str], offered: Path
) -> None:
    ann = cast.enter("ann")
    record(ann.page)
    ann.go(session({"notes.txt": "one\n"}))
    tier, menu = ann.page.locator("#tier"), ann.page.get_by_role("menu", name="Which model answers")
    expect(tier).to_contain_text("preview")
    expect(tier).to_have_attribute("title", "scripted answers your prompts")
    tier.focus()
    ann.page.keyboard.press("Enter")
    expect(menu.get_by_role("menuitemradio", name="scripted")).to_be_focused()
    expect(menu).to_contain_text("Qwen2.5-Coder-1.5B")
    expect(menu).to_contain_text("Not downloaded yet.")
    ann.page.keyboard.press("End")
    ann.page.keyboard.press("ArrowUp")
    expect(menu.get_by_role("menuitem", name="Download (1,117 MB)")).to_be_focused()
    ann.page.keyboard.press("ArrowUp")
    ann.page.keyboard.press("Enter")
    expect(menu).to_be_hidden()
    expect(ann.page.locator("#prompt")).to_be_focused()
    expect(tier).to_contain_text("standard")
    ann.page.reload()
    ann.arrive()
    expect(tier).to_contain_text("standard")
    tier.click()
    menu.get_by_role("menuitem", name="Download (1,117 MB)").click()
    wait_until("the wish", lambda: frames(ann.page, "fetch"))
    assert frames(ann.page, "fetch")[0]["tier"] == "standard"
    ann.page.locator("#prompt").fill("/preview and go on")
    ann.page.locator("#prompt").press("Enter")
    expect(tier).to_contain_text("preview")
    expect(ann.page.locator("#prompt")).to_have_value("and go on")


def test_a_prompt_sent_offline_waits_in_sight_and_asks_before_it_goes(
    cast: Cast, upstream: Upstream, session: Callable[..., str]
) -> None:
    ann = cast.enter("ann")
    line = Line(ann.page)
    ann.go(session({"notes.txt": "one\n"}))
    ann.page.clock.install()
    box, strip = ann.page.locator("#prompt"), ann.page.locator("#waiting [data-waiting]")
    line.cut()
    expect(ann.page.locator("#saved")).not_to_contain_text("Saved")
    ann.ask("first")
    ann.ask("second")
    expect(box).to_have_value("")
    expect(strip).to_have_count(2)
    expect(strip.first).to_contain_text("Waiting for the connection: first")
    expect(strip.first.get_by_role("button", name="Send")).to_be_hidden()
    ann.page.reload()
    expect(strip).to_have_count(2)
    strip.last.get_by_role("button", name="Edit").click()
    expect(box).to_have_value("second")
    expect(strip).to_have_count(1)
    line.mend()
    ann.page.clock.run_for(10_000)
    expect(strip).to_contain_text("You are online again. Send it?")
    assert not upstream.records, "nothing goes unasked"
    upstream.script({"say": "Done."})
    strip.get_by_role("button", name="Send").click()
    expect(strip).to_have_count(0)
    expect(ann.newest_turn.locator(".turn-prompt")).to_have_text("first")
    expect(box).to_have_value("second")


def test_a_prompt_sent_in_a_hiccup_of_the_network_goes_by_itself(
    cast: Cast, upstream: Upstream, session: Callable[..., str]
) -> None:
    ann = cast.enter("ann")
    line = Line(ann.page)
    ann.go(session({"notes.txt": "one\n"}))
    line.cut()
    expect(ann.page.locator("#saved")).not_to_contain_text("Saved")
    upstream.script({"say": "Done."})
    ann.ask("first")
    expect(ann.page.locator("#waiting")).to_be_visible()
    line.mend()
    expect(ann.newest_turn).to_have_attribute("data-state", "finished")
    expect(ann.page.locator("#waiting")).to_be_hidden()
    assert len(upstream.records) == 1


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1440])
def test_the_box_at_both_widths_in_both_themes(
    cast: Cast, upstream: Upstream, session: Callable[..., str], width: int, theme: str
) -> None:
    ann = cast.enter("ann", width=width, color_scheme=theme, has_touch=width == 360)
    ann.go(session(_FILES))
    page = ann.page

    def look(name: str) -> None:
        ann.shoot(_SHOTS / f"box-{name}-{width}-{theme}.png")
        assert complaints_of_axe(page) == [], name
        assert not scrolls_sideways(page), name

    page.locator("#prompt").focus()
    ann.type("make it like @t")
    expect(options(page).first).to_be_visible()
    look("files")
    page.keyboard.press("Enter")
    expect(page.locator("#meter-context")).to_be_visible()
    page.locator("#meter-context").click()
    expect(page.locator("#outline")).to_contain_text("Your prompt")
    look("outline")
    page.keyboard.press("Escape")
    page.locator("#tier").click()
    look("models")
    page.keyboard.press("Escape")
    page.locator("#prompt").fill("")
    page.locator("#prompt").focus()
    ann.type("/")
    expect(options(page).first).to_be_visible()
    look("commands")
    page.locator("#prompt").fill("go")
    upstream.script({"text": "thinking"}, {"gate": "never"})
    page.keyboard.press("Enter")
    expect(page.locator("[data-flint=redirect]")).to_be_visible()
    ann.type("no, the other way")
    page.locator("#keep").click()
    look("redirect")
    page.keyboard.press("Escape")
    if width == 360:
        for button in page.locator(".ask-row .btn").all():
            box = button.bounding_box()
            assert box and box["height"] >= 44 and box["width"] >= 44, button
        tops = {button.bounding_box()["y"] for button in page.locator(".ask-row .btn").all()}
        assert len(tops) == 1, "one row"
    page.locator("#stop").click()
    expect(page.locator("#stop")).to_be_disabled()
