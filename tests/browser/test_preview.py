"""The live preview: what it shows, that it follows, and that nothing of the page gets out of it."""

from __future__ import annotations

import socket
from collections.abc import Callable

import pytest
from playwright.sync_api import FrameLocator, expect

from tests.browser.conftest import Cast
from tests.browser.person import Person
from tests.browser.scripts import answer
from tests.browser.test_page import complaints_of_axe, scrolls_sideways
from tests.upstream import Upstream

INDEX = """<!doctype html>
<html><head><title>Todo</title><link rel="stylesheet" href="css/site.css"></head>
<body style="margin: 20px"><h1>Hello</h1><img src="logo.svg" width="40" alt="logo">
<form id="form"><input id="field"><button>Add</button></form><ul id="list"></ul>
<a href="other.html">Other</a><script type="module" src="app.js"></script></body></html>
"""
FILES = {
    "index.html": INDEX,
    "css/site.css": '@import "base.css";\nh1 { color: rgb(1, 2, 3); }\n',
    "css/base.css": "body { background: url(../logo.svg) no-repeat right; }\n",
    "app.js": (
        'import { add } from "./lib/todo.js";\n'
        'console.log("started", { a: 1 });\n'
        'localStorage.setItem("kept", "yes");\n'
        'console.warn(localStorage.getItem("kept"));\n'
        "const [form, field, list] = ['form', 'field', 'list']"
        ".map((id) => document.getElementById(id));\n"
        "form.addEventListener('submit', (event) => {\n"
        "  event.preventDefault();\n"
        "  add(list, field.value);\n"
        "});\n"
    ),
    "lib/todo.js": (
        "export function add(list, text) {\n"
        "  const item = document.createElement('li');\n"
        "  item.textContent = text;\n"
        "  list.append(item);\n"
        "}\n"
    ),
    "logo.svg": (
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 10 10'>"
        "<circle cx='5' cy='5' r='4'/></svg>\n"
    ),
    "other.html": "<h1>The other page</h1>\n",
    "README.md": "# Read me\n\n| a | b |\n|---|---|\n| 1 | 2 |\n",
}


def shown(person: Person) -> FrameLocator:
    """Return the page that the preview shows."""
    return person.page.frame_locator("#preview-holder iframe:not(.coming)")


def open_preview(person: Person) -> None:
    """Open it with the keyboard."""
    person.page.keyboard.press("Alt+p")
    expect(person.page.locator("#preview")).to_be_visible()


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1440, 360])
def test_a_page_of_several_files_works(
    cast: Cast, session: Callable[..., str], width: int, theme: str
) -> None:
    ann = cast.enter("ann", width, 740, color_scheme=theme)
    ann.go(session(FILES))
    open_preview(ann)
    page, frame = ann.page, shown(ann)
    expect(frame.locator("h1")).to_have_css("color", "rgb(1, 2, 3)")
    expect(frame.locator("body")).to_have_css("margin", "20px")
    frame.locator("#field").fill("milk")
    frame.get_by_role("button", name="Add").click()
    expect(frame.locator("#list li")).to_have_text("milk")
    page.locator("#preview-log summary").click()
    expect(page.locator(".log-line .log-text")).to_have_text(["started {a: 1}", "yes"])
    assert not scrolls_sideways(page)
    assert not complaints_of_axe(page)
    frame.get_by_role("link", name="Other").click()
    expect(shown(ann).locator("h1")).to_have_text("The other page")
    page.locator("#preview-choice").select_option("README.md")
    expect(shown(ann).locator("td").first).to_have_text("1")
    page.locator("#preview-choice").select_option("logo.svg")
    expect(shown(ann).locator("circle")).to_be_visible()
    page.get_by_role("button", name="Close the preview").click()
    expect(page.locator("#preview")).to_be_hidden()
    expect(page.locator("#preview-holder iframe")).to_have_count(0)


def test_it_follows_what_a_colleague_types_and_what_the_model_writes(
    cast: Cast, session: Callable[..., str], upstream: Upstream
) -> None:
    ann, ben = cast.enter("ann"), cast.enter("ben")
    address = session({"index.html": "<h1>Old</h1>\n", "notes.txt": "one\n"})
    ann.go(address)
    ben.go(address)
    open_preview(ann)
    expect(shown(ann).locator("h1")).to_have_text("Old")
    ben.open_file("index.html")
    ben.caret_before("Old")
    ben.type("Very ")
    expect(shown(ann).locator("h1")).to_have_text("Very Old")
    upstream.script({"say": answer("<h1>New</h1>\n", "index.html")})
    ben.ask("make it new")
    expect(shown(ann).locator("h1")).to_have_text("New")


