/** Earlier prompts, drafts, and what a browser keeps for a person. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { Kept, keptFor, PREFIX } from "../../static/js/lib/kept.js";
import { Drafts, unsent } from "../../static/js/turn/drafts.js";
import { begin, MOST, merged, move, Past, shown, walks } from "../../static/js/turn/history.js";

/** localStorage as far as it is used; `full` makes it refuse what is written. */
class Storage {
  items = new Map();
  full = false;
  get length() {
    return this.items.size;
  }
  key(index) {
    return [...this.items.keys()][index] ?? null;
  }
  getItem(name) {
    return this.items.get(name) ?? null;
  }
  setItem(name, value) {
    if (this.full) throw new RangeError("full");
    this.items.set(name, value);
  }
  removeItem(name) {
    this.items.delete(name);
  }
}

test("up goes back in time and down comes forward to the draft", () => {
  let walk = begin(["first", "second"], "draft");
  assert.equal(shown(walk), "draft");
  walk = move(walk, -1);
  assert.equal(shown(walk), "second");
  walk = move(walk, -1);
  assert.equal(shown(walk), "first");
  assert.equal(move(walk, -1), null);
  walk = move(move(walk, 1), 1);
  assert.equal(shown(walk), "draft");
  assert.equal(move(walk, 1), null);
  assert.equal(move(begin([], ""), -1), null);
});

test("arrows walk from an empty box, and on a walk from the outer lines", () => {
  const at = (text, from, walking, step) => walks({ text, from, to: from, walking, step });
  assert.equal(at("", 0, false, -1), true);
  assert.equal(at("", 0, false, 1), false);
  assert.equal(at("mine", 0, false, -1), false);
  assert.equal(at("one\ntwo", 2, true, -1), true);
  assert.equal(at("one\ntwo", 5, true, -1), false);
  assert.equal(at("one\ntwo", 2, true, 1), false);
  assert.equal(at("one\ntwo", 7, true, 1), true);
  assert.equal(walks({ text: "one", from: 0, to: 3, walking: true, step: -1 }), false);
});

test("what was sent from here and elsewhere is one history, each prompt where it was sent last", () => {
  const turns = [
    { text: "a", at: 1 },
    { text: "b", at: 3 },
  ];
  const here = [
    { text: "c", at: 2 },
    { text: "a", at: 4 },
    { text: "", at: 5 },
  ];
  assert.deepEqual(merged(turns, here), ["c", "b", "a"]);
});

test("a hundred prompts are kept, none twice, and nothing that is no prompt", () => {
  const storage = new Storage();
  const past = new Past(new Kept("history", () => storage));
  for (let i = 0; i < MOST + 5; i++) past.add(`prompt ${i}`, i);
  past.add("prompt 50", 999);
  assert.equal(past.entries.length, MOST);
  assert.deepEqual(past.entries.at(-1), { text: "prompt 50", at: 999 });
  assert.equal(past.entries.filter(({ text }) => text === "prompt 50").length, 1);
  storage.setItem(`${PREFIX}history`, '[{"text": 1}, "x", null]');
  assert.deepEqual(past.entries, []);
  storage.setItem(`${PREFIX}history`, "{broken");
  assert.deepEqual(past.entries, []);
});

test("a draft is kept with the id it left under, and is none when it arrived", () => {
  const storage = new Storage();
  const drafts = new Drafts(new Kept("draft", () => storage));
  assert.deepEqual(drafts.get(), { text: "" });
  drafts.set("hello", "id1");
  const draft = drafts.get();
  assert.deepEqual(draft, { text: "hello", id: "id1" });
  assert.equal(
    unsent(draft, (id) => id === "id1"),
    "",
  );
  assert.equal(
    unsent(draft, () => false),
    "hello",
  );
  drafts.set("hello");
  assert.equal(
    unsent(drafts.get(), () => true),
    "hello",
  );
  drafts.set("");
  assert.equal(storage.length, 0);
});

test("what is kept names its person, whose signing out clears it, and outlives a full disk in this page", () => {
  const storage = new Storage();
  const kept = new Kept("tier.7.abc", () => storage);
  kept.set({ tier: "standard" });
  storage.setItem("another's", "1");
  storage.setItem("flint.client", "a tab's");
  storage.setItem("flint.keep.17", "somebody else's");
  assert.deepEqual(keptFor(storage, "7"), ["flint.tier.7.abc", "flint.client"]);
  storage.full = true;
  storage.removeItem("flint.tier.7.abc");
  kept.set("preview");
  assert.equal(storage.getItem("flint.tier.7.abc"), null);
  assert.equal(kept.get(), "preview");
  const refusing = new Kept("x", () => {
    throw new RangeError("no storage here");
  });
  refusing.set("kept");
  assert.equal(refusing.get(), "kept");
});
