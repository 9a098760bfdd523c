/**
 * Random histories of several pages and the model in two files, over connections that delay and cut: at the
 * end every page has the server's text, and every edit is in the log exactly once.
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

/** Returns a random change of a text: mostly an insertion of a word of its own, else a deletion. */
function anyChange(roll, length, word) {
  const from = roll(length + 1);
  if (roll(4)) return { from, to: from, insert: roll(3) ? word : `\n${word}` };
  return { from, to: Math.min(length, from + roll(6)), insert: "" };
}

async function play(seed) {
  const roll = random(seed);
  const room = new Room({ [FILES[0]]: "one\ntwo\nthree\n\u{1f600}!", [FILES[1]]: "" });
  const pages = Array.from({ length: 3 }, () => new Page(room));
  for (const page of pages) for (const file of FILES) page.documents.open(file);
  await quiesce(pages);
  const words = [];
  const updates = new Map(pages.map((page) => [page, 0]));
  for (let step = 0; step < 150; step++) {
    const page = pages[roll(3)];
    const file = FILES[roll(2)];
    const { wire } = page;
    switch (roll(10)) {
      case 0:
      case 1:
      case 2: {
        const word = `<${words.length}>`;
        const change = anyChange(roll, page.documents.get(file).state.doc.length, word);
        if (change.from === change.to && !change.insert) break;
        if (change.insert) words.push(word);
        page.edit(file, change.from, change.to, change.insert);
        updates.set(page, updates.get(page) + 1);
        break;
      }
      case 3: {
        const { text } = room.files.get(file);
        const word = `<${words.length}>`;
        const change = anyChange(roll, text.length, word);
        if (change.insert) words.push(word);
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
    assert.equal(own.length, updates.get(page), "each update is one entry");
    assert.equal(new Set(own.map(({ n }) => n)).size, own.length, "no counter twice");
    assert.deepEqual(page.asides, []);
    page.close();
  }
  for (const word of words) {
    const times = log.filter(({ changes }) => JSON.stringify(changes).includes(word)).length;
    assert.equal(times, 1, `${word} entered ${times} times`);
  }
}

test(`${SEEDS} random histories end with equal texts`, async () => {
  for (let seed = 1; seed <= SEEDS; seed++) {
    try {
      await play(seed);
    } catch (error) {
      error.message = `seed ${seed}: ${error.message}`;
      throw error;
    }
  }
});
