/**
 * A page without a screen: the real socket, dispatcher and documents, over a connection whose frames wait in
 * two queues until the test lets them through. Cutting it loses what is on the way.
 */

import { mock } from "node:test";
import { Documents } from "../../../static/js/collab/documents.js";
import { fresh } from "../../../static/js/collab/identity.js";
import { Store } from "../../../static/js/collab/store.js";
import { Dispatcher } from "../../../static/js/net/dispatcher.js";
import { Socket } from "../../../static/js/net/socket.js";

/** A WebSocket whose two directions are queues. */
export class Wire {
  readyState = 0;
  toServer = [];
  toPage = [];
  open = new Set();

  constructor(room, numbers) {
    this.room = room;
    this.numbers = numbers;
  }

  send(text) {
    this.toServer.push(text);
    const { t, updates } = JSON.parse(text);
    if (t === "push") for (const { n } of updates) this.numbers.add(n);
  }

  deliver(frame) {
    this.toPage.push(JSON.stringify(frame));
  }

  close() {
    this.readyState = 3;
    this.room.leave(this);
  }

  connect() {
    this.readyState = 1;
    this.onopen?.();
  }

  /** Ends the connection; frames on the way are lost. */
  cut(code = 1006) {
    this.close();
    this.onclose?.({ code });
  }

  /** Lets the oldest frame of one direction arrive. */
  step(direction) {
    if (this.readyState !== 1) return;
    const text = this[direction].shift();
    if (text === undefined) return;
    if (direction === "toServer") this.room.receive(this, JSON.parse(text));
    else this.onmessage?.({ data: text });
  }
}

export class Page {
  asides = [];
  wire = null;
  /** The counters of every update that left. */
  numbers = new Set();

  constructor(room, { store = new Store("s"), identity = fresh() } = {}) {
    this.room = room;
    this.dispatcher = new Dispatcher();
    this.socket = new Socket({
      url: "ws://test",
      dispatcher: this.dispatcher,
      hello: () => ({ t: "hello", proto: 1, client: this.documents.client }),
      open: () => {
        this.wire = new Wire(room, this.numbers);
        return this.wire;
      },
    });
    this.documents = new Documents({
      socket: this.socket,
      dispatcher: this.dispatcher,
      store,
      identity,
      extensions: () => [],
      pathOf: (file) => `${file}.py`,
    });
    this.documents.on("aside", (aside) => this.asides.push(aside));
    this.socket.start();
  }

  /** Does as a person: replaces [from, to) of a file. */
  edit(file, from, to, insert) {
    const { state } = this.documents.get(file);
    this.documents.local(file, [state.update({ changes: { from, to, insert } })]);
  }

  text(file) {
    return this.documents.get(file)?.state.doc.toString();
  }

  /** Ends the page as closing its tab does. */
  close() {
    this.socket.stop();
  }
}

/** Lets promises that are ready run. */
export async function settle() {
  for (let i = 0; i < 8; i++) await Promise.resolve();
}

/** Lets everything arrive until nothing moves any more; time passes as it must. */
export async function quiesce(pages) {
  for (let round = 0; round < 2_000; round++) {
    for (const { wire } of pages) {
      if (wire?.readyState === 0) wire.connect();
      while (wire?.readyState === 1 && wire.toServer.length) wire.step("toServer");
      while (wire?.readyState === 1 && wire.toPage.length) wire.step("toPage");
    }
    mock.timers.tick(300);
    await settle();
    const moving = ({ wire, socket, documents }) =>
      socket.state !== "live" || wire.toServer.length || wire.toPage.length || documents.pending;
    if (!pages.some(moving)) return;
  }
  throw new Error("The pages never came to rest.");
}
