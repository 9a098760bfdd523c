/** The sheet of keys lists what the page does with keys, and the hints remember. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { hintText, Memories, memoryOf } from "../../static/js/pages/hints.js";

const read = (path) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

/** By section, the keys that the sheet lists. */
function listed() {
  const sections = new Map();
  const sheet = read("templates/pages/_session_dialogs.html");
  for (const [, name, body] of sheet.matchAll(/<h3 id="help-(\w+)">([\s\S]*?)<\/section>/g)) {
    const keys = [...body.matchAll(/data-keys="([^"]+)"/g)].flatMap(([, them]) => them.split(" "));
    sections.set(name, new Set(keys));
  }
  return sections;
}

/** The keys that a module acts on: what it compares a key or code with, and the names of its table of goals. */
function handled(path) {
  const source = read(`static/js/${path}`).replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "");
  const compared = [...source.matchAll(/\b(?:key|code)(?:\.toLowerCase\(\))? [!=]== "([^"]+)"/g)];
  const goals = [...source.matchAll(/^\s+(Arrow\w+|Home|End|Enter|Delete|Escape): /gm)];
  const digits = source.includes("/^Digit") ? ["Digit"] : [];
  return [...new Set([...compared, ...goals].map(([, key]) => key)), ...digits];
}

/** Whether a section lists a key, alone or with another held down. */
const has = (section, key) =>
  [...section].some((one) => one.toLowerCase().split("+").at(-1) === key.toLowerCase());

const SOURCES = {
  "pages/keys.js": ["page", "prompt", "turns", "files"],
  "pages/hunkkeys.js": ["editor", "turns"],
  "pages/preview.js": ["page"],
  "pages/timeline.js": ["page"],
  "time/timeline.js": ["page"],
  "editor/tabs.js": ["editor"],
  "editor/tree.js": ["files"],
  "turn/prompt.js": ["prompt"],
  "turn/recall.js": ["prompt"],
  "turn/complete.js": ["prompt", "turns"],
  "turn/followupsrow.js": ["turns", "prompt"],
  "turn/roving.js": ["turns"],
};

test("the sheet lists every key that the page acts on", () => {
  const sections = listed();
  assert.deepEqual([...sections.keys()], ["prompt", "turns", "editor", "files", "page"]);
  let count = 0;
  for (const [path, names] of Object.entries(SOURCES)) {
    const keys = handled(path);
    assert.ok(keys.length, `${path} acts on no key that this test understands`);
    for (const key of keys) {
      assert.ok(
        names.some((name) => has(sections.get(name), key)),
        `${path} acts on ${key}, which the sheet does not list under ${names.join(" or ")}`,
      );
      count += 1;
    }
  }
  assert.ok(count >= 30, String(count));
});

test("what is done with a key held down is listed so", () => {
  const sections = listed();
  for (const key of ["Enter", "Shift+Enter", "Alt+Enter", "Mod+K", "@", "/", "Tab"])
    assert.ok(sections.get("prompt").has(key), key);
  for (const key of ["Alt+ArrowUp", "Alt+ArrowDown", "F2", "Delete", "Escape", "KeyG", "y", "n"])
    assert.ok(sections.get("turns").has(key), key);
  for (const key of [
    "Mod+F",
    "Mod+Z",
    "Mod+Y",
    "Digit",
    "KeyW",
    "KeyJ",
    "Alt+Enter",
    "Alt+Backspace",
  ])
    assert.ok(sections.get("editor").has(key), key);
  assert.ok(sections.get("files").has("Mod+P"));
  assert.ok(sections.get("page").has("KeyP"));
});

test("a hint is remembered, whatever stands in the storage and whether or not there is one", () => {
  for (const bad of [null, "x", 7, [], { seen: "prompt" }, { off: "yes", seen: ["other"] }])
    assert.deepEqual(memoryOf(bad), { off: false, seen: [] });
  const kept = new Map([["flint-hints.7", "{not json"]]);
  const storage = {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
  };
  const one = new Memories("7", () => storage);
  assert.deepEqual(one.get(), { off: false, seen: [] });
  one.set({ off: false, seen: ["prompt"] });
  assert.deepEqual(new Memories("7", () => storage).get().seen, ["prompt"]);
  assert.deepEqual(new Memories("8", () => storage).get().seen, []);
  const none = new Memories("7", () => {
    throw new Error("forbidden");
  });
  none.set({ off: true, seen: [] });
  assert.equal(none.get().off, true);
  for (const hint of ["prompt", "running", "finished"]) assert.match(hintText(hint), /\.$/);
});
