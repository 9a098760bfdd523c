/** Keeping, reverting and answering: what is asked of the server, and what is said of it. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { Project } from "../../static/js/collab/project.js";
import { Dispatcher } from "../../static/js/net/dispatcher.js";
import { hunkKey } from "../../static/js/pages/hunkkeys.js";
import { hunkText, keptText, leftText, revertedText } from "../../static/js/turn/decidedwords.js";
import { canKeep, canRevert, Deciding, readReverted } from "../../static/js/turn/deciding.js";
import { Repair } from "../../static/js/turn/repair.js";
import { linkText, receipt } from "../../static/js/turn/sentences.js";
import {
  answerText,
  askedText,
  clockText,
  placeText,
  secondsLeft,
  titleText,
  waitsText,
} from "../../static/js/turn/withheldwords.js";

const T = "tttttttttttttttttttt";
const hunk = (ordinal, status = "applied", file = "a") => ({
  turn: T,
  ordinal,
  status,
  file,
  by: "",
});
const withheld = (rest = {}) => ({
  turn: T,
  ordinal: 1,
  kind: "frozen",
  state: "open",
  op: "delete",
  path: "notes.md",
  to: "",
  file: "a",
  first: null,
  last: null,
  old: "",
  new: "",
  reason: "",
  by: "",
  until: null,
  ...rest,
});

/** A place as the server's frames hold it. */
const mixedPlace = (ordinal) =>
  JSON.parse(`{"ordinal":${ordinal},"file":"a","path":"a.py","now":"x","then":"y"}`);

/** Deciding with a server that answers as told, and what came of it. */
function stage({ hunks, answers = [], chosen = [], role = "edit" }) {
  const project = new Project(new Dispatcher());
  project.you = { conn: "c", user: "u", name: "Ann", color: 1, role };
  project.files = new Map(["a", "b"].map((file) => [file, { file, path: `${file}.py` }]));
  project.turns = new Map([[T, { id: T, hunks }]]);
  const came = { asked: [], said: [], spoken: [], shown: [] };
  const deciding = new Deciding({
    project,
    requests: {
      ask: async (frame) => {
        came.asked.push(frame);
        const answer = answers.shift();
        if (answer instanceof Error) throw answer;
        return answer;
      },
    },
    compare: async (mixed) => {
      came.shown.push(mixed);
      return chosen;
    },
    say: (text) => came.said.push(text),
    speak: (text) => came.spoken.push(text),
  });
  return { deciding, came };
}

test("to keep asks for what is undecided, and says how much it was", async () => {
  const { deciding, came } = stage({ hunks: [hunk(1), hunk(2, "kept"), hunk(3, "yielded", "b")] });
  await deciding.keep(T);
  await deciding.keep(T, { file: "b" });
  await deciding.keep(T, { hunks: [2] });
  assert.deepEqual(came.asked, [
    { t: "keep", turn: T },
    { t: "keep", turn: T, file: "b" },
  ]);
  assert.deepEqual(came.spoken, ["Kept 2 changes in a.py and b.py.", "Kept 1 change in b.py."]);
});

test("a revert says what it took back, and where it could not, asks the person place by place", async () => {
  const mixed = [1, 2].map(mixedPlace);
  const { deciding, came } = stage({
    hunks: [hunk(1), hunk(2), hunk(3, "applied", "b")],
    answers: [
      { reverted: [3], mixed },
      { reverted: [2], mixed: [] },
    ],
    chosen: [2],
  });
  await deciding.revert(T);
  assert.deepEqual(came.asked, [
    { t: "revert", turn: T },
    { t: "revert", turn: T, hunks: [2], mixed: true },
  ]);
  assert.deepEqual(came.shown, [mixed]);
  assert.deepEqual(came.said, [
    "Took back 2 changes in a.py and b.py. What people typed there stays. 1 place where somebody typed stays as it is.",
  ]);
});

test("who chooses nothing has nothing taken back, and is told so", async () => {
  const mixed = [mixedPlace(1)];
  const { deciding, came } = stage({ hunks: [hunk(1)], answers: [{ reverted: [], mixed }] });
  await deciding.revert(T, { hunks: [1] });
  assert.equal(came.asked.length, 1);
  assert.deepEqual(came.said, ["1 place where somebody typed stays as it is."]);
});

