/** What is said and offered of a model that is not ready. */

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  meterText,
  placeOf,
  progressText,
  sizeText,
  viewOf,
} from "../../static/js/turn/fetchwords.js";

const status = (state, rest = {}) => ({
  tier: "standard",
  state,
  name: "Qwen",
  message: "",
  done_bytes: 0,
  total_bytes: 1_117_000_000,
  bytes_per_s: 0,
  eta_s: null,
  ...rest,
});
const may = { may: true, chosen: true };
const acts = (one, person = may) => viewOf(one, person).acts.map(({ act, label }) => [act, label]);
const text = (one, person = may) => viewOf(one, person).text;

test("a model on demand is downloaded, resumed, stopped, started and tried again", () => {
  assert.deepEqual(acts(status("offered")), [["start", "Download (1.1 GB)"]]);
  assert.deepEqual(acts(status("offered", { total_bytes: 0 })), [["start", "Download"]]);
  assert.deepEqual(acts(status("offered", { total_bytes: 4e8 })), [["start", "Download (400 MB)"]]);
  assert.deepEqual(acts(status("offered", { done_bytes: 1_117_000_000 })), [["start", "Start"]]);
  assert.deepEqual(acts(status("paused", { done_bytes: 5 })), [["start", "Resume"]]);
  assert.deepEqual(acts(status("downloading")), [["stop", "Stop the download"]]);
  assert.deepEqual(acts(status("failed")), [["start", "Try again"]]);
  for (const state of ["unfit", "missing", "starting", "ready"])
    assert.deepEqual(acts(status(state)), [], state);
  assert.deepEqual(acts(status("ready"), { may: true, chosen: false }), [["choose", "Use it"]]);
});

test("nobody is offered what they may not do, and the fast model comes by itself", () => {
  const reader = { may: false, chosen: true };
  const states = "offered paused downloading failed unfit missing starting ready".split(" ");
  for (const state of states) {
    assert.deepEqual(acts(status(state), reader), [], state);
    assert.deepEqual(acts(status(state, { tier: "preview" })), [], state);
    assert.ok(text(status(state), reader).endsWith("."), state);
    assert.ok(text(status(state)).endsWith("."), state);
    assert.ok(meterText(status(state)));
  }
  assert.match(text(status("offered"), reader), /Whoever may prompt here can download it/);
  assert.equal(text(status("ready")), "The deeper model is ready.");
  assert.equal(text(status("ready", { tier: "preview" })), "The model is ready.");
});

test("what the server says of a model is said; without it there is a next step all the same", () => {
  assert.equal(text(status("paused", { message: "No source answered." })), "No source answered.");
  assert.match(text(status("paused")), /is kept, and it goes on from there/);
  assert.equal(
    text(status("unfit", { message: "Too small." })),
    "Too small. As soon as it fits, it is offered here.",
  );
  assert.equal(text(status("failed", { message: "It broke." })), "It broke.");
  assert.match(text(status("failed")), /Your prompt is kept/);
  assert.match(text(status("missing")), /Choose another one/);
});

test("a download in figures", () => {
  const half = status("downloading", { done_bytes: 210e6, total_bytes: 500e6 });
  assert.equal(viewOf(half, may).percent, 42);
  assert.equal(viewOf(status("paused", { done_bytes: 558_500_000 }), may).percent, 50);
  assert.equal(viewOf(status("offered"), may).percent, null);
  assert.equal(progressText(half), "210 of 500 MB");
  const rated = { ...half, bytes_per_s: 3.2e6, eta_s: 91 };
  assert.equal(progressText(rated), "210 of 500 MB · 3.2 MB/s · 2 min left");
  assert.equal(progressText({ ...rated, eta_s: null }), "210 of 500 MB · 3.2 MB/s");
  assert.equal(
    progressText({ ...rated, bytes_per_s: 2.4e7, eta_s: 9 }),
    "210 of 500 MB · 24 MB/s · 9 sec left",
  );
  assert.equal(meterText(half), "Model downloading: 42%");
  assert.equal(sizeText(4e8), "400 MB");
  assert.equal(sizeText(1_117_000_000), "1.1 GB");
});

test("where it is told, so that all see a download and nobody an offer they did not ask for", () => {
  const now = { chosen: false, empty: false, fetched: false, hidden: false };
  const place = (state, rest = {}, tier = "standard") =>
    placeOf(status(state, { tier }), { ...now, ...rest });
  for (const state of ["offered", "unfit", "missing", "ready"])
    assert.equal(place(state), "", state);
  for (const state of ["downloading", "starting"]) {
    assert.equal(place(state), "strip");
    assert.equal(place(state, { hidden: true }), "");
  }
  assert.equal(place("paused", { fetched: true }), "strip");
  assert.equal(place("ready", { fetched: true }), "strip");
  assert.equal(place("offered", { chosen: true }), "strip");
  assert.equal(place("missing", { chosen: true, empty: true }), "strip");
  const preview = (state, rest = {}) => place(state, { chosen: true, ...rest }, "preview");
  assert.equal(preview("downloading", { empty: true }), "empty");
  assert.equal(preview("starting", { empty: true }), "empty");
  assert.equal(preview("downloading"), "strip");
  assert.equal(preview("failed"), "strip");
  assert.equal(preview("starting"), "");
  assert.equal(preview("ready", { empty: true }), "");
  assert.equal(preview("failed", { chosen: false, empty: true }), "");
});