def test_a_style_sheet_changes_without_running_the_page_again(
    cast: Cast, session: Callable[..., str]
) -> None:
    ann = cast.enter("ann")
    ann.go(session(FILES))
    open_preview(ann)
    frame = shown(ann)
    frame.locator("#field").fill("not sent yet")
    ann.page.locator('#tree [title="css/site.css"]').click()
    expect(ann.page.locator("#tabs [aria-selected=true]")).to_contain_text("site.css")
    ann.caret_before("1, 2, 3")
    ann.type("20")
    expect(frame.locator("h1")).to_have_css("color", "rgb(201, 2, 3)")
    expect(frame.locator("#field")).to_have_value("not sent yet")


def test_errors_are_listed_lead_to_their_line_and_can_be_sent(
    cast: Cast, session: Callable[..., str]
) -> None:
    ann = cast.enter("ann")
    script = "const x = 1;\nsetTimeout(() => {\n  missing(x);\n}, 0);\n"
    ann.go(session({"index.html": "<h1>x</h1><script src=app.js></script>\n", "app.js": script}))
    open_preview(ann)
    page = ann.page
    expect(page.locator("#preview-log-title")).to_contain_text("1 error")
    page.locator("#preview-log summary").click()
    line = page.locator(".log-line")
    expect(line.locator(".log-text")).to_have_text(
        "Uncaught ReferenceError: missing is not defined"
    )
    line.get_by_role("button", name="app.js:3").click()
    expect(page.locator("#tabs [aria-selected=true]")).to_contain_text("app.js")
    expect(page.locator(".cm-activeLine")).to_have_text("  missing(x);")
    page.locator("#prompt").fill("a draft")
    page.get_by_role("button", name="Ask Flint to fix these").click()
    expect(page.locator("#prompt")).to_have_value(
        "a draft\n\nThe preview of index.html shows these errors. Fix them:\n"
        "- Uncaught ReferenceError: missing is not defined (app.js:3)"
    )
    cast.complaints.clear()  # the page's own error, which Chromium tells too


ATTACKS = {
    "reads the session": "parent.document.title",
    "reads the top": "top.location.href",
    "reads cookies": "document.cookie",
    "reads this browser's storage": "indexedDB.open('x').onerror ? 1 : 1, caches.keys()",
    "asks the server": "fetch('/')",
    "asks another": "fetch('ELSEWHERE/')",
    "opens a socket": "new Promise((y, n) => {"
    " const s = new WebSocket('ELSEWHERE/'.replace('http', 'ws'));"
    " s.onerror = () => n(new Error('no')); s.onopen = y; })",
    "loads a picture": "new Promise((y, n) => { const i = new Image(); i.onload = y;"
    " i.onerror = () => n(new Error('no')); i.src = '/static/img/flint.svg'; })",
    "loads a script": "import('/static/js/lib/dom.js')",
    "goes elsewhere at the top": "top.location = 'ELSEWHERE/'",
    "opens a window": "window.open('/') ?? (() => { throw Error('no') })()",
    "connects directly": "new RTCPeerConnection()",
}


def test_nothing_of_the_page_gets_out(cast: Cast, session: Callable[..., str]) -> None:
    ann = cast.enter("ann")
    elsewhere = socket.create_server(("127.0.0.1", 0))
    elsewhere.setblocking(False)
    url = f"http://127.0.0.1:{elsewhere.getsockname()[1]}"
    tries = "\n".join(
        f"await attempt({name!r}, async () => {{ return ({code}); }});"
        for name, code in ATTACKS.items()
    )
    page = (
        "<h1>attack</h1><script type=module>\n"
        "const attempt = async (name, act) => {\n"
        "  try { await act(); console.log('GOT OUT: ' + name); }\n"
        "  catch { console.log('held: ' + name); }\n"
        "};\n"
        + tries.replace("ELSEWHERE", url)
        # This one answers yes, and the policy refuses it all the same.
        + f"\nnavigator.sendBeacon({url!r}, 'x');"
        + "\nconsole.log('done');\n</script>\n"
    )
    ann.go(session({"index.html": page}))
    open_preview(ann)
    ann.page.locator("#preview-log summary").click()
    lines = ann.page.locator(".log-line .log-text")
    expect(lines.last).to_have_text("done")
    assert lines.all_inner_texts()[:-1] == [f"held: {name}" for name in ATTACKS]
    with elsewhere, pytest.raises(BlockingIOError):
        elsewhere.accept()
    assert "/s/" in ann.page.url
    cast.complaints.clear()  # each refusal of the policy is one


