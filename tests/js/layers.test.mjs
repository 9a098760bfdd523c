/** What live editing draws: the model's marks and everybody's carets, as state, without a screen. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { turnEdit } from "../../static/js/collab/turnedit.js";
import { access, setReadOnly } from "../../static/js/editor/access.js";
import { caretAt, carets, dropCaret, MODEL, setCaret } from "../../static/js/editor/carets.js";
import { edits, hunksIn, markCount, onlyTurns, setHunk } from "../../static/js/editor/edits.js";
import { EditorState, EditorView } from "../../static/vendor/codemirror.js";

const T = "tttttttttttttttttttt";
const NEXT = "uuuuuuuuuuuuuuuuuuuu";

function make(doc) {
  return EditorState.create({ doc, extensions: [edits(), carets()] });
}

/** Returns what stands in the text besides the text: [position, words, block?]. */
function drawn(state) {
  const found = [];
  for (const set of state.facet(EditorView.decorations)) {
    if (typeof set === "function") continue;
    const { doc } = state;
    set.between(0, doc.length, (from, _to, { spec }) => {
      if (spec.widget)
        found.push([from, spec.widget.text ?? spec.widget.label, spec.block ?? false]);
    });
  }
  return found;
}

function wrote(state, { at, remove = 0, insert = "", kind = "edit", hunk = 1, turn = T }) {
  const text = state.doc.sliceString(at, at + remove);
  const value = {
    turn,
    hunk,
    kind,
    added: insert ? [{ from: at, to: at + insert.length }] : [],
    removed: text ? [{ at, text }] : [],
  };
  return state.update({
    changes: { from: at, to: at + remove, insert },
    effects: turnEdit.of(value),
  }).state;
}

test("removed lines stand as one ghost above what came, in their order", () => {
  let state = make("one\ntwo\nthree\nfour\n");
  state = wrote(state, { at: 4, insert: "2\n" });
  state = wrote(state, { at: 6, remove: 4 });
  state = wrote(state, { at: 6, remove: 6 });
  assert.equal(state.doc.toString(), "one\n2\nfour\n");
  assert.deepEqual(drawn(state), [[4, "two\nthree", true]]);
  assert.equal(markCount(state), 2);
});

test("a removed word is a ghost within its line, removed ends of lines one below", () => {
  assert.deepEqual(drawn(wrote(make("one two"), { at: 4, remove: 3 })), [[4, "two", false]]);
  assert.deepEqual(drawn(wrote(make("one\ntwo"), { at: 3, remove: 4 })), [[3, "two", true]]);
});

test("marks follow what people type, and go with the text they mark", () => {
  let state = wrote(make("one\n"), { at: 4, insert: "new\n" });
  state = state.update({ changes: { from: 0, insert: "> " } }).state;
  assert.equal(markCount(state), 1);
  state = state.update({ changes: { from: 6, to: 10 } }).state;
  assert.equal(markCount(state), 0);
});

test("a settlement that takes a hunk back takes its marks, and leaves those of others", () => {
  let state = wrote(make("one\ntwo\n"), { at: 0, insert: "a\n", hunk: 1 });
  state = wrote(state, { at: 6, remove: 4, insert: "b\n", hunk: 2 });
  assert.equal(markCount(state), 3);
  state = wrote(state, { at: 6, remove: 2, insert: "two\n", hunk: 2, kind: "settle" });
  assert.deepEqual(drawn(state), []);
  assert.equal(markCount(state), 1);
});

test("a settlement that names no hunk took nothing back, so what was marked stays", () => {
  const state = wrote(make("one\ntwo\n"), { at: 0, remove: 4 });
  const closed = wrote(state, { at: 0, hunk: null, kind: "settle" });
  assert.deepEqual(drawn(closed), [[0, "one", true]]);
});

