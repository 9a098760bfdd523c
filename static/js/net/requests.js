/**
 * What the page asks the server to do, answered by `ok` or `error` with the same id.
 *
 * Every request of the protocol may be sent twice and acts once, so one whose answer was lost with its
 * connection is said again after the next welcome. A request made while there is no connection is refused
 * at once: a prompt that starts a minute later, unasked, would surprise.
 */

import { gettext } from "../lib/i18n.js";
import { newId } from "../lib/ids.js";

/** @import { Dispatcher } from "./dispatcher.js" */
/** @import { Socket } from "./socket.js" */

/** Why something was not done, in words for the person. */
export class Refusal extends Error {
  /** @param {string} code @param {string} message */
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

export class Requests {
  #socket;
  /** @type {Map<string, { frame: Record<string, unknown>, done: (result: any) => void, failed: (why: Refusal) => void }>} */
  #waiting = new Map();
  /** Why there will be no connection any more. */
  #closed = "";

  /**
   * @param {Socket} socket
   * @param {Dispatcher} dispatcher
   */
  constructor(socket, dispatcher) {
    this.#socket = socket;
    dispatcher.on("ok", ({ id, result }) => this.#take(id)?.done(result));
    dispatcher.on("error", ({ id, code, message }) => {
      if (id) this.#take(id)?.failed(new Refusal(code, message));
    });
    dispatcher.on("welcome", () => {
      for (const { frame } of this.#waiting.values()) socket.send(frame);
    });
    socket.on("state", ({ state, message }) => {
      if (state !== "closed") return;
      this.#closed = message;
      for (const id of [...this.#waiting.keys()]) this.#take(id)?.failed(offline(message));
    });
  }

  /**
   * Sends a frame and waits for its answer. `frame.id` is made here unless the caller chose one.
   * @param {Record<string, unknown> & { t: string, id?: string }} frame
   * @returns {Promise<any>} what `ok` carried as its result
   * @throws {Refusal} when the server refuses or there is no connection
   */
  ask(frame) {
    const id = frame.id ?? newId();
    return new Promise((done, failed) => {
      const whole = { ...frame, id };
      if (!this.#socket.send(whole)) return failed(offline(this.#closed));
      this.#waiting.set(id, { frame: whole, done, failed });
    });
  }

  /** @param {string} id */
  #take(id) {
    const found = this.#waiting.get(id);
    this.#waiting.delete(id);
    return found;
  }
}

/** @param {string} closed why the connection is gone for good, or "" when it comes back */
function offline(closed) {
  if (closed) return new Refusal("closed", closed);
  return new Refusal(
    "offline",
    gettext("There is no connection just now. Nothing was sent; try again in a moment."),
  );
}
