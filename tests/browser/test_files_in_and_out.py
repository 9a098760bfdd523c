"""Files come in and go out, as a person does it."""

from __future__ import annotations

import io
import subprocess
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Cast
from tests.browser.person import Person

PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(range(256)) * 47
WIDTHS = pytest.mark.parametrize("width", [360, 1440])

_DROP = """([selector, files]) => {
  const transfer = new DataTransfer();
  for (const [name, bytes] of files) transfer.items.add(new File([new Uint8Array(bytes)], name));
  const target = document.querySelector(selector);
  const events = ['dragover', 'drop'].map(
    (kind) => new DragEvent(kind, { dataTransfer: transfer, bubbles: true, cancelable: true }),
  );
  for (const event of events) target.dispatchEvent(event);
  return events.every((event) => event.defaultPrevented);
}"""


def _drop(person: Person, selector: str, files: dict[str, bytes]) -> bool:
    """Say whether the browser was kept from showing them itself."""
    listed = [[name, list(data)] for name, data in files.items()]
    return bool(person.page.evaluate(_DROP, [selector, listed]))


def _drag(person: Person, path: Path) -> None:
    """Drag a file or a folder from the desktop onto the page where a session starts."""
    box = person.page.locator("#new-drop").bounding_box()
    assert box
    at = {"x": box["x"] + 9, "y": box["y"] + 9}
    data = {"items": [], "files": [str(path)], "dragOperationsMask": 1}
    remote = person.page.context.new_cdp_session(person.page)
    for kind in ("dragEnter", "dragOver", "drop"):
        remote.send("Input.dispatchDragEvent", {"type": kind, **at, "data": data})


def _zip(folder: Path, **files: bytes) -> Path:
    with zipfile.ZipFile(folder / "My app.zip", "w") as made:
        for name, data in files.items():
            made.writestr(name, data)
    return folder / "My app.zip"


def _project(folder: Path) -> Path:
    root = folder / "tool"
    for path, data in {
        "main.py": b"print(1)\n",
        "d/logo.png": PNG,
        ".git/config": b"[core]\n",
        "node_modules/x/index.js": b"1\n",
    }.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(data)
    return root


def _paths(person: Person) -> set[str]:
    if person.page.viewport_size and person.page.viewport_size["width"] < 900:
        person.page.locator("#panes [data-pane=files]").click()
    expect(person.page.locator("#tree-list li").first).to_be_visible()
    return set(
        person.page.locator("#tree .tree-open").evaluate_all("all => all.map(one => one.title)")
    )


def _has_no_sideways_scroll(person: Person) -> None:
    script = "document.documentElement.scrollWidth <= innerWidth"
    assert person.page.evaluate(script)


@WIDTHS
def test_a_session_from_a_zip(cast: Cast, tmp_path: Path, width: int) -> None:
    ann = cast.enter("ann", width)
    ann.page.goto("/")
    ann.page.get_by_role("link", name="From files or text…").first.click()
    made = _zip(tmp_path, **{"app/main.py": b"x = 1\n", "app/logo.png": PNG})
    ann.page.get_by_label("Files or one zip").set_input_files(made)
    expect(ann.page.locator("#new-names")).to_contain_text("My app.zip")
    _has_no_sideways_scroll(ann)
    ann.page.get_by_role("button", name="Start with these files").click()
    ann.page.wait_for_url("**/s/*/")
    ann.arrive()
    expect(ann.page.locator("#session-title")).to_have_text("My app")
    assert ann.text() == "x = 1\n"
    assert {"main.py", "logo.png"} <= _paths(ann)


@pytest.mark.parametrize("way", ["chosen", "dragged"])
def test_a_folder_without_what_is_no_part_of_it(cast: Cast, tmp_path: Path, way: str) -> None:
    ann = cast.enter("ann")
    ann.page.goto("/new/")
    if way == "chosen":
        ann.page.get_by_label("A folder", exact=True).set_input_files(_project(tmp_path))
    else:
        _drag(ann, _project(tmp_path))
    names = ann.page.locator("#new-names")
    expect(names).to_contain_text("tool/d/logo.png")
    expect(names).not_to_contain_text(".git")
    expect(ann.page.locator("#new-left-out")).to_contain_text("node_modules")
    ann.page.get_by_role("button", name="Start with these files").click()
    ann.page.wait_for_url("**/s/*/")
    ann.arrive()
    expect(ann.page.locator("#session-title")).to_have_text("tool")
    assert ann.text() == "print(1)\n"


