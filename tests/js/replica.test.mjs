/** One file: what is confirmed, what is not, and what waits for its turn. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { Gap, Mismatch, Replica } from "../../static/js/collab/replica.js";
import { applyAgain, insertedText } from "../../static/js/collab/setaside.js";
import { ChangeSet, StateEffect, Text } from "../../static/vendor/codemirror.js";

const ME = "aaaaaaaaaaaaaaaaaaaa";
const OTHER = "bbbbbbbbbbbbbbbbbbbb";
const by = { conn: "c", user: 1, name: "Ann", color: 1 };

function make(text = "one two", version = 5) {
  return new Replica({ file: "f", clientId: ME, text, version });
}

function type(replica, from, insert, to = from) {
  replica.local([replica.state.update({ changes: { from, to, insert } })]);
}

function entry(v, c, rest = {}) {
  return { v, c, client: OTHER, n: 1, by, kind: "edit", ...rest };
}

function counter() {
  let n = 0;
  return () => ++n;
}

test("own entries confirm in order, those of others go underneath", () => {
  const replica = make();
  const next = counter();
  type(replica, 7, "!");
  type(replica, 8, "?");
  assert.deepEqual(replica.takePush(1000, next), {
    v: 5,
    updates: [
      { n: 1, c: [7, [0, "!"]] },
      { n: 2, c: [8, [0, "?"]] },
    ],
  });
  replica.enqueue(entry(6, [[0, ">"], 7]));
  replica.enqueue(entry(7, [8, [0, "!"]], { client: ME, n: 1 }));
  assert.equal(replica.drain(50).problem, null);
  assert.equal(replica.state.doc.toString(), ">one two!?");
  assert.equal(replica.base.toString(), ">one two!");
  assert.equal(replica.pending, 1);
  assert.equal(replica.firstNumber, 2);
});

test("a push made again carries the same counters, rebased", () => {
  const replica = make();
  const next = counter();
  type(replica, 7, "!");
  replica.takePush(1000, next);
  type(replica, 0, "<");
  replica.enqueue(entry(6, [[0, "ab"], 7]));
  replica.drain(50);
  assert.deepEqual(replica.takePush(1000, next), {
    v: 6,
    updates: [
      { n: 1, c: [9, [0, "!"]] },
      { n: 2, c: [2, [0, "<"], 8] },
    ],
  });
});

test("a push holds at most so many bytes, but always one update", () => {
  const replica = make("");
  for (let i = 0; i < 5; i++) type(replica, 0, "x".repeat(100));
  assert.equal(replica.takePush(300, counter()).updates.length, 2);
  assert.equal(replica.takePush(1, counter()).updates.length, 1);
  for (let i = 0; i < 300; i++) type(replica, 0, "y");
  assert.equal(replica.takePush(1e6, counter()).updates.length, 200);
});

test("an update that rebasing left empty is still pushed and confirmed", () => {
  const replica = make("abc");
  type(replica, 1, "", 2);
  replica.takePush(1000, counter());
  replica.enqueue(entry(6, [[3]]));
  replica.drain(50);
  const { updates } = replica.takePush(1000, counter());
  assert.deepEqual(updates, [{ n: 1, c: [] }]);
  replica.enqueue(entry(7, [], { client: ME, n: 1 }));
  assert.equal(replica.drain(50).problem, null);
  assert.equal(replica.pending, 0);
});

test("an entry that was taken in is skipped, a gap and a wrong counter are problems", () => {
  const replica = make();
  replica.enqueue(entry(5, [[7]]));
  assert.deepEqual(replica.drain(50), { transactions: [], problem: null });
  replica.enqueue(entry(7, [7]));
  assert.ok(replica.drain(50).problem instanceof Gap);
  type(replica, 0, "x");
  replica.takePush(1000, counter());
  replica.enqueue(entry(6, [[0, "x"], 7], { client: ME, n: 9 }));
  assert.ok(replica.drain(50).problem instanceof Mismatch);
  replica.enqueue(entry(6, [99]));
  assert.ok(replica.drain(50).problem instanceof RangeError);
  assert.equal(replica.state.doc.toString(), "xone two");
});

test("own text that came back different is noticed", () => {
  const replica = make();
  type(replica, 0, "x");
  replica.takePush(1000, counter());
  replica.enqueue(entry(6, [[0, "y"], 7], { client: ME, n: 1 }));
  assert.ok(replica.drain(50).problem instanceof RangeError);
});

test("at most so many entries at a time, and markers keep their place", () => {
  const replica = make("");
  const order = [];
  for (let v = 6; v <= 12; v++) {
    replica.enqueue(entry(v, v === 6 ? [[0, "x"]] : [v - 6, [0, "x"]]));
    replica.enqueue({ run: (it) => void order.push(it.version) });
  }
  assert.equal(replica.drain(3).transactions.length, 3);
  assert.equal(replica.version, 8);
  assert.deepEqual(order, [6, 7]);
  replica.drain(50);
  assert.deepEqual(order, [6, 7, 8, 9, 10, 11, 12]);
});

test("a marker of a later version is held, and the newest of its key stands", () => {
  const replica = make("");
  const effect = StateEffect.define();
  const ran = [];
  const marker = (v, name) => ({
    v,
    key: "k",
    run: () => {
      ran.push(name);
      return [effect.of(name)];
    },
  });
  replica.enqueue(marker(6, "old"));
  replica.enqueue(marker(7, "new"));
  replica.drain(50);
  assert.deepEqual(ran, []);
  replica.enqueue(entry(6, [[0, "x"]]));
  replica.enqueue(entry(7, [1]));
  const { transactions } = replica.drain(50);
  assert.deepEqual(ran, ["new"]);
  assert.equal(transactions.length, 2);
  assert.equal(transactions.at(-1).state, replica.state);
});

test("what hides a caret takes the held one of its key along", () => {
  const replica = make("");
  const ran = [];
  replica.enqueue({ v: 6, key: "caret", run: () => void ran.push("shown") });
  replica.enqueue({ key: "caret", run: () => void ran.push("hidden") });
  replica.enqueue(entry(6, [[0, "x"]]));
  replica.drain(50);
  assert.deepEqual(ran, ["hidden"]);
});

test("opened anew, answers of before are forgotten and places are not", () => {
  const replica = make("");
  const ran = [];
  replica.enqueue({ v: 6, key: "held", run: () => void ran.push("held") });
  replica.drain(50);
  replica.enqueue(entry(9, [5]));
  replica.enqueue({ run: () => void ran.push("answer") });
  replica.enqueue({ v: 6, key: "queued", run: () => void ran.push("queued") });
  replica.clearQueue();
  replica.enqueue(entry(6, [[0, "x"]]));
  assert.equal(replica.drain(50).problem, null);
  assert.deepEqual(ran, ["held", "queued"]);
});

test("with nothing unconfirmed a frame's entries are one transaction, effects in their places", () => {
  const replica = make("one\ntwo\n");
  const turn = { turn: "t", hunk: 1, client: "flint" };
  replica.enqueue(entry(6, [4, [4], 0].slice(0, 2), turn));
  replica.enqueue(entry(7, [4, [0, "2", ""]], turn));
  replica.enqueue(entry(8, [[0, ">"], 6]));
  const { transactions } = replica.drain(50);
  assert.equal(transactions.length, 1);
  const [{ effects }] = transactions;
  assert.deepEqual(
    effects.map(({ value: { added, removed } }) => ({ added, removed })),
    [
      { added: [], removed: [{ at: 5, text: "two\n" }] },
      { added: [{ from: 5, to: 7 }], removed: [] },
    ],
  );
  assert.equal(replica.version, 8);
  assert.equal(replica.place(6, 4, 1), 7);
});

test("with something unconfirmed each entry is a transaction of its own, and time ends the frame", () => {
  const replica = make("");
  type(replica, 0, "mine");
  for (let v = 6; v <= 9; v++) replica.enqueue(entry(v, v === 6 ? [[0, "x"]] : [v - 6, [0, "x"]]));
  assert.equal(replica.drain(50, () => true).transactions.length, 1);
  assert.equal(replica.waiting, 3);
  assert.equal(replica.drain(50).transactions.length, 3);
});

test("a held marker that fails is a problem, and what was taken in is told", () => {
  const replica = make("");
  replica.enqueue({
    v: 6,
    run: () => {
      throw new RangeError("no");
    },
  });
  replica.drain(50);
  replica.enqueue(entry(6, [[0, "x"]]));
  const { transactions, problem } = replica.drain(50);
  assert.equal(problem?.message, "no");
  assert.equal(transactions.at(-1).state, replica.state);
});

test("places of another version are found, and given in the server's terms", () => {
  const replica = make("one two");
  replica.enqueue(entry(6, [[0, "zero "], 7]));
  replica.drain(50);
  type(replica, 0, "#");
  assert.equal(replica.place(5, 4), 10);
  assert.equal(replica.place(6, 9), 10);
  assert.equal(replica.place(7, 0), null);
  assert.equal(replica.place(4, 0), null);
  assert.equal(replica.toServer(10), 9);
});

test("the model's edits come with what they added and removed", () => {
  const replica = make("one\ntwo\n");
  const turn = { turn: "t", hunk: 1, client: "flint" };
  replica.enqueue(entry(6, [4, [4, "2", ""], 0].slice(0, 2), turn));
  const [transaction] = replica.drain(50).transactions;
  const [{ value }] = transaction.effects;
  assert.deepEqual(value, {
    turn: "t",
    hunk: 1,
    kind: "edit",
    added: [{ from: 4, to: 6 }],
    removed: [{ at: 4, text: "two\n" }],
  });
});

test("what is kept brings back text, edits and counters", () => {
  const replica = make("a\rb\nc", 1);
  for (let v = 2; v <= 400; v++) replica.enqueue(entry(v, [[0, "x"], 3 + v]));
  while (replica.waiting) replica.drain(50);
  type(replica, 0, "mine ");
  type(replica, 5, "and mine ");
  replica.takePush(60, counter());
  type(replica, 0, "\ud83d");
  const kept = JSON.parse(
    JSON.stringify({ ...replica.keep(), text: replica.keep().text.toString() }),
  );
  assert.ok(kept.trail.length <= 200);
  const back = Replica.restore({ ...kept, file: "f", clientId: ME });
  assert.equal(back.state.doc.toString(), replica.state.doc.toString());
  assert.equal(back.version, 400);
  assert.equal(back.pending, 3);
  assert.equal(back.firstNumber, 1);
  assert.deepEqual(back.takePush(1e6, counter()).v, 400);
});

test("what is kept and does not fit is refused", () => {
  const kept = { file: "f", clientId: ME, version: 1, text: "abc", trail: [] };
  assert.throws(
    () => Replica.restore({ ...kept, pending: [{ n: 1, c: [9, [0, "x"]] }] }),
    RangeError,
  );
  assert.throws(() => Replica.restore({ ...kept, trail: [[7]], pending: [] }), RangeError);
  assert.throws(() => Replica.restore({ ...kept, pending: [{ n: 1, c: [3] }] }), RangeError);
});

test("a transaction of another state is refused", () => {
  const replica = make();
  const transaction = replica.state.update({ changes: { from: 0, insert: "x" } });
  type(replica, 0, "y");
  assert.throws(() => replica.local([transaction]), RangeError);
});

test("text that was set aside is applied again where it belongs", () => {
  const base = Text.of(["one", "two", "three"]);
  const changes = ChangeSet.of({ from: 4, to: 7, insert: "zwei" }, base.length);
  const now = Text.of(["zero", "one", "two", "three"]);
  assert.equal(applyAgain(base, changes, now).apply(now).toString(), "zero\none\nzwei\nthree");
  assert.equal(applyAgain(base, changes, base).apply(base).toString(), "one\nzwei\nthree");
  const gone = Text.of([""]);
  assert.equal(applyAgain(base, changes, gone).apply(gone).toString(), "zwei");
  assert.equal(insertedText(changes), "zwei");
});
