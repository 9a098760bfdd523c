/** Large changes in parts: the same text, each part small enough, and one step of undo. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { continued, cutLarge } from "../../static/js/collab/paste.js";
import { changeBytes, splitChanges } from "../../static/js/collab/split.js";
import { asciiJson, encodedBytes } from "../../static/js/lib/json.js";
import {
  ChangeSet,
  EditorState,
  history,
  redo,
  Text,
  undo,
  undoDepth,
} from "../../static/vendor/codemirror.js";
import { random } from "./support/random.mjs";

const PIECES = ["a", "word ", "\n", "é", "\u{1f600}", '"', "\\", "\t", "\u0001", "\ud83d", "   "];

function anyText(roll, length) {
  return Array.from({ length }, () => PIECES[roll(PIECES.length)]).join("");
}

test("encodedBytes counts what asciiJson writes", () => {
  for (let unit = 0; unit < 0x10000; unit += unit < 0x100 ? 1 : 97) {
    const text = String.fromCharCode(unit);
    assert.equal(encodedBytes(text), asciiJson(text).length - 2, `U+${unit.toString(16)}`);
  }
});

test("the parts of a change do what the change does, and none is too large", () => {
  for (let seed = 1; seed <= 300; seed++) {
    const roll = random(seed);
    const doc = Text.of(anyText(roll, roll(200)).split("\n"));
    const places = [];
    for (let at = 0; places.length < 6 && at <= doc.length; at += 1 + roll(60)) {
      const to = Math.min(doc.length, at + roll(30));
      places.push({ from: at, to, insert: Text.of(anyText(roll, roll(400)).split("\n")) });
      at = to + 1;
    }
    const whole = ChangeSet.of(places, doc.length);
    const limit = 256 + roll(400);
    const parts = splitChanges(whole, limit);
    let text = doc;
    for (const part of parts) {
      assert.ok(changeBytes(part) <= limit, `seed ${seed}: ${changeBytes(part)} over ${limit}`);
      text = part.apply(text);
    }
    assert.equal(text.toString(), whole.apply(doc).toString(), `seed ${seed}`);
  }
});

test("a small change is left as it is, and a limit that fits nothing is refused", () => {
  const change = ChangeSet.of({ from: 0, insert: "x" }, 0);
  assert.deepEqual(splitChanges(change, 1000), [change]);
  assert.throws(() => splitChanges(change, 10), RangeError);
});

test("a surrogate pair is not torn", () => {
  const parts = splitChanges(ChangeSet.of({ from: 0, insert: "\u{1f600}".repeat(500) }, 0), 300);
  for (const part of parts) assert.doesNotMatch(asciiJson(part.toJSON()), /\\ud83d"/);
});

/** A state whose every large transaction is cut, as the editor's is. */
function editor(doc) {
  let state = EditorState.create({
    doc,
    extensions: history({ joinToEvent: (tr, near) => near || tr.annotation(continued) === true }),
  });
  return {
    get state() {
      return state;
    },
    dispatch(transaction) {
      for (const part of cutLarge(state, [transaction], 500)) state = part.state;
    },
  };
}

test("a large paste is one step of undo", () => {
  const it = editor("before after");
  const big = "0123456789\n".repeat(300);
  it.dispatch(it.state.update({ changes: { from: 6, insert: big }, userEvent: "input.paste" }));
  assert.equal(it.state.doc.length, 12 + big.length);
  assert.equal(undoDepth(it.state), 1);
  undo(it);
  assert.equal(it.state.doc.toString(), "before after");
  while (redo(it));
  assert.equal(it.state.doc.length, 12 + big.length);
  while (undo(it));
  assert.equal(it.state.doc.toString(), "before after");
});

test("the undo of a large deletion brings everything back", () => {
  const big = "0123456789\n".repeat(300);
  const it = editor(big);
  it.dispatch(it.state.update({ changes: { from: 0, to: big.length }, userEvent: "delete" }));
  while (undo(it));
  assert.equal(it.state.doc.toString(), big);
});

test("the selection after a paste stands where it would without cuts", () => {
  const it = editor("ab");
  const insert = "x".repeat(3000);
  it.dispatch(it.state.update({ changes: { from: 1, insert }, selection: { anchor: 3001 } }));
  assert.equal(it.state.selection.main.anchor, 3001);
});
