/** A session as it was last seen: kept, shown without a connection, and taken out of the browser again. */

import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import {
  discard,
  forgetBut,
  forgetOthers,
  forgetPerson,
  holdings,
} from "../../static/js/collab/holdings.js";
import { claim } from "../../static/js/collab/identity.js";
import { Project } from "../../static/js/collab/project.js";
import { Shelf } from "../../static/js/collab/shelf.js";
import { Store } from "../../static/js/collab/store.js";
import { ChangeSet } from "../../static/vendor/codemirror.js";
import { Locks, TabMemory } from "./support/browser.mjs";
import { Page, quiesce } from "./support/page.mjs";
import { Room } from "./support/room.mjs";

const [FIRST, SECOND] = ["ffffffffffffffffffff", "gggggggggggggggggggg"];

beforeEach(() => mock.timers.enable({ apis: ["setTimeout", "setInterval", "Date"] }));
afterEach(() => mock.timers.reset());

/** Lets the database finish what it was asked, and returns what it answered. */
async function written(asked) {
  for (let i = 0; i < 60; i++) await new Promise((done) => setImmediate(done));
  return asked;
}

let people = 0;

/** A page of a session, as session.js puts it together. */
async function visit(room, { user, slug = "s", locks = new Locks(), title = "Notes" }) {
  const store = new Store(`${user}/${slug}`);
  await written(store.open());
  const held = locks.page();
  const identity = await written(claim({ store, locks: held, memory: new TabMemory() }));
  const page = new Page(room, { store, identity });
  page.project = new Project(page.dispatcher);
  page.shelf = new Shelf({
    store,
    documents: page.documents,
    project: page.project,
    title: () => title,
  });
  await written(page.shelf.open());
  page.store = store;
  page.locks = held;
  page.documents.restore(identity.files);
  return page;
}

/** Visits with a connection, types, and leaves. */
async function visited(options, texts = { [FIRST]: "one", [SECOND]: "two" }) {
  const room = new Room(texts);
  const page = await visit(room, options);
  page.documents.open(FIRST);
  await quiesce([page]);
  await written(page.shelf.now());
  return { room, page };
}

/** Lets everything arrive, and the database keep up with it. */
async function rest(page) {
  for (let i = 0; i < 20; i++) {
    const { wire } = page;
    if (wire?.readyState === 0) wire.connect();
    while (wire?.readyState === 1 && wire.toServer.length) wire.step("toServer");
    while (wire?.readyState === 1 && wire.toPage.length) wire.step("toPage");
    mock.timers.tick(300);
    await written();
  }
  await quiesce([page]);
}

function leave(page) {
  page.close();
  page.store.close();
  page.locks.end();
}

test("what was seen is shown without a connection, what was not is not, and both merge", async () => {
  const user = String(++people);
  const { room, page } = await visited({ user });
  leave(page);
  const again = await visit(room, { user });
  again.wire.cut();
  const state = await written(again.store.session());
  again.project.begin(state, true);
  assert.equal(again.project.kept, true);
  assert.deepEqual([...again.project.files.keys()], [FIRST, SECOND]);
  assert.equal(again.project.mayEdit, true);
  again.documents.open(FIRST);
  again.documents.open(SECOND);
  await written();
  assert.equal(again.text(FIRST), "one");
  assert.equal(again.text(SECOND), undefined);
  assert.deepEqual([again.shelf.has(FIRST), again.shelf.has(SECOND)], [true, false]);
  again.edit(FIRST, 3, 3, "!");
  room.write(FIRST, ChangeSet.of({ from: 0, insert: ">" }, 3));
  await written();
  await rest(again);
  assert.equal(again.project.kept, false);
  assert.equal(again.text(FIRST), ">one!");
  assert.equal(room.files.get(FIRST).text.toString(), ">one!");
  assert.equal(again.text(SECOND), "two");
});

test("a turn that was running is left out, and what turns replaced too", async () => {
  const user = String(++people);
  const { page } = await visited({ user });
  const turn = { created_at: "", hunks: [{ ordinal: 1 }] };
  page.dispatcher.emit("turn", { turn: { ...turn, id: "a", state: "finished" } });
  page.dispatcher.emit("turn", { turn: { ...turn, id: "b", state: "streaming" } });
  await written(page.shelf.now());
  const { turns, people: here } = await written(page.store.session());
  assert.deepEqual(
    turns.map(({ id, hunks }) => [id, hunks]),
    [["a", []]],
  );
  assert.deepEqual(here, []);
});

