/** What survives the page: unsent edits come back after a reload, under the old id or set aside, never twice. */

import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { Asides } from "../../static/js/collab/asides.js";
import { claim } from "../../static/js/collab/identity.js";
import { Store } from "../../static/js/collab/store.js";
import { ChangeSet, Text } from "../../static/vendor/codemirror.js";
import { Locks, TabMemory } from "./support/browser.mjs";
import { Page, quiesce } from "./support/page.mjs";
import { Room } from "./support/room.mjs";

const FILE = "ffffffffffffffffffff";

// setImmediate stays real: fake-indexeddb works on it.
beforeEach(() => mock.timers.enable({ apis: ["setTimeout", "setInterval", "Date"] }));
afterEach(() => mock.timers.reset());

/** Lets the database finish what it was asked. */
async function written() {
  for (let i = 0; i < 40; i++) await new Promise((done) => setImmediate(done));
}

let browsers = 0;

/** A browser with one tab that can be reloaded, on a session of its own. */
class Browser {
  slug = `s${++browsers}`;
  locks = new Locks();
  memory = new TabMemory();
  page = null;

  constructor(room) {
    this.room = room;
  }

  async open(memory = this.memory) {
    const store = new Store(this.slug);
    const opening = store.open();
    await written();
    await opening;
    const locks = this.locks.page();
    const claiming = claim({ store, locks, memory });
    await written();
    const identity = await claiming;
    const page = new Page(this.room, { store, identity });
    page.locks = locks;
    page.store = store;
    page.identity = identity;
    page.kept = new Asides(store, locks);
    const left = page.kept.left();
    await written();
    page.asides.push(...(await left));
    page.documents.on("aside", (aside) => void page.kept.keep(aside));
    page.documents.restore(identity.files);
    for (const orphan of identity.orphans) page.documents.setAsideStored(orphan);
    await written();
    const settling = identity.settle();
    await written();
    await settling;
    page.documents.open(FILE);
    this.page = page;
    return page;
  }

  /** Ends the page in whatever state it is in, as a crash does. */
  crash() {
    this.page.close();
    this.page.store.close();
    this.page.locks.end();
  }
}

/** Lets everything arrive, and the database keep up with it. */
async function rest(page) {
  for (let i = 0; i < 5; i++) {
    for (let round = 0; round < 3; round++) {
      const { wire } = page;
      if (wire?.readyState === 0) wire.connect();
      while (wire?.readyState === 1 && wire.toServer.length) wire.step("toServer");
      while (wire?.readyState === 1 && wire.toPage.length) wire.step("toPage");
      mock.timers.tick(300);
      await written();
    }
  }
  await quiesce([page]);
}

async function start(text = "one two") {
  const room = new Room({ [FILE]: text });
  const browser = new Browser(room);
  const page = await browser.open();
  await rest(page);
  return { room, browser, page };
}

function type(page, insert) {
  for (const letter of insert)
    page.edit(FILE, page.text(FILE).length, page.text(FILE).length, letter);
}

test("what was typed offline is sent after a reload, under the same id", async () => {
  const { room, browser, page } = await start();
  page.wire.cut();
  type(page, " three");
  mock.timers.tick(300);
  await written();
  browser.crash();
  room.write(FILE, ChangeSet.of({ from: 0, insert: ">" }, 7));
  const again = await browser.open();
  assert.equal(again.documents.client, page.documents.client);
  assert.equal(again.text(FILE), "one two three");
  await rest(again);
  assert.equal(again.text(FILE), ">one two three");
  assert.equal(room.files.get(FILE).text.toString(), ">one two three");
  assert.deepEqual(again.asides, []);
});

test("a push that arrived, whose answer did not, is not sent twice", async () => {
  const { room, browser, page } = await start();
  type(page, "!?");
  mock.timers.tick(300);
  await written();
  while (page.wire.toServer.length) page.wire.step("toServer");
  assert.equal(room.files.get(FILE).text.toString(), "one two!");
  browser.crash();
  const again = await browser.open();
  await rest(again);
  assert.equal(again.text(FILE), "one two!?");
  assert.equal(room.files.get(FILE).text.toString(), "one two!?");
});

test("nothing leaves before it is durable", async () => {
  const { page } = await start();
  type(page, "!");
  assert.deepEqual(
    page.wire.toServer.filter((text) => JSON.parse(text).t === "push"),
    [],
  );
  await written();
  assert.equal(page.wire.toServer.filter((text) => JSON.parse(text).t === "push").length, 1);
  const files = page.store.files(page.documents.client);
  await written();
  assert.deepEqual((await files)[0].pending, [{ n: 1, c: [7, [0, "!"]], edits: 1 }]);
});

test("a page that had sent everything starts anew", async () => {
  const { browser, page } = await start();
  type(page, "!");
  await rest(page);
  mock.timers.tick(300);
  await written();
  browser.crash();
  const again = await browser.open();
  assert.notEqual(again.documents.client, page.documents.client);
  assert.deepEqual(again.identity.files, []);
});

test("a second tab never shares the id of one that lives, nor takes its edits", async () => {
  const { browser, page } = await start();
  page.wire.cut();
  type(page, " mine");
  mock.timers.tick(300);
  await written();
  const second = await browser.open(browser.memory);
  assert.notEqual(second.documents.client, page.documents.client);
  assert.deepEqual(second.identity.files, []);
  await rest(second);
  assert.equal(second.text(FILE), "one two");
});

