/** What is said to people, and in which order things are shown. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { savedState } from "../../static/js/collab/saved.js";
import { indentOf, languageOf, loadLanguage, moduleOf } from "../../static/js/editor/languages.js";
import { gettext, interpolate, ngettext } from "../../static/js/lib/i18n.js";
import { newId } from "../../static/js/lib/ids.js";
import { initials } from "../../static/js/lib/names.js";
import { relative, span } from "../../static/js/lib/time.js";
import { closing } from "../../static/js/net/closing.js";
import { choiceOf } from "../../static/js/turn/again.js";
import { answered, asker } from "../../static/js/turn/answered.js";
import {
  beganText,
  endText,
  figures,
  linkText,
  modelText,
  receipt,
  stateText,
} from "../../static/js/turn/sentences.js";
import { EditorState, syntaxTree } from "../../static/vendor/codemirror.js";
import { LANGUAGES } from "../../static/vendor/languages.js";

const hunk = (status) => ({ status });

/** A turn that was stopped, with what a test changes of it. */
function turn(rest = {}) {
  return {
    state: "stopped",
    tokens_out: 412,
    stop_ms: 9.2,
    hunks: [],
    added: 0,
    removed: 0,
    ended_by: "Jo",
    reverted_by: "",
    reason: "",
    ttft_ms: 84,
    ...rest,
  };
}

test("the receipt says how fast, where, what was kept, and who, when it was another", () => {
  const kept = [hunk("applied"), hunk("yielded"), hunk("rolled_back")];
  const says = (rest, ms = null, you = "Jo") => receipt(turn(rest), ms, you);
  assert.equal(
    says({ hunks: kept }),
    "Stopped in 9 ms at token 412. 2 edits kept, 1 unfinished edit rolled back.",
  );
  assert.equal(
    says({ hunks: [hunk("applied")] }, 31.4),
    "Stopped in 9 ms at token 412. 1 edit kept. You saw it after 31 ms.",
  );
  assert.equal(says({}), "Stopped in 9 ms at token 412. Nothing was changed.");
  assert.equal(says({}, null, "Ann"), "Stopped by Jo in 9 ms at token 412. Nothing was changed.");
  assert.equal(
    says({ stop_ms: null }, null, "Ann"),
    "Stopped by Jo at token 412. Nothing was changed.",
  );
  assert.equal(says({ stop_ms: null, tokens_out: 0 }), "Stopped at token 0. Nothing was changed.");
  const redirected = { state: "redirected", hunks: [hunk("applied"), hunk("applied")] };
  assert.equal(says(redirected, null, "Ann"), "Redirected by Jo after 9 ms. 2 edits kept.");
  assert.equal(says(redirected), "Redirected after 9 ms. 2 edits kept.");
  assert.equal(
    says({ ...redirected, stop_ms: null }, null, "Ann"),
    "Redirected by Jo. 2 edits kept.",
  );
  assert.equal(says({ ...redirected, stop_ms: null }), "Redirected. 2 edits kept.");
  const back = { ...redirected, hunks: [hunk("reverted")], reverted_by: "Jo" };
  assert.equal(says(back), "Redirected after 9 ms. Its edits were taken back.");
  for (const state of ["queued", "starting", "streaming", "stopping", "finished", "failed"])
    assert.equal(says({ state }, 5, "Ann"), "", state);
});

test("a turn's state in each of its states, and its figures", () => {
  const words = {
    queued: "waiting for its turn",
    starting: "reading",
    streaming: "writing",
    stopping: "stopping…",
    finished: "finished",
    stopped: "stopped",
    redirected: "redirected",
    failed: "failed",
    interrupted: "interrupted",
  };
  for (const [state, text] of Object.entries(words)) assert.equal(stateText(turn({ state })), text);
  assert.equal(stateText(turn({ state: "streaming" }), "app.py"), "writing app.py");
  assert.equal(stateText(turn({ reverted_by: "Ann" })), "reverted by Ann");
  assert.equal(figures(turn({ added: 12, removed: 3 }), null), "+12 −3 · first 84 ms");
  const progress = { turn: "t", tokens: 1, applied: 0, tps: 1180.5, ttft_ms: 90 };
  assert.equal(
    figures(turn({ state: "streaming" }), progress),
    "1 token · 1,181 tok/s · first 90 ms",
  );
});