@WIDTHS
def test_dropped_files_and_a_refusal(cast: Cast, width: int) -> None:
    ann = cast.enter("ann", width)
    ann.page.goto("/new/")
    _drop(ann, "#new-drop", {"aux.c": b"int x;\n", "b.c": b"int y;\n"})
    expect(ann.page.locator("#new-count")).to_have_text("2 files")
    with ann.page.expect_response("**/new/") as refused:
        ann.page.keyboard.press("Enter")
    assert refused.value.status == 422
    expect(ann.page.get_by_role("alert")).to_contain_text('"aux.c" cannot be used')
    expect(ann.page.get_by_role("alert")).to_contain_text("Nothing was created.")
    _has_no_sideways_scroll(ann)
    _drop(ann, "#new-drop", {"a.c": b"int x;\n"})
    expect(ann.page.get_by_role("alert")).to_be_hidden()
    ann.page.get_by_label("Title").fill("Dropped")
    ann.page.get_by_role("button", name="Start with these files").click()
    ann.page.wait_for_url("**/s/*/")
    ann.arrive()
    expect(ann.page.locator("#session-title")).to_have_text("Dropped")
    cast.complaints[:] = [line for line in cast.complaints if "422" not in line]


def test_pasted_text(cast: Cast) -> None:
    ann = cast.enter("ann")
    ann.page.goto("/new/")
    ann.page.get_by_label("Text", exact=True).fill("def f():\n    return '世界'\n")
    ann.page.get_by_role("button", name="Start with this text").click()
    ann.page.wait_for_url("**/s/*/")
    ann.arrive()
    assert ann.text() == "def f():\n    return '世界'\n"
    expect(ann.page.locator("#tabs [aria-selected=true]")).to_contain_text("main.py")


@WIDTHS
def test_uploads_are_seen_by_everybody(cast: Cast, session: Callable[..., str], width: int) -> None:
    address = session({"app.py": "x = 1\n"})
    ann, ben = cast.enter("ann", width), cast.enter("ben", width)
    for person in (ann, ben):
        person.go(address)
        _paths(person)
    assert _drop(ann, "#turns", {"astray.py": b"z = 3\n"}), "the page stays"
    _drop(ann, "#tree", {"logo.png": PNG, "more.py": b"y = 2\n"})
    for person in (ann, ben):
        expect(person.page.locator("#tree")).to_contain_text("logo.png")
        expect(person.page.locator("#tree")).to_contain_text("more.py")
    expect(ann.page.locator("#notice")).to_contain_text("2 files came in.")
    expect(ann.page.locator("#tree")).not_to_contain_text("astray.py")

    ben.page.locator("#tree .tree-open", has_text="logo.png").click()
    expect(ben.page.locator("#editor-binary")).to_contain_text("This file is binary (12 kB).")
    expect(ben.page.locator("#editor-binary")).to_be_focused()
    expect(ben.page.locator("#editor")).to_be_hidden()
    _has_no_sideways_scroll(ben)
    _paths(ben)
    ben.page.locator("#tree .tree-open", has_text="app.py").click()
    expect(ben.page.locator("#editor-binary")).to_be_hidden()

    ann.page.locator("#upload-input").set_input_files(
        {"name": "app.py", "mimeType": "text/plain", "buffer": b"x = 'new'\n"}
    )
    dialog = ann.page.locator("#upload-dialog")
    expect(dialog).to_contain_text("app.py")
    dialog.get_by_role("button", name="Replace them").click()
    expect(ben.page.locator("#editor .cm-content")).to_contain_text("x = 'new'")
    cast.complaints[:] = [line for line in cast.complaints if "409" not in line]


@WIDTHS
def test_the_download_is_what_is_on_the_screen(
    cast: Cast, session: Callable[..., str], tmp_path: Path, width: int
) -> None:
    ann = cast.enter("ann", width)
    ann.go(session({"app.py": "x = 1\r\n", "d/b.txt": "b"}))
    if width < 900:
        ann.page.locator("#panes [data-pane=code]").click()
    ann.caret_to_end()
    ann.type("y = 2\n")
    if width < 900:
        ann.page.locator("#panes [data-pane=files]").click()
    ann.page.get_by_role("link", name="Download").press("Enter")
    link = ann.page.locator("#download-zip")
    expect(link).to_be_focused()
    _has_no_sideways_scroll(ann)
    with ann.page.expect_download() as zipped:
        link.press("Enter")
    with zipfile.ZipFile(io.BytesIO(Path(zipped.value.path()).read_bytes())) as archive:
        held = {name: archive.read(name) for name in archive.namelist()}
    assert held == {"notes/app.py": b"x = 1\r\ny = 2\r\n", "notes/d/b.txt": b"b"}

    with ann.page.expect_download() as patched:
        ann.page.get_by_role("button", name="Download the patch").press("Enter")
    (tmp_path / "app.py").write_bytes(b"x = 1\r\n")
    patch = Path(patched.value.path()).read_bytes()
    subprocess.run(["git", "apply", "-"], cwd=tmp_path, input=patch, check=True)
    assert (tmp_path / "app.py").read_bytes() == b"x = 1\r\ny = 2\r\n"
    ann.page.keyboard.press("Escape")
    expect(ann.page.locator("#download-dialog")).to_be_hidden()