INNER = "<script>new RTCPeerConnection(); top.postMessage('out', '*')</script>"


@pytest.mark.parametrize(
    "place",
    [
        "document.body",
        "document.body.appendChild(document.createElement('p')).attachShadow({ mode: 'closed' })",
    ],
    ids=["page", "shadow"],
)
def test_a_document_within_the_page_does_not_run(
    cast: Cast, session: Callable[..., str], place: str
) -> None:
    """It would have a window of its own, with the connections that the page's has lost."""
    ann = cast.enter("ann")
    script = (
        f"const inner = {INNER!r}, place = {place};\n"
        "const add = (name, value) => {\n"
        "  const frame = document.createElement('iframe');\n"
        "  frame.setAttribute(name, value);\n"
        "  place.append(frame);\n"
        "};\n"
        "add('srcdoc', inner);\n"
        "add('src', `javascript:${JSON.stringify(inner)}`);\n"
        "setTimeout(() => console.log('done'), 500);\n"
    )
    ann.go(session({"index.html": "<h1>x</h1><script src=app.js></script>\n", "app.js": script}))
    ann.page.evaluate("addEventListener('message', ({data}) => { if (data === 'out') out = 1 })")
    open_preview(ann)
    ann.page.locator("#preview-log summary").click()
    expect(ann.page.locator(".log-line .log-text").last).to_have_text("done")
    assert ann.page.evaluate("typeof out") == "undefined"
    cast.complaints.clear()


def test_a_page_that_goes_elsewhere_stays_where_it_is(
    cast: Cast, session: Callable[..., str]
) -> None:
    ann = cast.enter("ann")
    ann.go(
        session({"index.html": "<h1>leaving</h1><script>location = '/accounts/login/'</script>"})
    )
    open_preview(ann)
    expect(ann.page.locator("#preview")).to_be_visible()
    ann.open_file("index.html")
    assert all("login" not in frame.url for frame in ann.page.frames)
    cast.complaints.clear()


def test_what_pretends_to_be_the_frame_is_not_heard(
    cast: Cast, session: Callable[..., str]
) -> None:
    ann = cast.enter("ann")
    ann.go(session({"index.html": "<h1>x</h1>\n"}))
    open_preview(ann)
    expect(shown(ann).locator("h1")).to_be_visible()
    line = {"level": "error", "text": "forged", "source": "", "line": 0}
    ann.page.evaluate("line => postMessage({ t: 'console', lines: [line], dropped: 0 }, '*')", line)
    shape = "{ t: 'console', lines: [{ level: 'x' }, null, 7], dropped: '1' }"
    ann.page.frames[-1].evaluate(f"() => parent.postMessage({shape}, '*')")
    ann.page.frames[-1].evaluate("console.log('real')")
    ann.page.locator("#preview-log summary").click()
    expect(ann.page.locator(".log-line .log-text")).to_have_text(["real"])


def test_a_page_that_never_ends_is_stopped_and_can_run_again(
    cast: Cast, session: Callable[..., str]
) -> None:
    ann = cast.enter("ann")
    loop = "<h1>x</h1><script>setTimeout(() => { while (true); }, 300)</script>\n"
    ann.go(session({"index.html": loop}))
    open_preview(ann)
    page = ann.page
    expect(page.locator("#preview-note")).to_contain_text("no longer answered", timeout=20_000)
    expect(page.locator("#preview-holder iframe")).to_have_count(0)
    ann.caret_before("<script>")
    page.keyboard.press("Control+Shift+End")
    ann.type("<p>mended")
    page.get_by_role("button", name="Run again").click()
    expect(shown(ann).locator("p")).to_have_text("mended")
