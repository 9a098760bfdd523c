/** What is said of prompts that wait, and how their list is put in order. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { Emitter } from "../../static/js/lib/emitter.js";
import { announce, speaker } from "../../static/js/turn/announce.js";
import { arrangeAround } from "../../static/js/turn/followups.js";
import { beforeAt } from "../../static/js/turn/followupsdrag.js";
import {
  aboutText,
  changes,
  heldText,
  modelOf,
  removedText,
} from "../../static/js/turn/followupswords.js";

const one = (id, rest = {}) => ({ id, author: "1", name: "Ben", prompt: `do ${id}`, ...rest });
const list = (...ids) => ({ held: false, list: ids.map((id) => one(id)) });

test("what changed in a list, for somebody who listens", () => {
  assert.deepEqual(changes(list("a"), list("a", "b"), "2"), [
    "Ben queued a prompt, number 2 in line: do b",
  ]);
  assert.deepEqual(changes(list("a"), list("a", "b"), "1"), [], "one's own is told elsewhere");
  assert.deepEqual(changes(list("a", "b"), list("a"), "2"), [], "the next turn tells why");
  assert.deepEqual(changes(list("a", "b", "c"), list("c", "a", "b"), "2"), [
    "The prompt of Ben is number 1 in line now: do c",
  ]);
  assert.deepEqual(changes(list("a", "b", "c"), list("b", "c", "a"), "2"), [
    "The prompt of Ben is number 3 in line now: do a",
  ]);
  assert.deepEqual(changes(list("a", "b"), list("b", "a"), "2"), [
    "The prompt of Ben is number 1 in line now: do b",
  ]);
  assert.deepEqual(changes(list("a", "b"), list("b", "a"), "2", "a"), [
    "The prompt of Ben is number 2 in line now: do a",
  ]);
  const edited = { held: false, list: [one("a", { prompt: "do it better" })] };
  assert.deepEqual(changes(list("a"), edited, "1"), [
    "The prompt number 1 in line reads now: do it better",
  ]);
  assert.deepEqual(changes(list("a", "b"), { ...list("a", "b"), held: true }, "2"), []);
});

test("why the list is on hold", () => {
  const held = { held: true, list: [one("a")] };
  const after = (state, ended_by = "") => heldText(held, { state, ended_by }, "Ann");
  assert.equal(after("stopped", "Ben"), "On hold, since Ben stopped the last turn.");
  assert.equal(after("stopped", "Ann"), "On hold, since the last turn was stopped.");
  assert.equal(after("failed"), "On hold, since the last turn failed.");
  assert.equal(after("interrupted"), "On hold, since the server was interrupted.");
  assert.equal(after("finished"), "On hold until somebody sends one of them, or a new prompt.");
  assert.equal(
    heldText(held, null, "Ann"),
    "On hold until somebody sends one of them, or a new prompt.",
  );
  assert.equal(
    heldText({ ...held, message: "Ben may no longer." }, null, ""),
    "Ben may no longer.",
  );
  assert.equal(heldText(list("a"), { state: "stopped", ended_by: "Ben" }, "Ann"), "");
});

test("which model a prompt waits for, and what it is about", () => {
  const endpoints = [
    { id: "x", tier: "standard", label: "Deep", default: true },
    { id: "y", tier: "standard", label: "Other", default: false },
  ];
  const waits = (tier, endpoint) => modelOf({ tier, endpoint }, endpoints);
  assert.equal(waits("standard", "y"), "Other");
  assert.equal(waits("standard", "x"), "standard");
  assert.equal(waits("standard", "gone"), "standard");
  assert.equal(waits("preview", ""), "preview");
  const lines = (from_line, to_line) => aboutText({ file: "f", path: "a.py", from_line, to_line });
  assert.equal(lines(3, 9), "a.py, lines 3 to 9");
  assert.equal(lines(3, 3), "a.py, line 3");
  assert.equal(lines(null, null), "a.py");
  assert.equal(aboutText(null), "");
  assert.equal(removedText(one("a"), "1"), "Your prompt was removed: do a");
  assert.equal(removedText(one("a"), "2"), "The prompt of Ben was removed: do a");
});

/** As much of a list in a page as is used. */
function fakeList(...names) {
  const children = [];
  const at = (name) => children.indexOf(name);
  const make = (name) => ({
    name,
    moves: 0,
    get nextElementSibling() {
      return children[at(this) + 1] ?? null;
    },
    remove() {
      children.splice(at(this), 1);
    },
  });
  const put = (element, before) => {
    if (at(element) >= 0) element.remove();
    element.moves += 1;
    children.splice(before ? at(before) : children.length, 0, element);
  };
  children.push(...names.map(make));
  return {
    children,
    get firstElementChild() {
      return children[0] ?? null;
    },
    insertBefore: put,
    append: (element) => put(element, null),
    make,
  };
}