test("edits that the log knows under our id and the store does not: a new id, the rest set aside", async () => {
  const { room, browser, page } = await start();
  type(page, "!");
  await rest(page);
  page.wire.cut();
  type(page, " kept");
  mock.timers.tick(300);
  await written();
  browser.crash();
  // As if the last write before a power cut was lost: the log has a push that the store never heard of.
  const { client } = page.documents;
  const by = { conn: "", user: 1, name: "Ann", color: 1 };
  const file = room.files.get(FILE);
  const changes = ChangeSet.of({ from: 0, insert: "lost " }, file.text.length);
  file.text = changes.apply(file.text);
  file.log.push({ v: file.log.length + 1, changes, client, n: 2, by });
  const again = await browser.open();
  assert.equal(again.documents.client, client);
  await rest(again);
  assert.notEqual(again.documents.client, client);
  assert.equal(again.text(FILE), "lost one two!");
  assert.deepEqual(
    again.asides.map(({ text }) => text),
    [" kept"],
  );
  browser.crash();
  const third = await browser.open();
  await rest(third);
  assert.deepEqual(
    third.asides.map(({ text }) => text),
    [" kept"],
    "once, and not again with each reload",
  );
});

test("what another tab left for good is set aside, and can be applied again", async () => {
  const { browser, page: first } = await start();
  const second = await browser.open(new TabMemory());
  await rest(second);
  for (const [page, text] of [
    [first, " one"],
    [second, " two"],
  ]) {
    page.wire.cut();
    type(page, text);
    mock.timers.tick(300);
    await written();
  }
  for (const page of [first, second]) {
    page.close();
    page.store.close();
    page.locks.end();
  }
  const again = await browser.open(new TabMemory());
  await rest(again);
  assert.equal(again.asides.length, 1);
  const restored = again.text(FILE);
  assert.ok(["one two one", "one two two"].includes(restored));
  assert.ok(again.documents.applyAgain(again.asides[0]));
  await rest(again);
  assert.match(again.text(FILE), /^one two (one two|two one)$/);
});

test("what was set aside is there after a reload, in one tab, until it was dealt with", async () => {
  const { room, browser, page } = await start();
  room.refusal = { code: "limit", message: "Too much." };
  type(page, "!");
  await rest(page);
  room.refusal = null;
  assert.equal(page.asides.length, 1);
  const second = await browser.open(new TabMemory());
  assert.deepEqual(second.asides, []);
  page.close();
  page.store.close();
  page.locks.end();
  const again = await browser.open();
  await rest(again);
  const [aside] = again.asides;
  assert.equal(aside.text, "!");
  assert.equal(aside.message, "Too much.");
  assert.ok(again.documents.applyAgain(aside));
  const dropping = again.kept.drop(aside);
  await rest(again);
  await dropping;
  assert.equal(room.files.get(FILE).text.toString(), "one two!");
  browser.crash();
  assert.deepEqual((await browser.open()).asides, []);
});

test("what a page left for good survives that the next one dies while it sets it aside", async () => {
  const { browser, page } = await start();
  page.wire.cut();
  type(page, " mine");
  mock.timers.tick(300);
  await written();
  browser.crash();
  const store = new Store(browser.slug);
  const opening = store.open();
  await written();
  await opening;
  const claiming = claim({ store, locks: browser.locks.page(), memory: new TabMemory() });
  await written();
  await claiming;
  // Claimed, and dead before anything was set aside.
  store.close();
  browser.locks.endAll();
  const again = await browser.open(new TabMemory());
  assert.equal(again.text(FILE), "one two mine");
});

test("one person's edits and asides are not another's in the same browser", async () => {
  const { browser, page } = await start();
  page.wire.cut();
  type(page, " secret");
  mock.timers.tick(300);
  await written();
  browser.crash();
  const { slug } = browser;
  browser.slug = `other/${slug}`;
  const other = await browser.open();
  assert.deepEqual(other.identity.files, []);
  assert.deepEqual(other.asides, []);
  browser.crash();
  browser.slug = slug;
  assert.equal((await browser.open()).text(FILE), "one two secret");
});

test("a save that begins before another ended leaves nothing behind", async () => {
  const store = new Store(`s${++browsers}`);
  const opening = store.open();
  await written();
  await opening;
  const file = { file: FILE, path: "a", version: 1, text: Text.of(["x"]), trail: [], pending: [] };
  const saves = [store.save("c", 1, [file]), store.save("c", 2, [])];
  await written();
  await Promise.all(saves);
  const files = store.files("c");
  await written();
  assert.deepEqual(await files, []);
});

test("a store that fails keeps nothing, says so once, and typing goes on", async () => {
  const room = new Room({ [FILE]: "" });
  const store = new Store("none");
  let said = 0;
  store.on("failed", () => said++);
  await store.open(null);
  const page = new Page(room, { store });
  page.documents.open(FILE);
  await quiesce([page]);
  type(page, "abc");
  await quiesce([page]);
  assert.equal(room.files.get(FILE).text.toString(), "abc");
  assert.equal(said, 1);
  assert.equal(store.works, false);
});

test("a browser that refuses to show its storage, or to keep more, gets a page all the same", async () => {
  const shown = Object.getOwnPropertyDescriptor(globalThis, "indexedDB");
  Object.defineProperty(globalThis, "indexedDB", {
    configurable: true,
    get: () => {
      throw new DOMException("Not here.", "SecurityError");
    },
  });
  const store = new Store("refused");
  try {
    await store.open();
  } finally {
    Object.defineProperty(globalThis, "indexedDB", shown);
  }
  assert.equal(store.works, false);
  const memory = new TabMemory();
  memory.setItem = () => {
    throw new DOMException("Full.", "QuotaExceededError");
  };
  const identity = await claim({ store, locks: new Locks().page(), memory });
  assert.match(identity.client, /^[a-z2-7]{20}$/);
});