test("a refusal is said as it is, and whoever may not decide asks nothing", async () => {
  const refused = stage({ hunks: [hunk(1)], answers: [new Error("No."), new Error("No.")] });
  await refused.deciding.revert(T);
  await refused.deciding.keep(T);
  assert.deepEqual(refused.came.said, ["No.", "No."]);
  const barred = stage({ hunks: [hunk(1)], role: "comment" });
  await barred.deciding.revert(T);
  await barred.deciding.keep(T);
  assert.deepEqual(barred.came.asked, []);
  assert.deepEqual(readReverted(undefined), { reverted: [], mixed: [] });
});

test("what can be kept and what can be taken back", () => {
  const all = ["open", "applied", "kept", "yielded", "reverted", "rolled_back"];
  const which = (can) => all.filter((status) => can({ status }));
  assert.deepEqual(which(canKeep), ["applied", "yielded"]);
  assert.deepEqual(which(canRevert), ["applied", "kept", "yielded"]);
});

test("a hunk says who decided, where somebody did", () => {
  assert.equal(hunkText({ status: "kept", by: "Ann" }), "kept by Ann");
  assert.equal(hunkText({ status: "kept" }), "kept");
  assert.equal(hunkText({ status: "reverted", by: "Ben" }), "reverted by Ben");
  assert.equal(hunkText({ status: "applied", by: "" }), "");
  assert.equal(keptText(0, []), "Nothing was left to keep.");
  assert.equal(revertedText(0, []), "Nothing was left to take back.");
  assert.equal(leftText(2), "2 places where somebody typed stay as they are.");
});

test("the keys are the same acts on every keyboard, and no other keys are", () => {
  const key = (rest) => ({
    key: "",
    code: "",
    altKey: false,
    ctrlKey: false,
    metaKey: false,
    shiftKey: false,
    ...rest,
  });
  const j = { key: "j", code: "KeyJ" };
  assert.deepEqual(hunkKey(key({ ...j, altKey: true }), false), { act: "go", shift: false });
  assert.deepEqual(hunkKey(key({ ...j, altKey: true, shiftKey: true }), false), {
    act: "go",
    shift: true,
  });
  assert.deepEqual(hunkKey(key({ ...j, ctrlKey: true }), true), { act: "go", shift: false });
  assert.equal(hunkKey(key({ key: "∆", code: "KeyJ", altKey: true }), true), null);
  assert.equal(hunkKey(key({ ...j, ctrlKey: true }), false), null);
  // AltGr is both on some systems, and types.
  assert.equal(hunkKey(key({ ...j, altKey: true, ctrlKey: true }), false), null);
  for (const isMac of [true, false]) {
    const enter = key({ key: "Enter", altKey: true });
    assert.equal(hunkKey(enter, isMac)?.act, "keep");
    assert.equal(hunkKey(key({ key: "Enter" }), isMac), null);
    assert.equal(hunkKey(key({ key: "Backspace" }), isMac), null);
  }
  assert.equal(hunkKey(key({ key: "Backspace", altKey: true }), true), null, "deletes a word");
  assert.equal(hunkKey(key({ key: "Backspace", ctrlKey: true }), true)?.act, "revert");
  assert.equal(hunkKey(key({ key: "Backspace", ctrlKey: true }), false), null, "deletes a word");
  assert.equal(hunkKey(key({ key: "g", code: "KeyG", altKey: true }), false)?.act, "question");
});

test("a question counts down to nothing and never below, and never more than two minutes", () => {
  const now = Date.parse("2026-01-01T00:00:00Z");
  const left = (until, rest = {}) => secondsLeft(withheld({ until, ...rest }), now);
  assert.equal(left("2026-01-01T00:01:43Z"), 103);
  assert.equal(left("2026-01-01T00:00:00.200Z"), 1);
  assert.equal(left("2025-12-31T23:59:00Z"), 0);
  assert.equal(left("2026-01-01T02:00:00Z"), 120, "a clock that is wrong");
  assert.equal(left("2026-01-01T00:01:00Z", { state: "declined" }), null);
  assert.equal(left(null), null);
  assert.equal(left("soon"), null);
  assert.equal(clockText(103), "1:43");
  assert.equal(clockText(7), "0:07");
  assert.equal(waitsText(103), "It waits for your word: 1:43");
});

