/** The frames of tests/wire, which the server's tests read too, through the page's own code. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { asciiJson } from "../../static/js/lib/json.js";
import { Dispatcher } from "../../static/js/net/dispatcher.js";
import { ChangeSet, Text } from "../../static/vendor/codemirror.js";

const load = (name) =>
  JSON.parse(readFileSync(new URL(`../wire/${name}.json`, import.meta.url), "utf8"));

test("the dispatcher takes every good frame of the server to its listener", () => {
  for (const { name, frame } of load("from_server").good) {
    const dispatcher = new Dispatcher();
    const heard = [];
    dispatcher.on(frame.t, (payload) => heard.push(payload));
    assert.equal(dispatcher.receive(asciiJson(frame)), frame.t, name);
    assert.deepEqual(heard, [frame], name);
  }
});

test("the dispatcher skips frames it cannot use, and goes on", () => {
  const dispatcher = new Dispatcher();
  const texts = load("from_server").bad.map(({ frame }) => asciiJson(frame));
  for (const text of [...texts, "", "[]", "null", "7", "{"]) {
    assert.equal(dispatcher.receive(text), null, text);
  }
  assert.equal(dispatcher.receive('{"t":"pong","at":1}'), "pong");
});

test("a listener that throws keeps nobody else from hearing, and is reported", (t) => {
  const reported = [];
  globalThis.reportError = (error) => reported.push(error.message);
  t.after(() => delete globalThis.reportError);
  const dispatcher = new Dispatcher();
  let heard = 0;
  dispatcher.on("pong", () => {
    throw new RangeError("mine");
  });
  dispatcher.on("pong", () => heard++);
  dispatcher.receive('{"t":"pong","at":1}');
  assert.equal(heard, 1);
  assert.deepEqual(reported, ["mine"]);
});

test("what the page sends is ASCII, also half a surrogate pair, and survives", () => {
  for (const { name, frame } of load("from_page").good) {
    const text = asciiJson(frame);
    assert.match(text, /^[\x20-\x7e]*$/, name);
    assert.deepEqual(JSON.parse(text), frame, name);
  }
});

test("every good change means the same here as on the server", () => {
  const { text, good } = load("changes");
  const doc = Text.of(text.split("\n"));
  for (const one of good) {
    const changes = ChangeSet.fromJSON(one.c);
    assert.equal(changes.apply(doc).toString(), one.text, one.name);
    assert.deepEqual(changes.toJSON(), one.c, one.name);
  }
});
