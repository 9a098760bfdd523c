/** The connection: how it comes back, how it notices that it is dead, and what it never does. */

import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { backoffMs } from "../../static/js/net/backoff.js";
import { Credit } from "../../static/js/net/credit.js";
import { Dispatcher, isFrame } from "../../static/js/net/dispatcher.js";
import { Refusal, Requests } from "../../static/js/net/requests.js";
import { FRAME_BYTES, Socket } from "../../static/js/net/socket.js";

const WELCOME = {
  t: "welcome",
  you: {},
  session: {},
  files: [],
  people: [],
  turns: [],
  models: [],
  endpoints: [],
  followups: { held: false, list: [] },
  limits: { push_bytes: 1, frame_bytes: 1, ack_bytes: 1000 },
};

class Wire {
  readyState = 0;
  sent = [];
  send(text) {
    this.sent.push(JSON.parse(text));
  }
  close() {
    this.readyState = 3;
  }
  opens() {
    this.readyState = 1;
    this.onopen();
  }
  says(frame) {
    this.onmessage({ data: JSON.stringify(frame) });
  }
  ends(code) {
    this.readyState = 3;
    this.onclose({ code });
  }
}

let wires;
let socket;
let dispatcher;
let states;
let page;

beforeEach(() => {
  mock.timers.enable({ apis: ["setTimeout", "setInterval", "Date"] });
  page = new EventTarget();
  for (const name of ["addEventListener", "removeEventListener"]) {
    globalThis[name] = page[name].bind(page);
  }
  wires = [];
  states = [];
  dispatcher = new Dispatcher();
  socket = new Socket({
    url: "ws://test",
    dispatcher,
    hello: () => ({ t: "hello" }),
    open: () => {
      wires.push(new Wire());
      return wires.at(-1);
    },
  });
  socket.on("state", ({ state }) => states.push(state));
  socket.start();
});

afterEach(() => {
  socket.stop();
  mock.timers.reset();
  delete globalThis.addEventListener;
  delete globalThis.removeEventListener;
});

/** Lets time pass in steps, since a timer that another one sets counts from the end of a step. */
function pass(ms) {
  for (let at = 0; at < ms; at += 100) mock.timers.tick(100);
}

function live() {
  wires.at(-1).opens();
  wires.at(-1).says(WELCOME);
}

test("it greets first, and is live with the welcome", () => {
  assert.equal(socket.send({ t: "here" }), false);
  live();
  assert.deepEqual(wires[0].sent, [{ t: "hello" }]);
  assert.equal(socket.state, "live");
  assert.equal(socket.send({ t: "here" }), true);
});

test("waits grow from 100 ms to 4 s, give or take a quarter", () => {
  assert.deepEqual(
    [0, 1, 2, 3, 4, 5, 6, 60].map((attempt) => backoffMs(attempt, 0.5)),
    [100, 250, 500, 1000, 2000, 4000, 4000, 4000],
  );
  assert.equal(backoffMs(0, 0), 75);
  assert.equal(backoffMs(5, 1), 5000);
  assert.throws(() => backoffMs(-1), RangeError);
});

test("it comes back when closed, at once when the network does", () => {
  live();
  wires[0].ends(1006);
  assert.equal(socket.state, "waiting");
  mock.timers.tick(130);
  assert.equal(wires.length, 2);
  wires[1].ends(1006);
  page.dispatchEvent(new Event("online"));
  assert.equal(wires.length, 3);
});

test("the offline event ends a connection that looks alive", () => {
  live();
  page.dispatchEvent(new Event("offline"));
  assert.notEqual(socket.state, "live");
  assert.equal(wires[0].readyState, 3);
  assert.equal(socket.send({ t: "here" }), false);
});

test("a connection that says nothing is dead within 6 s, one that answers is not", () => {
  live();
  const pings = () => wires[0].sent.filter(({ t }) => t === "ping").length;
  for (let i = 0; i < 10; i++) {
    const before = pings();
    pass(2_500);
    assert.equal(pings(), before + 1);
    wires[0].says({ t: "pong", at: 1 });
  }
  assert.equal(wires.length, 1);
  pass(6_000);
  assert.ok(wires.length > 1, "a new connection was tried");
});

test("a connection that never opens is given up", () => {
  pass(9_500);
  assert.equal(wires.length, 2);
});

