"""The editor around the text: rare languages, large projects and files, following a person."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Cast
from tests.browser.test_page import complaints_of_axe, scrolls_sideways
from tests.product import wait_until


def test_a_rare_language_is_coloured_once_it_is_there_and_after_a_new_name(
    cast: Cast, session: Callable[..., str]
) -> None:
    ann = cast.enter("ann")
    ann.go(session({"main.cpp": "int main() { return 0; }\n", "notes.txt": "int x;\n"}))
    coloured = ann.page.locator(".cm-line span", has_text=re.compile("^int$"))
    expect(coloured).to_be_visible()
    ann.open_file("notes.txt")
    expect(coloured).to_have_count(0)
    ann.page.keyboard.press("Control+p")
    expect(ann.page.locator("#tree-filter")).to_be_focused()
    ann.page.keyboard.type("notes")
    expect(ann.page.locator("#tree-list > li")).to_have_count(1)
    ann.page.keyboard.press("Escape")
    expect(ann.page.locator("#tree-filter")).to_be_hidden()
    row = ann.page.locator("#tree-list li", has_text="notes.txt").locator(".tree-open")
    row.focus()
    row.press("F2")
    ann.page.locator("#name-input").fill("notes.java")
    ann.page.locator("#name-input").press("Enter")
    expect(coloured).to_be_visible()


@pytest.mark.parametrize("width", [1440, 360])
def test_a_large_project_opens_folded_and_a_file_is_found_by_its_name(
    cast: Cast, session: Callable[..., str], width: int
) -> None:
    files = {f"pkg{i % 40}/part{i % 7}/file{i}.py": f"x = {i}\n" for i in range(2_000)}
    ann = cast.enter("ann", width, 740)
    ann.go(session({**files, "main.py": "import pkg0\n"}))
    page = ann.page
    if width < 900:
        page.locator("#panes [data-pane=files]").click()
    expect(page.locator("#tree-list > li")).to_have_count(41)
    folder = page.locator("#tree-list .tree-open", has_text="pkg7").first
    folder.focus()
    folder.press("ArrowRight")
    expect(folder).to_have_attribute("aria-expanded", "true")
    folder.press("ArrowRight")
    expect(page.locator(":focus")).to_contain_text("part0")
    page.locator(":focus").press("ArrowLeft")
    expect(folder).to_be_focused()
    folder.press("ArrowLeft")
    expect(page.locator("#tree-list > li")).to_have_count(41)
    page.keyboard.press("Control+p")
    expect(page.locator("#tree-filter")).to_be_focused()
    page.keyboard.type("pkg39 1999")
    # Letters may stand apart, so others match too; the likeliest comes first.
    first = page.locator("#tree-list .tree-open").first
    expect(first).to_have_attribute("title", "pkg39/part4/file1999.py")
    assert not scrolls_sideways(page)
    assert not complaints_of_axe(page)
    page.keyboard.press("Enter")
    expect(page.locator("#tabs [aria-selected=true]")).to_contain_text("file1999.py")
    assert ann.text() == "x = 1999\n"
    if width < 900:
        page.locator("#panes [data-pane=files]").click()
    expect(page.locator("#tree-filter")).to_have_value("")
    active = page.locator("#tree-list [aria-current=true]")
    expect(active).to_have_attribute("title", "pkg39/part4/file1999.py")
    page.keyboard.press("Control+p")
    page.keyboard.type("no such file")
    expect(page.locator("#tree-none")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#tree-none")).to_be_hidden()


def test_a_file_of_a_megabyte_is_edited_by_two(cast: Cast, session: Callable[..., str]) -> None:
    text = "".join(f"value_{i} = compute({i}, 'some words')  # line\n" for i in range(21_000))
    assert len(text) > 1_000_000
    address = session({"big.py": text})
    ann, ben = cast.enter("ann"), cast.enter("ben")
    ann.go(address)
    ben.go(address)
    ann.caret_to_end()
    ann.type("# at the end")
    ben.caret_before("value_10000 =")
    ben.type("# in the middle\n")
    ann.wait_saved()
    ben.wait_saved()
    head, tail = text.split("value_10000 =")
    whole = f"{head}# in the middle\nvalue_10000 ={tail}# at the end"
    for person in (ann, ben):
        wait_until("both edits in each text", lambda person=person: person.text() == whole)


def test_a_person_is_followed_until_one_types(cast: Cast, session: Callable[..., str]) -> None:
    long = "".join(f"line {i}\n" for i in range(400))
    address = session({"a.txt": "one\n", "b.txt": long})
    ann, ben = cast.enter("ann"), cast.enter("ben")
    ann.go(address)
    ben.go(address)
    face = ann.page.get_by_role("button", name="Follow Ben")
    face.focus()
    face.press("Enter")
    expect(face).to_have_attribute("aria-pressed", "true")
    expect(ann.page.locator("#live")).to_have_text("Following Ben")
    ben.open_file("b.txt")
    expect(ann.page.locator("#tabs [aria-selected=true]")).to_contain_text("b.txt")
    ben.caret_before("line 390")
    place = ann.page.locator(".cm-line:has(.fl-caret)")
    expect(place).to_have_text(re.compile("line 390$"))
    expect(place).to_be_in_viewport()
    ben.caret_before("line 20\n")
    expect(place).to_have_text(re.compile("line 20$"))
    expect(place).to_be_in_viewport()
    ann.page.locator("#editor .cm-content").focus()
    ann.type("x")
    expect(face).to_have_attribute("aria-pressed", "false")
    ben.open_file("a.txt")
    ben.type("y")
    ben.wait_saved()
    expect(ann.page.locator("#tabs [aria-selected=true]")).to_contain_text("b.txt")
    ann.page.get_by_role("button", name="Follow Ben").click()
    expect(ann.page.locator("#tabs [aria-selected=true]")).to_contain_text("a.txt")
    ben.page.close()
    expect(ann.page.get_by_role("button", name="Follow Ben")).to_have_count(0)
