/** Files over the socket: refusals, losses and long catching up; nothing typed vanishes. */

import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { ChangeSet, Text } from "../../static/vendor/codemirror.js";
import { Page, quiesce, settle } from "./support/page.mjs";
import { Room } from "./support/room.mjs";

const FILE = "ffffffffffffffffffff";
const OTHER = "gggggggggggggggggggg";

beforeEach(() => mock.timers.enable({ apis: ["setTimeout", "setInterval", "Date"] }));
afterEach(() => mock.timers.reset());

async function start(texts = { [FILE]: "one two" }) {
  const room = new Room(texts);
  const page = new Page(room);
  for (const file of Object.keys(texts)) page.documents.open(file);
  await quiesce([page]);
  return { room, page };
}

const pushes = (page) =>
  page.wire.toServer.map((text) => JSON.parse(text)).filter(({ t }) => t === "push");

test("a refused push is set aside whole, with what was typed after it, and the file comes back", async () => {
  const { room, page } = await start();
  room.refusal = { code: "role", message: "You may not type here any more." };
  page.edit(FILE, 7, 7, " three");
  await settle();
  page.edit(FILE, 0, 0, "zero ");
  await quiesce([page]);
  assert.equal(page.text(FILE), "one two");
  assert.equal(page.asides.length, 1);
  const [aside] = page.asides;
  assert.equal(aside.message, room.refusal.message);
  assert.equal(aside.path, `${FILE}.py`);
  assert.equal(aside.text, "zero \n three");
  room.refusal = null;
  assert.ok(page.documents.applyAgain(aside));
  await quiesce([page]);
  assert.equal(room.files.get(FILE).text.toString(), "zero one two three");
});

test("what is typed while a file comes anew is carried over, and entries of before do not count", async () => {
  const { room, page } = await start();
  room.refusal = { code: "unfit", message: "It does not fit." };
  page.edit(FILE, 7, 7, " three");
  await settle();
  while (page.wire.toServer.length) page.wire.step("toServer");
  room.refusal = null;
  page.wire.step("toPage");
  mock.timers.tick(300);
  assert.equal(page.text(FILE), "one two");
  page.edit(FILE, 3, 3, " and a half");
  room.write(FILE, ChangeSet.of({ from: 0, insert: ">" }, 7));
  page.wire.step("toPage");
  mock.timers.tick(300);
  assert.equal(page.text(FILE), "one and a half two");
  await quiesce([page]);
  assert.equal(page.text(FILE), ">one and a half two");
  assert.equal(room.files.get(FILE).text.toString(), ">one and a half two");
  assert.deepEqual(
    page.asides.map(({ text }) => text),
    [" three"],
  );
});

test("a file that was lost as the connection went can be typed into until it is back", async () => {
  const { room, page } = await start();
  room.refusal = { code: "limit", message: "Too much." };
  page.edit(FILE, 0, 0, "x");
  await settle();
  while (page.wire.toServer.length) page.wire.step("toServer");
  page.wire.step("toPage");
  room.refusal = null;
  page.wire.cut();
  page.edit(FILE, 0, 0, "> ");
  await quiesce([page]);
  assert.equal(room.files.get(FILE).text.toString(), "> one two");
});

test("a file deleted under unsent edits: set aside, closed, and not applied again", async () => {
  const { room, page } = await start();
  const closed = [];
  page.documents.on("closed", ({ file }) => closed.push(file));
  page.edit(FILE, 7, 7, "!");
  await settle();
  room.files.delete(FILE);
  page.wire.deliver({ t: "tree", op: "delete", file: FILE, path: "a.py" });
  await quiesce([page]);
  assert.deepEqual(closed, [FILE]);
  assert.deepEqual(
    page.asides.map(({ text }) => text),
    ["!"],
  );
  assert.equal(page.documents.applyAgain(page.asides[0]), false);
});

test("a file deleted while the page was away is noticed at the welcome", async () => {
  const { room, page } = await start();
  page.wire.cut();
  page.edit(FILE, 0, 0, "x");
  room.files.delete(FILE);
  await quiesce([page]);
  assert.equal(page.asides.length, 1);
  assert.equal(page.documents.get(FILE), undefined);
});

test("one push in flight, over all files", async () => {
  const { page } = await start({ [FILE]: "", [OTHER]: "" });
  for (const file of [FILE, OTHER, FILE]) page.edit(file, 0, 0, "x");
  await settle();
  assert.equal(pushes(page).length, 1);
  page.wire.step("toServer");
  await settle();
  assert.equal(pushes(page).length, 0);
  await quiesce([page]);
  assert.equal(page.documents.pending, 0);
});

test("told to be behind, the page catches up and sends the same counters again", async () => {
  const { room, page } = await start();
  page.edit(FILE, 7, 7, "!");
  await settle();
  const [push] = pushes(page);
  page.wire.toServer = [];
  room.write(FILE, ChangeSet.of({ from: 0, insert: ">" }, 7));
  page.wire.deliver({ t: "error", code: "behind", id: push.id, message: "Behind." });
  await quiesce([page]);
  assert.equal(room.files.get(FILE).text.toString(), ">one two!");
  assert.deepEqual(
    room.files.get(FILE).log.map(({ n }) => n),
    [undefined, 1],
  );
});

test("after a resync on the same socket, unsent edits go on", async () => {
  const { room, page } = await start();
  page.edit(FILE, 7, 7, "!");
  await settle();
  page.wire.toServer = [];
  page.wire.open.clear();
  page.wire.deliver({ t: "resync", reason: "The server could not save." });
  await quiesce([page]);
  assert.equal(room.files.get(FILE).text.toString(), "one two!");
});

