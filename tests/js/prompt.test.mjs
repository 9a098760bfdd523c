/** How a prompt is sent, which model answers, what is said of it, and what the model will see. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { Refusal } from "../../static/js/net/requests.js";
import { undoable } from "../../static/js/turn/deeds.js";
import { faultOf, isOffline, whyNot } from "../../static/js/turn/faults.js";
import { contextText, kindText, spans } from "../../static/js/turn/outline.js";
import { keepOf, keepText, manner, redirectText, told } from "../../static/js/turn/redirect.js";
import { answering, detailText, fetchText, isOffered } from "../../static/js/turn/tiers.js";
import { goesByItself, HICCUP_MS, readWaiting } from "../../static/js/turn/waiting.js";

const running = { id: "t1", state: "streaming" };

test("a prompt redirects the turn that runs, unless it is to wait or the turn is stopping", () => {
  const how = (rest) => manner({ running, queue: false, keep: "partial", ...rest });
  assert.deepEqual(how({}), { t: "redirect", turn: "t1", keep: "partial" });
  assert.deepEqual(how({ queue: true }), { t: "prompt" });
  assert.deepEqual(how({ running: null }), { t: "prompt" });
  assert.deepEqual(how({ running: { ...running, state: "stopping" } }), { t: "prompt" });
  assert.equal(keepOf("nothing"), "nothing");
  assert.equal(keepOf({}), "finished");
  for (const keep of ["finished", "partial", "nothing"]) {
    assert.ok(keepText(keep) && redirectText(keep));
  }
});

test("what became of a prompt is told when it is not what the button said", () => {
  assert.deepEqual(told("prompt", "started", 0), { spoken: "", shown: "" });
  assert.deepEqual(told("prompt", "waits", 2), { spoken: "Queued as number 2.", shown: "" });
  assert.deepEqual(told("prompt", "waits", 0), { spoken: "Queued.", shown: "" });
  assert.deepEqual(told("redirect", "redirected", 0), { spoken: "Redirected.", shown: "" });
  assert.match(told("redirect", "started", 0).shown, /ended by itself/);
  assert.match(told("redirect", "waits", 3).shown, /waits as number 3/);
  assert.match(told("redirect", "waits", 0).shown, /is kept and waits/);
  assert.deepEqual(told("prompt", undefined, 0), { spoken: "", shown: "" });
});

test("why a prompt is not sent", () => {
  assert.equal(faultOf("do it", 0), "");
  assert.equal(faultOf("/api/users returns 500", 20), "");
  assert.match(faultOf("x".repeat(32_001), 0), /32,001 characters/);
  assert.match(faultOf("/undoo", 0), /no command \/undoo/);
  assert.match(faultOf("many", 21), /mentions 21 files, and at most 20/);
  assert.ok(isOffline(new Refusal("offline", "")));
  assert.deepEqual(whyNot(new Refusal("model", "No model.")), {
    message: "No model.",
    cause: "model",
  });
  assert.deepEqual(whyNot("odd"), { message: "odd", cause: "" });
});

const fast = {
  id: "preview",
  tier: "preview",
  label: "Fast",
  model: "f",
  default: true,
  installed: true,
};
const cloud = { id: "e1", tier: "preview", label: "Cloud", model: "c-1", default: false };
const deep = { id: "e2", tier: "standard", label: "Deep", model: "Deep", default: false };

test("the model that answers: the one wished for, else the tier's default, else none", () => {
  const all = [fast, cloud, deep];
  assert.equal(answering(all, { tier: "preview", endpoint: "e1" }), cloud);
  assert.equal(answering(all, { tier: "preview", endpoint: "gone" }), fast);
  assert.equal(answering(all, { tier: "preview", endpoint: "e2" }), fast);
  assert.equal(answering(all, { tier: "standard", endpoint: "" }), deep);
  assert.equal(answering([fast], { tier: "standard", endpoint: "" }), null);
});

test("what a menu says of a model, and whether it can be fetched", () => {
  const status = { tier: "preview", name: "F", state: "offered", message: "Not here yet." };
  assert.equal(detailText(fast, status), "Not here yet.");
  assert.equal(detailText(fast, { ...status, state: "ready" }), "f");
  assert.equal(detailText(cloud, status), "c-1");
  assert.equal(detailText(deep, undefined), "");
  assert.ok(isOffered(status) && isOffered({ ...status, state: "paused" }));
  assert.ok(!isOffered({ ...status, state: "unfit" }) && !isOffered(undefined));
  assert.equal(fetchText({ ...status, total_bytes: 1_117_320_768 }), "Download (1,117 MB)");
  assert.equal(fetchText({ ...status, total_bytes: 0 }), "Download");
  assert.equal(fetchText({ ...status, state: "paused" }), "Go on with the download");
});

test("the size of a prompt in words and on a bar", () => {
  assert.equal(contextText({ used: 5_898, window: 32_768 }), "context 18% of 32k");
  assert.equal(contextText({ used: 400, window: 800 }), "context 50% of 800");
  assert.deepEqual(
    spans(
      [
        { kind: "rules", tokens: 25 },
        { kind: "file", tokens: 50 },
      ],
      100,
    ),
    [
      { kind: "rules", x: 0, width: 25 },
      { kind: "file", x: 25, width: 50 },
    ],
  );
  const over = spans([{ kind: "file", tokens: 300 }], 100);
  assert.deepEqual(over, [{ kind: "file", x: 0, width: 100 }]);
  assert.deepEqual(spans([], 0), []);
  const kinds = "rules file region selection mention history redirect paths prompt".split(" ");
  assert.equal(new Set(kinds.map(kindText)).size, kinds.length);
});

test("a prompt goes by itself after a hiccup, and asks after anything longer or a clock set back", () => {
  assert.ok(goesByItself({ at: 1_000 }, 1_000 + HICCUP_MS - 1));
  assert.ok(!goesByItself({ at: 1_000 }, 1_000 + HICCUP_MS));
  assert.ok(!goesByItself({ at: 1_000 }, 999));
});

test("what waits is read back, and what is no prompt is not", () => {
  const frame = { t: "prompt", id: "a", text: "go" };
  const good = { frame, at: 1 };
  const bad = [null, { frame }, { frame: { ...frame, t: "stop" }, at: 1 }, { at: 1 }];
  assert.deepEqual(readWaiting([good, ...bad]), [good]);
  assert.deepEqual(readWaiting("x"), []);
});

test("undo means this person's last turn that still stands", () => {
  const turn = (id, rest = {}) => [
    id,
    { id, author: "1", revertable: true, reverted_by: "", state: "finished", ...rest },
  ];
  const turns = new Map([
    turn("old"),
    turn("mine"),
    turn("other's", { author: "2" }),
    turn("empty", { revertable: false }),
    turn("undone", { reverted_by: "Ann" }),
    turn("running", { state: "streaming" }),
  ]);
  assert.equal(undoable({ turns, you: { user: "1" } })?.id, "mine");
  assert.equal(undoable({ turns: new Map(), you: { user: "1" } }), undefined);
});