test("who asked, and which model answered", () => {
  const asked = { author: "7", name: "Jo" };
  assert.equal(asker(asked, [], "7"), "Jo (you)");
  assert.equal(asker(asked, [{ user: "7", name: "Jo" }], "8"), "Jo");
  assert.equal(asker(asked, [{ user: "8", name: "Jo" }], "8"), "Jo, not here now");
  assert.equal(asker({ author: "", name: "Jo" }, [], ""), "Jo, not here now");
  const one = { label: "Qwen", model: "qwen-0.5b", tier: "preview", format: "blocks" };
  assert.deepEqual(answered(one), {
    text: "Qwen · preview",
    title: "qwen-0.5b, which writes its edits as blocks to search and replace",
  });
  assert.match(answered({ ...one, format: "whole" }).title, /the whole text/);
  assert.deepEqual(answered({ label: "", model: "", tier: "standard", format: "" }), {
    text: "standard",
    title: "standard",
  });
  const endpoints = [
    { id: "preview", tier: "preview", default: true },
    { id: "other", tier: "preview", default: false },
  ];
  assert.equal(choiceOf({ tier: "preview", endpoint: "other" }, endpoints), "other");
  assert.equal(choiceOf({ tier: "preview", endpoint: "preview" }, endpoints), "");
  assert.equal(choiceOf({ tier: "preview", endpoint: "gone" }, endpoints), "");
});

test("what is told when a turn begins", () => {
  const begins = { name: "Jo", prompt: "shorten\n  it", parent: null };
  assert.equal(beganText(begins, false), "Jo asked: shorten it");
  assert.equal(beganText({ ...begins, parent: "t" }, false), "Jo redirected Flint: shorten it");
  for (const parent of [null, "t"])
    assert.equal(
      beganText({ ...begins, parent }, true),
      "The next prompt is asked, from Jo: shorten it",
    );
  assert.equal([...beganText({ ...begins, prompt: "😀".repeat(200) }, false)].length, 90);
  assert.equal(linkText("from", "x ".repeat(60)), `Goes on from “${"x ".repeat(19)}x…”`);
  assert.equal(linkText("next", "more"), "Went on with “more”");
});

test("what is told when a turn ends", () => {
  const done = turn({ state: "finished", added: 2, removed: 1 });
  assert.equal(endText(done, ["app.py"]), "Flint changed 3 lines in app.py.");
  assert.equal(endText(turn({ state: "finished" }), []), "Flint finished and changed nothing.");
  assert.equal(
    endText(turn({ state: "failed", reason: "The model left." }), []),
    "The model left.",
  );
  for (const state of ["failed", "interrupted"])
    assert.match(endText(turn({ state }), []), /is kept; use the prompt again, or revert/);
  assert.equal(
    endText(turn({ ...done, reason: "The last edit was not complete." }), ["app.py"]),
    "Flint changed 3 lines in app.py. The last edit was not complete.",
  );
  assert.equal(
    endText(turn({ state: "redirected" }), [], "Ann"),
    "Redirected by Jo after 9 ms. Nothing was changed.",
  );
  assert.equal(endText(turn({ state: "streaming" }), []), "");
});

test("the model's state, with the download's progress", () => {
  const model = { tier: "preview", name: "Q", message: "", bytes_per_s: 1, eta_s: 1 };
  const half = { ...model, state: "downloading", done_bytes: 25e7, total_bytes: 5e8 };
  assert.equal(modelText(half), "The model is downloading: 50%, 250 of 500 MB");
  assert.equal(modelText({ ...model, state: "ready" }), "Q");
  assert.equal(modelText({ ...model, state: "failed", message: "No room." }), "No room.");
});

test("saved, saving, offline, reconnecting", () => {
  const say = (state, pending, everLive = true) => savedState({ state, pending, everLive });
  assert.deepEqual(say("live", 0), { state: "saved", text: "Saved" });
  assert.deepEqual(say("live", 2), { state: "saving", text: "Saving…" });
  assert.deepEqual(say("waiting", 1), { state: "offline", text: "Offline, 1 edit waiting" });
  assert.deepEqual(say("connecting", 3), { state: "offline", text: "Offline, 3 edits waiting" });
  assert.deepEqual(say("waiting", 0), { state: "reconnecting", text: "Reconnecting…" });
  assert.deepEqual(say("connecting", 0, false), { state: "connecting", text: "Connecting…" });
  assert.deepEqual(say("offline", 0), { state: "offline", text: "Offline" });
  assert.equal(say("closed", 1).state, "closed");
  const reader = { state: "live", pending: 0, everLive: true, readOnly: true };
  assert.deepEqual(savedState(reader), { state: "saved", text: "Read only" });
  const away = { state: "connecting", pending: 0, everLive: false, kept: true };
  assert.deepEqual(savedState(away), { state: "offline", text: "Offline" });
});