test("too far behind for entries: the text comes anew, and what was unsent is set aside", async () => {
  const { room, page } = await start();
  page.wire.cut();
  page.edit(FILE, 7, 7, " mine");
  const file = room.files.get(FILE);
  room.write(FILE, ChangeSet.of({ from: 0, insert: ">" }, 7));
  file.log = [];
  file.first = 1;
  await quiesce([page]);
  assert.equal(page.text(FILE), ">one two");
  assert.deepEqual(
    page.asides.map(({ text }) => text),
    [" mine"],
  );
});

test("a long list of entries is taken in 50 a frame", async () => {
  const { room, page } = await start({ [FILE]: "" });
  page.wire.cut();
  for (let i = 0; i < 170; i++) room.write(FILE, ChangeSet.of({ from: i, insert: "x" }, i));
  mock.timers.tick(5_000);
  page.wire.connect();
  page.wire.step("toServer");
  page.wire.step("toPage");
  page.wire.step("toServer");
  page.wire.step("toPage");
  const lengths = [];
  for (let frame = 0; frame < 5; frame++) {
    mock.timers.tick(250);
    lengths.push(page.text(FILE).length);
  }
  assert.deepEqual(lengths, [50, 100, 150, 170, 170]);
});

test("what is shown gets every transaction, in order, in one update a frame", async () => {
  const { room, page } = await start({ [FILE]: "" });
  const updates = [];
  let { state } = page.documents.get(FILE);
  page.documents.show(FILE, {
    update(transactions) {
      for (const transaction of transactions) {
        assert.equal(transaction.startState, state);
        state = transaction.state;
      }
      updates.push(transactions.length);
    },
  });
  for (let i = 0; i < 4; i++) room.write(FILE, ChangeSet.of({ from: i, insert: "x" }, i));
  for (let i = 0; i < 4; i++) page.wire.step("toPage");
  mock.timers.tick(250);
  assert.deepEqual(updates, [1]);
  page.edit(FILE, 0, 0, "mine");
  await settle();
  ({ state } = page.documents.get(FILE));
  for (let i = 4; i < 8; i++) room.write(FILE, ChangeSet.of({ from: i, insert: "x" }, i));
  for (let i = 0; i < 4; i++) page.wire.step("toPage");
  mock.timers.tick(250);
  assert.deepEqual(updates, [1, 4]);
  assert.equal(state, page.documents.get(FILE).state);
});

test("a closed tab is left only when everything typed into it is confirmed", async () => {
  const { room, page } = await start();
  page.edit(FILE, 7, 7, "!");
  page.documents.close(FILE);
  assert.ok(page.documents.get(FILE));
  await quiesce([page]);
  mock.timers.tick(250);
  assert.equal(page.documents.get(FILE), undefined);
  assert.equal(room.files.get(FILE).text.toString(), "one two!");
});

test("a file that this page made can be typed into before the server has sent it", async () => {
  const { room, page } = await start();
  room.files.set(OTHER, { ...room.files.get(FILE), path: "new.py", text: Text.empty, log: [] });
  page.documents.adopt(OTHER, "", 0);
  page.edit(OTHER, 0, 0, "print(1)");
  room.write(OTHER, ChangeSet.of({ from: 0, insert: "# model\n" }, 0));
  await quiesce([page]);
  assert.equal(room.files.get(OTHER).text.toString(), page.text(OTHER));
  assert.match(page.text(OTHER), /^(# model\nprint\(1\)|print\(1\)# model\n)$/);
});

test("a large paste arrives whole, in frames the server reads", async () => {
  const { room, page } = await start();
  const big = "\u00e9\u{1f600}\n".repeat(40_000);
  let largest = 0;
  const send = page.wire.send.bind(page.wire);
  page.wire.send = (text) => {
    largest = Math.max(largest, text.length);
    send(text);
  };
  page.edit(FILE, 3, 3, big);
  await quiesce([page]);
  assert.equal(room.files.get(FILE).text.toString(), `one${big} two`);
  assert.ok(largest > 100_000 && largest <= 205_000, `the largest frame had ${largest} bytes`);
});

test("another person's client id is given up, and what was kept under it not shown", async () => {
  const { page } = await start();
  page.wire.cut();
  page.edit(FILE, 0, 0, "secret");
  const { client } = page.documents;
  mock.timers.tick(200);
  page.wire.connect();
  page.wire.toServer = [];
  page.wire.deliver({ t: "error", code: "refused", message: "Not yours." });
  page.wire.step("toPage");
  await quiesce([page]);
  assert.notEqual(page.documents.client, client);
  assert.deepEqual(page.asides, []);
  assert.equal(page.documents.get(FILE), undefined);
});

test("a gap while a push is in flight stalls nothing", async () => {
  const { room, page } = await start();
  page.edit(FILE, 7, 7, "!");
  await settle();
  page.wire.step("toServer");
  room.write(FILE, ChangeSet.of({ from: 0, insert: ">" }, 8));
  // The first entry is lost; the answer to the push waits behind the gap that this makes.
  const lost = page.wire.toPage.findIndex((text) => JSON.parse(text).t === "entry");
  page.wire.toPage.splice(lost, 1);
  const answer = page.wire.toPage.findIndex((text) => JSON.parse(text).t === "pushed");
  page.wire.toPage.push(...page.wire.toPage.splice(answer, 1));
  await quiesce([page]);
  assert.equal(page.text(FILE), ">one two!");
  page.edit(FILE, 0, 0, "#");
  await quiesce([page]);
  assert.equal(room.files.get(FILE).text.toString(), "#>one two!");
});