test("a list is put in any order without touching the row that has the keyboard", () => {
  const orders = (all) =>
    all.length < 2
      ? [all]
      : all.flatMap((name) =>
          orders(all.filter((other) => other !== name)).map((rest) => [name, ...rest]),
        );
  let cases = 0;
  for (const order of orders(["a", "b", "c", "d"])) {
    for (const without of ["", ...order]) {
      for (const fixed of order) {
        const list = fakeList("a", "b", "c", "d");
        const names = order.filter((name) => name !== without);
        const held = list.children.find(({ name }) => name === fixed);
        const by = new Map(list.children.map((element) => [element.name, element]));
        arrangeAround(list, [...names.map((name) => by.get(name)), list.make("new")], held);
        assert.deepEqual(
          list.children.map(({ name }) => name),
          [...names, "new"],
        );
        assert.equal(held.moves, 0);
        cases += 1;
      }
    }
  }
  assert.equal(cases, 480);
});

test("where something goes that is dropped at a height", () => {
  const boxes = [0, 20, 40].map((top) => ({
    top,
    getBoundingClientRect: () => ({ top, height: 20 }),
  }));
  const drops = (y) => beforeAt(boxes, y)?.top ?? null;
  assert.equal(drops(-5), 0);
  assert.equal(drops(9), 0);
  assert.equal(drops(11), 20);
  assert.equal(drops(49), 40);
  assert.equal(drops(51), null);
});

test("what comes together is said together; one that left the list was asked, or removed", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const region = { textContent: "" };
  const project = Object.assign(new Emitter(), {
    followups: list("a", "b"),
    turns: new Map(),
    you: { user: "2", name: "Ann" },
    pathOf: (file) => file,
  });
  announce(speaker(region), project);
  const tell = (name, payload) => project.emit(name, payload);
  const turn = (id, state, rest = {}) => ({
    id,
    state,
    name: "Ben",
    hunks: [],
    parent: null,
    prompt: `do ${id}`,
    added: 0,
    removed: 0,
    reason: "",
    ...rest,
  });
  tell("turn", { turn: turn("z", "finished"), before: turn("z", "streaming") });
  tell("followups", list("b"));
  project.turns.set("a", turn("a", "queued"));
  tell("turn", { turn: turn("a", "queued"), before: null });
  t.mock.timers.tick(100);
  assert.equal(
    region.textContent,
    "Flint finished and changed nothing. The next prompt is asked, from Ben: do a.",
  );
  tell("turn", { turn: turn("a", "streaming"), before: turn("a", "queued") });
  t.mock.timers.tick(5_000);
  assert.match(region.textContent, /is asked, from Ben: do a/, "no token is told of");
  tell("followups", list());
  t.mock.timers.tick(1_400);
  assert.doesNotMatch(region.textContent, /removed/);
  t.mock.timers.tick(300);
  t.mock.timers.tick(100);
  assert.equal(region.textContent, "The prompt of Ben was removed: do b.");
  tell("turn", { turn: turn("c", "queued"), before: null });
  t.mock.timers.tick(100);
  assert.equal(region.textContent, "Ben asked: do c.");
});