test("the text of a file that was deleted goes with it", async () => {
  const user = String(++people);
  const { page } = await visited({ user });
  page.dispatcher.emit("tree", { op: "delete", file: FIRST, path: "x", by: {} });
  await written(page.shelf.now());
  assert.deepEqual(await written(page.store.shelvedFiles()), []);
});

test("without room for texts the edits go on being kept, and it is said once", async () => {
  const user = String(++people);
  const { page } = await visited({ user });
  let said = 0;
  page.store.on("full", () => said++);
  // What no database can hold.
  const bad = { file: FIRST, version: 1, text: () => {} };
  for (let i = 0; i < 2; i++) await written(page.store.shelve([bad], []));
  assert.equal(said, 1);
  assert.equal(page.store.works, true);
});

test("what is held is listed by session, with what was never sent", async () => {
  const user = String(++people);
  const { page } = await visited({ user, title: "First" });
  page.wire.cut();
  for (const letter of "abc") page.edit(FIRST, 0, 0, letter);
  mock.timers.tick(300);
  await written();
  await written(
    page.store.keepAside({
      id: "x",
      file: FIRST,
      path: "p",
      message: "",
      text: "aside",
      edit: null,
      at: 1,
    }),
  );
  mock.timers.tick(1_000);
  await visited({ user, slug: "later", title: "Later" });
  const found = await written(holdings(user));
  assert.deepEqual(
    found.map(({ slug, title, edits, unsent }) => [
      slug,
      title,
      edits,
      unsent.map((one) => one.text),
    ]),
    [
      ["later", "Later", 0, []],
      ["s", "First", 4, ["cba", "aside"]],
    ],
  );
  const [mine, aside] = found[1].unsent;
  assert.equal(await written(discard(mine, page.locks)), false, "an open page has it");
  leave(page);
  for (const one of [mine, aside])
    assert.equal(await written(discard(one, new Locks().page())), true);
  assert.deepEqual((await written(holdings(user)))[1].unsent, []);
});

test("signing out takes everything of one person, and nothing of another", async () => {
  const [ann, ben] = [String(++people), String(++people)];
  for (const user of [ann, ben]) leave((await visited({ user })).page);
  await written(forgetPerson(ann));
  assert.deepEqual(await written(holdings(ann)), []);
  assert.equal((await written(holdings(ben))).length, 1);
});

test("somebody else at the browser leaves of the first only what was never sent", async () => {
  const [ann, ben] = [String(++people), String(++people)];
  const { page } = await visited({ user: ann });
  page.wire.cut();
  page.edit(FIRST, 0, 0, "unsent ");
  mock.timers.tick(300);
  await written();
  leave(page);
  leave((await visited({ user: ben })).page);
  await written(forgetOthers(ben));
  assert.equal((await written(holdings(ben)))[0].title, "Notes");
  const [left] = await written(holdings(ann));
  assert.deepEqual([left.title, left.edits], ["", 1]);
  const back = await visit(new Room({ [FIRST]: "one" }), { user: ann });
  assert.equal(back.text(FIRST), "unsent one");
});

test("sessions that are gone lose their texts, and no edits", async () => {
  const user = String(++people);
  for (const slug of ["gone", "a", "b", "c"]) {
    mock.timers.tick(1_000);
    const { page } = await visited({ user, slug, title: slug });
    if (slug === "a") {
      page.wire.cut();
      page.edit(FIRST, 0, 0, "unsent ");
      mock.timers.tick(300);
      await written();
    }
    leave(page);
  }
  await written(forgetBut(user, new Set(["b"]), Date.now() - 500));
  const found = await written(holdings(user));
  assert.deepEqual(
    found.map(({ slug, title, edits }) => [slug, title, edits]),
    [
      ["c", "c", 0],
      ["b", "b", 0],
      ["a", "a", 1],
    ],
    "c was seen just now, and a names what was not sent",
  );
  const texts = new Store(`${user}/a`);
  await written(texts.open());
  assert.deepEqual(await written(texts.shelvedFiles()), []);
  assert.equal(await written(texts.session()), null);
});
