/** The past as it plays: when what is shown, what a change wrote, where marks lead. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { due, LONGEST_MS, nextMark, wait } from "../../static/js/time/pace.js";
import { nextFiles, Player, written } from "../../static/js/time/player.js";
import { Source } from "../../static/js/time/source.js";

test("it waits as long as it was, but never long, and less at speed", () => {
  assert.equal(wait(1000, 1200, 1), 200);
  assert.equal(wait(1000, 1200, 4), 50);
  assert.equal(wait(0, 86_400_000, 1), LONGEST_MS);
  assert.equal(wait(0, 86_400_000, 64), LONGEST_MS / 64);
  assert.equal(wait(2000, 1000, 1), 0);
});

test("what is due comes in its order, and the rest of the time is kept", () => {
  const entries = [{ at: 1100 }, { at: 1300 }, { at: 9000 }];
  const first = due(entries, 1000, 350, 1);
  assert.deepEqual([first.due.map(({ at }) => at), first.left], [[1100, 1300], 50]);
  assert.deepEqual(due(entries, 1300, first.left, 1), { due: [], left: 50 });
  assert.equal(due(entries, 1300, LONGEST_MS, 1).due.length, 1);
  assert.equal(entries.length, 0);
});

test("the first of a part that nothing was before is due at once", () => {
  assert.equal(due([{ at: 5000 }], null, 0, 1).due.length, 1);
});

test("marks are prompts, checkpoints and restores; beyond them lie the ends", () => {
  const moments = [
    { kind: "create", seq: 1 },
    { kind: "checkpoint", seq: 2 },
    { kind: "turn", seq: 5 },
    { kind: "restore", seq: 9 },
  ];
  const ends = { first: 0, last: 12 };
  const walk = (way, seq) => nextMark(moments, seq, way, ends);
  assert.deepEqual(
    [0, 2, 5, 9].map((seq) => walk(1, seq)),
    [2, 5, 9, 12],
  );
  assert.deepEqual(
    [12, 9, 5, 2].map((seq) => walk(-1, seq)),
    [9, 5, 2, 0],
  );
});

test("what a change wrote is where it stands afterwards", () => {
  assert.deepEqual(written([3, [0, "ab", "c"], 2, [4]]), [
    { from: 3, to: 7 },
    { from: 9, to: 9 },
  ]);
});

test("files come, go and are renamed", () => {
  let files = nextFiles([], { kind: "create", file: "a", path: "b.txt" });
  files = nextFiles(files, { kind: "create", file: "c", path: "a.txt" });
  assert.deepEqual(
    files.map(({ path }) => path),
    ["a.txt", "b.txt"],
  );
  files = nextFiles(files, { kind: "rename", file: "a", path: "z.txt" });
  files = nextFiles(files, { kind: "edit", file: "c", v: 4 });
  assert.deepEqual(
    files.map(({ path, v }) => [path, v]),
    [
      ["a.txt", 4],
      ["z.txt", 0],
    ],
  );
  assert.deepEqual(
    nextFiles(files, { kind: "delete", file: "c" }).map(({ file }) => file),
    ["a"],
  );
});

/** A past of one file that somebody typed into, letter by letter; counts what is read. */
function past(letters) {
  const asked = [];
  const text = (seq) => "x".repeat(seq - 1);
  const entry = (seq) => ({
    seq,
    file: "f",
    kind: seq === 1 ? "create" : "edit",
    by: 0,
    at: seq * 10,
    v: seq - 1,
    ...(seq === 1
      ? { path: "a.txt", text: "" }
      : { c: seq === 2 ? [[0, "x"]] : [seq - 2, [0, "x"]] }),
  });
  const answers = (path) => {
    const range = path.match(/^(\d+)-(\d+)\/$/);
    if (range) {
      const [after, upto] = range.slice(1).map(Number);
      const list = [];
      for (let seq = after + 1; seq <= upto; seq += 1) list.push(entry(seq));
      return { after, upto, people: [{ name: "Ann", model: false }], list };
    }
    const [seq, file] = path.split("/");
    const files = seq === "0" ? [] : [{ file: "f", path: "a.txt", v: seq - 1, binary: false }];
    return file ? { seq, file, v: seq - 1, text: text(Number(seq)) } : { seq: Number(seq), files };
  };
  const get = async (path) => {
    asked.push(path);
    return { ok: true, redirected: false, json: async () => answers(path) };
  };
  const overview = { first: 0, last: letters + 1, width: 1, buckets: [], moments: [], people: [] };
  return { player: new Player(new Source("", get), overview), asked };
}

/** Resolves with what is shown once nothing is read any more. */
function settled(player) {
  let shown = null;
  const off = player.on("shown", (what) => {
    shown = what;
  });
  return new Promise((resolve) => {
    const end = player.on("busy", (busy) => {
      if (busy) return;
      off();
      end();
      resolve(shown);
    });
  });
}

test("a moment shows its file, its text and what was written last", async () => {
  const { player } = past(5);
  const done = settled(player);
  player.goTo(4);
  const shown = await done;
  assert.equal(shown.doc.toString(), "xxx");
  assert.deepEqual(shown.changed, [{ from: 2, to: 3 }]);
  assert.equal(shown.who.name, "Ann");
});

test("of many wishes while one is read only the last is granted", async () => {
  const { player, asked } = past(50);
  const done = settled(player);
  for (let seq = 1; seq <= 40; seq += 1) player.goTo(seq);
  const shown = await done;
  assert.equal(shown.seq, 40);
  assert.ok(asked.length <= 6, String(asked.length));
});

test("beyond the ends there is nothing to go to", async () => {
  const { player } = past(3);
  const done = settled(player);
  player.goTo(99);
  assert.equal((await done).seq, 4);
  const again = settled(player);
  player.goTo(-5);
  assert.equal((await again).doc, null);
});
