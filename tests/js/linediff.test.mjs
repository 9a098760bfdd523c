/** What differs between two texts, line by line. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { lineDiff, sideBySide } from "../../static/js/lib/linediff.js";
import { random } from "./support/random.mjs";

const shown = (before, after) =>
  lineDiff(before, after).map(
    ({ kind, text }) => `${{ same: " ", gone: "-", came: "+" }[kind]}${text}`,
  );

test("what stays is told once, and what went before what came", () => {
  assert.deepEqual(shown("a\nb\nc\n", "a\nB\nc\n"), [" a", "-b", "+B", " c"]);
  assert.deepEqual(shown("a\nb\nc\n", "a\nc\nd\n"), [" a", "-b", " c", "+d"]);
  assert.deepEqual(shown("", "a\n"), ["+a"]);
  assert.deepEqual(shown("a\n", ""), ["-a"]);
  assert.deepEqual(shown("", ""), []);
  assert.deepEqual(shown("x\ny\n", "y\nx\n").filter((line) => line[0] === " ").length, 1);
});

test("a blank line is a line, a last line break none", () => {
  assert.deepEqual(shown("a\n\n", "a\n"), [" a", "-"]);
  assert.deepEqual(shown("a", "a\n"), [" a"]);
});

test("both texts can be read back from what is told", () => {
  const below = random(7);
  for (let round = 0; round < 300; round++) {
    const text = () => Array.from({ length: below(9) }, () => `${"abc"[below(3)]}\n`).join("");
    const [before, after] = [text(), text()];
    const lines = lineDiff(before, after);
    const read = (kind) =>
      lines
        .filter((line) => line.kind === "same" || line.kind === kind)
        .map(({ text: it }) => `${it}\n`)
        .join("");
    assert.equal(read("gone"), before);
    assert.equal(read("came"), after);
    const rows = sideBySide(before, after);
    const side = (name) =>
      rows.flatMap((row) => (row[name] ? [`${row[name].text}\n`] : [])).join("");
    assert.equal(side("left"), before);
    assert.equal(side("right"), after);
  }
});

test("a change stands beside what it replaced", () => {
  const rows = sideBySide("a\nb\nc\n", "a\nB\nB2\nc\n");
  assert.deepEqual(
    rows.map(({ left, right }) => [left?.text ?? null, right?.text ?? null]),
    [
      ["a", "a"],
      ["b", "B"],
      [null, "B2"],
      ["c", "c"],
    ],
  );
});

test("two long texts that share nothing are told at once", () => {
  const many = (word) => Array.from({ length: 3_000 }, (_, i) => `${word} ${i}\n`).join("");
  const began = performance.now();
  assert.equal(lineDiff(many("a"), many("b")).length, 6_000);
  assert.ok(performance.now() - began < 1_000);
});