test("what is withheld says what it is, where, and what became of it", () => {
  const wishes = [
    [{ op: "delete" }, "May Flint delete notes.md?"],
    [{ op: "move", to: "n.md" }, "May Flint move notes.md to n.md?"],
    [{ op: "create" }, "May Flint create notes.md?"],
    [{ op: "edit" }, "May Flint change notes.md?"],
  ];
  for (const [rest, text] of wishes) assert.equal(titleText(withheld(rest)), text);
  assert.equal(placeText(withheld({ first: 3, last: 3 })), "notes.md:3");
  assert.equal(placeText(withheld({ first: 3, last: 9 })), "notes.md:3–9");
  assert.equal(titleText(withheld({ kind: "refused", first: 3 })), "Not applied: notes.md:3");
  const said = (kind, state, by = "Ben", until = null) =>
    answerText(withheld({ kind, state, by, until }));
  assert.equal(said("frozen", "open"), "");
  assert.equal(said("frozen", "taken"), "Ben said yes, and it was done.");
  assert.equal(said("frozen", "declined"), "Ben said no, so nothing was done.");
  assert.match(said("frozen", "declined", ""), /^The turn ended/);
  const end = "2026-01-01T00:02:00Z";
  assert.equal(said("frozen", "expired", "", end), "Nobody answered in time, so nothing was done.");
  assert.equal(said("frozen", "expired", ""), "It is over, and nothing was done.");
  assert.equal(said("yielded", "taken"), "Ben took Flint's version.");
  assert.equal(said("refused", "declined"), "Dismissed by Ben.");
  assert.match(said("refused", "taken", ""), /^It was applied when/);
  assert.match(askedText(withheld(), true, "Alt+G"), /Alt\+G goes to the question\.$/);
  assert.match(askedText(withheld(), false, "Alt+G"), /somebody who may prompt\.$/);
});

test("the project knows the open questions, whichever frame told of them", () => {
  const dispatcher = new Dispatcher();
  const project = new Project(dispatcher);
  const heard = [];
  project.on("withheld", (event) => heard.push(event));
  const say = (frame) => dispatcher.receive(JSON.stringify(frame));
  const turn = { id: T, state: "finished", created_at: "1", hunks: [] };
  say({ t: "turn", turn });
  say({ t: "withheld", withheld: withheld({ ordinal: 2 }) });
  say({ t: "withheld", withheld: withheld({ ordinal: 1, kind: "refused" }) });
  assert.deepEqual(
    project.turns.get(T).withheld.map(({ ordinal }) => ordinal),
    [1, 2],
  );
  assert.deepEqual(
    project.questions.map(({ ordinal }) => ordinal),
    [2],
  );
  say({ t: "withheld", withheld: withheld({ ordinal: 2, state: "declined", by: "Ben" }) });
  assert.deepEqual(project.questions, []);
  assert.equal(heard[2].before.state, "open");
  say({ t: "turn", turn: { ...turn, withheld: [withheld()] } });
  assert.equal(project.questions.length, 1);
});

test("to be asked once more is on until somebody switches it off, and only then said", () => {
  let value = null;
  const repair = new Repair({ get: () => value, set: (it) => (value = it) });
  assert.deepEqual([repair.on, repair.frame, repair.item.checked], [true, {}, true]);
  repair.item.act();
  assert.deepEqual([repair.on, repair.frame], [false, { repair: false }]);
  repair.item.act();
  assert.equal(repair.on, true);
});

test("the receipt counts what could not be applied", () => {
  const turn = { state: "finished", hunks: [], reverted_by: "", edits: 3, refused: 1 };
  assert.equal(receipt(turn, null), "3 edits, 1 not applied.");
  assert.equal(receipt({ ...turn, refused: 0 }, null), "");
  assert.equal(receipt({ ...turn, edits: undefined, refused: undefined }, null), "");
  assert.match(
    receipt({ ...turn, state: "stopped", stop_ms: 9, tokens_out: 4 }, null),
    /3 edits, 1 not applied\.$/,
  );
  assert.match(linkText("repairs", "tidy up"), /“tidy up”$/);
  assert.notEqual(linkText("repaired", "x"), linkText("next", "x"));
});