test("the catalogue's words are used when there are some", (t) => {
  globalThis.gettext = (text) => `<${text}>`;
  t.after(() => delete globalThis.gettext);
  assert.equal(gettext("Saved"), "<Saved>");
  assert.equal(ngettext("one", "many", 1), "one");
  assert.equal(ngettext("one", "many", 0), "many");
  assert.equal(interpolate("%(a)s and %(b)s", { a: 1, b: "%(a)s" }), "1 and %(a)s");
  assert.throws(() => interpolate("%(missing)s", {}), RangeError);
});

test("a language for each ending, plain text for the rest", () => {
  for (const path of ["a.py", "a.JS", "x/a.ts", "a.html", "a.css", "a.json", "a.md", "a.yaml"]) {
    assert.ok(!Array.isArray(languageOf(path)), path);
  }
  for (const path of ["a", "a.constructor", ".py/a", "Makefile", "a.txt", ".sql"]) {
    assert.deepEqual(languageOf(path), [], path);
    assert.equal(moduleOf(path), null, path);
  }
  assert.equal(indentOf("a.py"), "    ");
  assert.equal(indentOf("a.js"), "  ");
  assert.equal(indentOf("a.go"), "\t");
});

test("a rare language is plain text until it is loaded, and is tried again when that failed", async () => {
  assert.deepEqual(languageOf("a.cpp"), []);
  assert.equal(await loadLanguage("a.cpp", () => Promise.reject(new Error("offline"))), false);
  assert.deepEqual(languageOf("a.cpp"), []);
  assert.deepEqual(
    await Promise.all([loadLanguage("a.cpp"), loadLanguage("b.hpp"), loadLanguage("c.py")]),
    [true, true, false],
  );
  assert.equal(languageOf("b.h"), languageOf("a.cpp"));
  assert.equal(await loadLanguage("a.cpp"), false);
});

test("each language that can be loaded is one that a name leads to, and colours text", async () => {
  const names = {
    cmake: "CMakeLists.txt",
    dockerfile: "Dockerfile.dev",
    nginx: "etc/nginx.conf",
    shell: ".bashrc",
    ruby: "Gemfile",
    properties: ".env.local",
    toml: "uv.lock",
  };
  for (const [path, module] of Object.entries(names).map(([name, of]) => [of, name]))
    assert.equal(moduleOf(path), module, path);
  const ends =
    "s clj cmake coffee c cr cs d dart diff elm erl f90 fs go gradle hs java jl kt tex less lisp lua mm ml pas pl php ps1 ini proto pug r rb rs sass scala scm scss sh sql styl swift tcl toml sv vhd vue wat xml"
      .split(" ")
      .map((ending) => `a.${ending}`);
  const modules = new Set([...ends, "nginx.conf", "Dockerfile"].map(moduleOf));
  assert.deepEqual([...modules].sort(), Object.keys(LANGUAGES).sort());
  for (const path of ends) {
    await loadLanguage(path);
    const state = EditorState.create({ doc: "x = 1\n", extensions: [languageOf(path)] });
    assert.ok(syntaxTree(state).length > 0, path);
  }
});

test("names in two letters, ids in twenty, times in words", () => {
  assert.equal(initials("Mary Kay Olsen"), "MO");
  assert.equal(initials("jo"), "JO");
  assert.equal(initials("ann@example.org"), "AO");
  assert.equal(initials(""), "?");
  assert.match(newId(), /^[a-z2-7]{20}$/);
  assert.notEqual(newId(), newId());
  const now = new Date("2026-01-02T12:00:00Z");
  assert.equal(relative(new Date("2026-01-02T11:55:00Z"), now), "5 minutes ago");
  assert.equal(relative(new Date("2026-01-01T11:00:00Z"), now), "yesterday");
  assert.equal(relative(now, now), "now");
  assert.equal(span(40), "40 sec");
  assert.equal(span(200), "3 min");
});

test("a way to close that is not known is one to come back from", () => {
  assert.deepEqual(closing(1006), { final: false, waitMs: 0, message: "" });
});