test("frames of a connection that was given up do not count", () => {
  live();
  const [old] = wires;
  socket.restart();
  let heard = 0;
  dispatcher.on("pong", () => heard++);
  old.says({ t: "pong", at: 1 });
  old.ends(4404);
  assert.equal(heard, 0);
  assert.equal(socket.state, "connecting");
});

for (const code of [4401, 4403, 4404, 4003]) {
  test(`${code} is for good, and says why`, () => {
    live();
    const said = [];
    socket.on("state", ({ message }) => said.push(message));
    wires[0].ends(code);
    mock.timers.tick(60_000);
    assert.equal(socket.state, "closed");
    assert.equal(wires.length, 1);
    assert.match(said[0], /\w+.*\.$/);
  });
}

test("after a flood it waits 5 s, also when the network comes back", () => {
  live();
  wires[0].ends(4029);
  page.dispatchEvent(new Event("online"));
  mock.timers.tick(4_900);
  assert.equal(wires.length, 1);
  mock.timers.tick(1_400);
  assert.equal(wires.length, 2);
});

for (const code of [4008, 4009, 1012]) {
  test(`after ${code} it comes back`, () => {
    live();
    wires[0].ends(code);
    mock.timers.tick(130);
    assert.equal(wires.length, 2);
  });
}

test("all bytes are acknowledged: after so many, or after a second", () => {
  live();
  const welcome = JSON.stringify(WELCOME).length;
  wires[0].says({ t: "pong", at: 1 });
  assert.equal(wires[0].sent.filter(({ t }) => t === "ack").length, 0);
  mock.timers.tick(1_500);
  const bytes = welcome + JSON.stringify({ t: "pong", at: 1 }).length;
  assert.deepEqual(wires[0].sent.at(-1), { t: "ack", bytes });
  const long = { t: "resync", reason: "x".repeat(2_000) };
  wires[0].says(long);
  assert.deepEqual(wires[0].sent.at(-1), { t: "ack", bytes: bytes + JSON.stringify(long).length });
});

test("credit counts what a listener failed on", () => {
  const credit = new Credit(10);
  assert.equal(credit.handled(9), null);
  assert.equal(credit.handled(1), 10);
  assert.equal(credit.due(), null);
  assert.throws(() => new Credit(0), RangeError);
});

test("a frame over the limit is never sent", () => {
  live();
  const text = "é".repeat(FRAME_BYTES / 6);
  assert.throws(() => socket.send({ t: "prompt", text }), RangeError);
  assert.equal(wires[0].sent.length, 1);
});

test("resync greets again on the same socket", () => {
  live();
  wires[0].says({ t: "resync", reason: "." });
  assert.deepEqual(
    wires[0].sent.map(({ t }) => t),
    ["hello", "hello"],
  );
});

test("a request is answered by its id, refused in words, and said again after a reconnect", async () => {
  const requests = new Requests(socket, dispatcher);
  await assert.rejects(requests.ask({ t: "stop" }), Refusal);
  live();
  const done = requests.ask({ t: "stop", turn: "t" });
  const refused = requests.ask({ t: "revert", turn: "t" });
  const [, stop, revert] = wires[0].sent;
  assert.match(stop.id, /^[a-z2-7]{20}$/);
  wires[0].says({ t: "error", id: revert.id, code: "typed", message: "Somebody typed there." });
  await assert.rejects(refused, (error) => error.code === "typed" && /typed/.test(error.message));
  wires[0].ends(1012);
  mock.timers.tick(130);
  live();
  assert.deepEqual(wires[1].sent, [{ t: "hello" }, stop]);
  wires[1].says({ t: "ok", id: stop.id, result: { already: true } });
  assert.deepEqual(await done, { already: true });
});

test("requests that nobody will answer are refused", async () => {
  const requests = new Requests(socket, dispatcher);
  live();
  const asked = requests.ask({ t: "prompt", text: "x" });
  wires[0].ends(4003);
  await assert.rejects(asked, /may no longer/);
});

test("what a frame needs is known without a connection, for what an older page kept", () => {
  assert.equal(isFrame("welcome", WELCOME), true);
  const { endpoints: _, ...older } = WELCOME;
  assert.equal(isFrame("welcome", older), false);
  for (const nothing of [null, undefined, 3, "x"]) assert.equal(isFrame("welcome", nothing), false);
});