test("a hunk's frame draws it for who came late, and for nobody twice", () => {
  const said = { turn: T, hunk: 1, from: 4, to: 8, old: "two\n", stands: true };
  const late = make("one\nnew\n").update({ effects: setHunk.of(said) }).state;
  assert.deepEqual(drawn(late), [[4, "two", true]]);
  const early = wrote(make("one\ntwo\n"), { at: 4, remove: 4, insert: "new\n" });
  const both = early.update({ effects: setHunk.of(said) }).state;
  assert.equal(markCount(both), markCount(early));
  const gone = both.update({ effects: setHunk.of({ ...said, stands: false }) }).state;
  assert.equal(markCount(gone), 0);
});

test("one entry that writes several places is drawn once, whichever hunks its frames name", () => {
  const doc = "one\ntwo\nthree\n";
  const value = {
    turn: T,
    hunk: 2,
    kind: "edit",
    added: [
      { from: 0, to: 2 },
      { from: 6, to: 8 },
    ],
    removed: [
      { at: 0, text: "one\n" },
      { at: 6, text: "three\n" },
    ],
  };
  const changes = [
    { from: 0, to: 4, insert: "1\n" },
    { from: 8, to: 14, insert: "3\n" },
  ];
  let state = make(doc).update({ changes, effects: turnEdit.of(value) }).state;
  const before = drawn(state);
  const hunks = [
    { turn: T, hunk: 1, from: 0, to: 2, old: "one\n", stands: true },
    { turn: T, hunk: 2, from: 6, to: 8, old: "three\n", stands: true },
  ];
  state = state.update({ effects: hunks.map((hunk) => setHunk.of(hunk)) }).state;
  assert.deepEqual(drawn(state), before);
  assert.deepEqual(drawn(state), [
    [0, "one", true],
    [6, "three", true],
  ]);
  const reverted = { ...hunks[0], stands: false };
  state = state.update({ effects: setHunk.of(reverted) }).state;
  assert.deepEqual(drawn(state), [[6, "three", true]], "each can go on its own");
});

test("what went stands above all that came in its place, also when some of that came first", () => {
  let state = make("a\nold 1\nold 2\nz\n");
  state = wrote(state, { at: 2, insert: "new 1\n" });
  state = wrote(state, { at: 8, remove: 6 });
  state = wrote(state, { at: 8, insert: "new 2\n" });
  state = wrote(state, { at: 14, remove: 6 });
  assert.equal(state.doc.toString(), "a\nnew 1\nnew 2\nz\n");
  assert.deepEqual(drawn(state), [[2, "old 1\nold 2", true]]);
});

test("only the turns that are shown have marks, whatever the entries of others say", () => {
  let state = wrote(make("one\n"), { at: 0, insert: "a\n" });
  assert.equal(markCount(state.update({ effects: onlyTurns.of(new Set([T])) }).state), 1);
  state = state.update({ effects: onlyTurns.of(new Set([NEXT])) }).state;
  assert.equal(markCount(state), 0);
  assert.equal(markCount(wrote(state, { at: 0, insert: "b\n" })), 0);
  assert.equal(markCount(wrote(state, { at: 0, insert: "b\n", turn: NEXT })), 1);
  const both = state.update({ effects: onlyTurns.of(new Set([T, NEXT])) }).state;
  const said = { turn: T, hunk: 1, from: 0, to: 2, old: "", stands: true };
  const shown = both.update({ effects: setHunk.of(said) }).state;
  assert.deepEqual(hunksIn(wrote(shown, { at: 4, insert: "b\n", turn: NEXT })), [
    { turn: T, hunk: 1, from: 0, to: 2 },
    { turn: NEXT, hunk: 1, from: 4, to: 6 },
  ]);
});

