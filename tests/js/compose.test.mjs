/** What is typed while nothing can be sent: few updates, the same text, and every step back still there. */

import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { Replica } from "../../static/js/collab/replica.js";
import { ChangeSet, history, undo } from "../../static/vendor/codemirror.js";
import { Page, quiesce } from "./support/page.mjs";
import { random } from "./support/random.mjs";
import { Room } from "./support/room.mjs";

const FILE = "ffffffffffffffffffff";
/** Generous: a slow machine under load is no fault. It takes a tenth of that. */
const MERGED_WITHIN_MS = 5_000;

beforeEach(() => mock.timers.enable({ apis: ["setTimeout", "setInterval", "Date"] }));
afterEach(() => mock.timers.reset());

async function away(text) {
  const room = new Room({ [FILE]: text });
  const page = new Page(room);
  page.documents.open(FILE);
  await quiesce([page]);
  page.wire.cut();
  return { room, page };
}

/** Comes back, after others have changed the text so many times; returns the ms it took. */
async function merge(room, page, times = 100) {
  for (let i = 0; i < times; i++) {
    const { text } = room.files.get(FILE);
    room.write(FILE, ChangeSet.of({ from: 0, insert: "." }, text.length));
  }
  const begun = performance.now();
  do await quiesce([page]);
  while (page.documents.get(FILE).waiting);
  assert.equal(page.text(FILE), room.files.get(FILE).text.toString());
  assert.deepEqual(page.asides, []);
  return performance.now() - begun;
}

test("5,000 keys in one place are a few updates, and merge at once", async () => {
  const { room, page } = await away("one\n");
  for (let i = 0; i < 5_000; i++) page.edit(FILE, 4 + i, 4 + i, String(i % 10));
  assert.equal(page.documents.pending, 5_000, "the person is told of edits, not of updates");
  const took = await merge(room, page);
  assert.ok(page.numbers.size <= 2, `${page.numbers.size} updates`);
  assert.ok(took < MERGED_WITHIN_MS, `${took} ms`);
  assert.equal(page.text(FILE), `${".".repeat(100)}one\n${"0123456789".repeat(500)}`);
  assert.equal(page.documents.pending, 0);
});

test("5,000 keys all over the text are a few hundred updates", async () => {
  const { room, page } = await away("x".repeat(20_000));
  const roll = random(7);
  for (let i = 0; i < 5_000; i++) {
    const at = roll(page.text(FILE).length);
    if (roll(5)) page.edit(FILE, at, at, "y");
    else page.edit(FILE, at, at + 1, "");
  }
  const took = await merge(room, page, 20);
  assert.ok(page.numbers.size < 300, `${page.numbers.size} updates`);
  assert.ok(took < MERGED_WITHIN_MS, `${took} ms`);
});

test("what was typed and taken back before anybody heard of it is never sent", async () => {
  const { room, page } = await away("one");
  page.edit(FILE, 3, 3, "!");
  page.edit(FILE, 3, 4, "");
  assert.equal(page.documents.pending, 0);
  await merge(room, page);
  assert.equal(page.numbers.size, 0);
});

test("an update that may have been sent is left as it is", async () => {
  const room = new Room({ [FILE]: "" });
  const page = new Page(room);
  page.documents.open(FILE);
  await quiesce([page]);
  page.edit(FILE, 0, 0, "a");
  await Promise.resolve();
  page.wire.cut();
  page.edit(FILE, 1, 1, "b");
  page.edit(FILE, 2, 2, "c");
  assert.equal(page.documents.get(FILE).pending, 2);
  assert.equal(page.documents.pending, 3);
  await quiesce([page]);
  const log = room.files.get(FILE).log.map(({ n, changes }) => [n, changes.toJSON()]);
  assert.deepEqual(log, [
    [1, [[0, "a"]]],
    [2, [1, [0, "bc"]]],
  ]);
});

test("each step can be taken back, also after it was composed and others have typed", () => {
  const extensions = [history({ newGroupDelay: 0 })];
  const replica = new Replica({ file: FILE, clientId: "me", text: "one", version: 1, extensions });
  for (const letter of " two") {
    const { state } = replica;
    const at = state.doc.length;
    replica.local(
      [state.update({ changes: { from: at, insert: letter }, userEvent: "input.type" })],
      true,
    );
    mock.timers.tick(1_000);
  }
  assert.equal(replica.pending, 1);
  const by = { conn: "c", user: "2", name: "Ben", color: 1 };
  replica.enqueue({ v: 2, c: [[0, ">"], 3], client: "other", n: 1, by, kind: "edit" });
  assert.equal(replica.drain(10).problem, null);
  const texts = [];
  const target = {
    get state() {
      return replica.state;
    },
    dispatch: (transaction) => replica.local([transaction], true),
  };
  while (undo(target)) texts.push(replica.state.doc.toString());
  assert.deepEqual(texts, [">one tw", ">one t", ">one ", ">one"]);
  assert.equal(replica.pending, 0);
});

test("what was composed comes back from the store as it was", () => {
  const replica = new Replica({ file: FILE, clientId: "me", text: "one", version: 1 });
  for (const letter of "abc") {
    const { state } = replica;
    replica.local([state.update({ changes: { from: 0, insert: letter } })], true);
  }
  const kept = replica.keep();
  const text = kept.text.toString();
  const again = Replica.restore({ ...kept, text, file: FILE, clientId: "me" });
  assert.equal(again.state.doc.toString(), replica.state.doc.toString());
  assert.deepEqual([again.pending, again.edits], [1, 3]);
});
