/**
 * Random histories of several pages and the model in two files, over connections that delay and cut: at the
 * end every page has the server's text, and every edit is in the log exactly once; what was typed away from the server in
 * fewer entries.
 */

import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { ChangeSet } from "../../static/vendor/codemirror.js";
import { Page, quiesce, settle } from "./support/page.mjs";
import { random } from "./support/random.mjs";
import { Room } from "./support/room.mjs";

const SEEDS = Number(process.env.FLINT_HISTORIES ?? 200);
const FILES = ["ffffffffffffffffffff", "gggggggggggggggggggg"];

beforeEach(() => mock.timers.enable({ apis: ["setTimeout", "setInterval", "Date"] }));
afterEach(() => mock.timers.reset());

/** A character of its own for each edit: it may be deleted, but nothing typed later can cut it. */
const mark = (index) => String.fromCharCode(0xe000 + index);

/** Returns a random change of a text: mostly an insertion of a mark of its own, else a deletion. */
function anyChange(roll, length, word) {
  const from = roll(length + 1);
  if (roll(4)) return { from, to: from, insert: roll(3) ? word : `\n${word}` };
  return { from, to: Math.min(length, from + roll(6)), insert: "" };
}

/** Types a burst like a person: at one place, with a few keys taken back. Returns how many edits that were. */
function burst(page, file, roll, marks) {
  let at = roll(page.documents.get(file).state.doc.length + 1);
  let edits = 0;
  for (const letter of marks) {
    page.edit(file, at, at, letter);
    at++;
    edits++;
    if (roll(3)) continue;
    page.edit(file, at, at, "~");
    page.edit(file, at, at + 1, "");
    edits += 2;
  }
  return edits;
}

/** @returns how many edits and how many entries all pages made */
async function play(seed) {
  const roll = random(seed);
  const room = new Room({ [FILES[0]]: "one\ntwo\nthree\n\u{1f600}!", [FILES[1]]: "" });
  const pages = Array.from({ length: 3 }, () => new Page(room));
  for (const page of pages) for (const file of FILES) page.documents.open(file);
  await quiesce(pages);
  const typed = [];
  let made = 0;
  const next = () => mark(made++);
  /** Deleted by who typed it, perhaps before it was ever sent. */
  const takenBack = new Set();
  let edits = 0;
  for (let step = 0; step < 150; step++) {
    const page = pages[roll(3)];
    const file = FILES[roll(2)];
    const { wire } = page;
    switch (roll(11)) {
      case 0:
      case 1:
      case 2: {
        const { doc } = page.documents.get(file).state;
        const change = anyChange(roll, doc.length, next());
        if (change.from === change.to && !change.insert) break;
        if (!change.insert && page.socket.state !== "live") {
          for (const unit of doc.sliceString(change.from, change.to)) takenBack.add(unit);
        }
        page.edit(file, change.from, change.to, change.insert);
        typed.push(...change.insert.trim());
        edits++;
        break;
      }
      case 3: {
        const { text } = room.files.get(file);
        const change = anyChange(roll, text.length, next());
        typed.push(...change.insert.trim());
        room.write(file, ChangeSet.of(change, text.length));
        break;
      }
      case 4:
      case 5:
        if (wire.readyState === 0) wire.connect();
        for (let i = roll(4); i >= 0; i--) wire.step("toServer");
        break;
      case 6:
      case 7:
        for (let i = roll(6); i >= 0; i--) wire.step("toPage");
        break;
      case 8:
        mock.timers.tick(roll(400));
        break;
      case 9:
        if (!roll(4) && wire.readyState < 2) wire.cut();
        break;
      case 10: {
        if (page.socket.state === "live") break;
        const units = [next(), next(), next()];
        typed.push(...units);
        edits += burst(page, file, roll, units);
      }
    }
    await settle();
  }
  await quiesce(pages);
  for (const file of FILES) {
    const server = room.files.get(file);
    for (const page of pages) assert.equal(page.text(file), server.text.toString());
  }
  const log = FILES.flatMap((file) => room.files.get(file).log);
  for (const page of pages) {
    const own = log.filter(({ client }) => client === page.documents.client);
    assert.equal(own.length, page.numbers.size, "each update is one entry");
    assert.equal(new Set(own.map(({ n }) => n)).size, own.length, "no counter twice");
    assert.deepEqual(page.asides, []);
    page.close();
  }
  const entries = pages.reduce((sum, page) => sum + page.numbers.size, 0);
  const times = new Map(typed.map((unit) => [unit, 0]));
  const entered = JSON.stringify(log.map(({ changes }) => changes));
  for (const unit of entered.match(/[\ue000-\uefff]/g) ?? []) times.set(unit, times.get(unit) + 1);
  for (const unit of typed) {
    const code = unit.charCodeAt(0).toString(16);
    if (!takenBack.has(unit))
      assert.equal(times.get(unit), 1, `${code} entered ${times.get(unit)} times`);
    else assert.ok(times.get(unit) <= 1, `${code} entered ${times.get(unit)} times`);
  }
  return { edits, entries };
}

test(`${SEEDS} random histories end with equal texts`, async () => {
  const sum = { edits: 0, entries: 0 };
  for (let seed = 1; seed <= SEEDS; seed++) {
    try {
      const { edits, entries } = await play(seed);
      sum.edits += edits;
      sum.entries += entries;
    } catch (error) {
      error.message = `seed ${seed}: ${error.message}`;
      throw error;
    }
  }
  assert.ok(sum.entries < sum.edits, "what was typed away from the server was composed");
});