test("two hunks that touch are each their own: one that is kept leaves the other's marks", () => {
  let state = make("one\ntwo\n");
  state = wrote(state, { at: 0, remove: 4, insert: "1\n", hunk: 1 });
  state = wrote(state, { at: 2, remove: 4, insert: "2\n", hunk: 2 });
  const hunks = [
    { turn: T, hunk: 1, from: 0, to: 2, old: "one\n", stands: true },
    { turn: T, hunk: 2, from: 2, to: 4, old: "two\n", stands: true },
  ];
  state = state.update({ effects: hunks.map((hunk) => setHunk.of(hunk)) }).state;
  assert.deepEqual(
    hunksIn(state).map(({ hunk, from, to }) => [hunk, from, to]),
    [
      [1, 0, 2],
      [2, 2, 4],
    ],
  );
  state = state.update({ effects: setHunk.of({ ...hunks[0], stands: false }) }).state;
  assert.deepEqual(drawn(state), [[2, "two", true]]);
});

test("an entry that takes back and names no hunk leaves the marks to the hunks' own frames", () => {
  let state = wrote(make("one\ntwo\n"), { at: 4, insert: "new\n", hunk: 2 });
  state = wrote(state, { at: 0, insert: "x\n", hunk: null, kind: "revert" });
  assert.equal(markCount(state), 1);
});

test("hundreds of hunks are drawn, kept and reverted one by one within a moment", () => {
  let state = make("old\n".repeat(600));
  const began = performance.now();
  for (let hunk = 1; hunk <= 600; hunk++) {
    const from = (hunk - 1) * 4;
    const said = { turn: T, hunk, from, to: from + 4, old: "gone\n", stands: true };
    state = state.update({ effects: setHunk.of(said) }).state;
  }
  assert.equal(hunksIn(state).length, 600);
  for (let hunk = 1; hunk <= 600; hunk += 2) {
    const said = { turn: T, hunk, from: 0, to: 0, old: "", stands: false };
    state = state.update({ effects: setHunk.of(said) }).state;
  }
  assert.equal(hunksIn(state).length, 300);
  assert.ok(performance.now() - began < 5_000, String(performance.now() - began));
});

test("carets stay where they were put while others type, and leave when told", () => {
  const caret = { key: "c", anchor: 2, head: 4, label: "Ann", look: "p1" };
  let state = make("one\ntwo\n").update({ effects: setCaret.of(caret) }).state;
  assert.deepEqual(drawn(state), [[4, "Ann", false]]);
  state = state.update({ changes: { from: 0, insert: "ab" } }).state;
  assert.equal(caretAt(state, "c"), 6);
  state = state.update({ changes: { from: 6, insert: "typed right there" } }).state;
  assert.equal(caretAt(state, "c"), 6);
  state = state.update({ effects: dropCaret.of("c") }).state;
  assert.equal(caretAt(state, "c"), null);
  assert.deepEqual(drawn(state), []);
});

test("the model's caret goes along with what it writes", () => {
  const caret = { key: MODEL, anchor: 0, head: 0, label: "Flint", look: "model" };
  let state = make("one\n").update({ effects: setCaret.of(caret) }).state;
  state = wrote(state, { at: 4, insert: "new" });
  assert.equal(caretAt(state, MODEL), 7);
  state = wrote(state, { at: 4, remove: 3, kind: "settle" });
  assert.equal(caretAt(state, MODEL), 4);
});

test("a caret past the end, as a file that shrank leaves it, is drawn at the end", () => {
  const caret = { key: "c", anchor: 90, head: 99, label: "Ann", look: "p1" };
  const state = make("one").update({ effects: setCaret.of(caret) }).state;
  assert.deepEqual(drawn(state), [[3, "Ann", false]]);
});

test("a text may be read and no longer written as soon as the role says so, and back", () => {
  let state = EditorState.create({ doc: "one", extensions: [access(false)] });
  assert.equal(state.readOnly, false);
  state = state.update({ effects: setReadOnly.of(true) }).state;
  assert.equal(state.readOnly, true);
  state = state.update({ effects: setReadOnly.of(false) }).state;
  assert.equal(state.readOnly, false);
});
