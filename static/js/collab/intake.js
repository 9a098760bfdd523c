/**
 * Takes queued frames into the files, once an animation frame, in one synchronous block, and hands what came
 * of it to whatever shows a file. In a hidden tab a timer does it.
 */

import { Emitter } from "../lib/emitter.js";
import { oncePerFrame } from "../lib/frame.js";

/** @import { Transaction } from "../../vendor/codemirror.js" */
/** @import { Entry } from "../net/messages.js" */
/** @import { Marker } from "./inbox.js" */
/** @import { Replica } from "./replica.js" */

/** Entries taken in a frame, over all files; more make a task that is felt. */
const A_FRAME = 50;
/** A hidden tab gets a turn once a second, at times once a minute, and nobody feels its tasks. */
const A_TURN_HIDDEN = 1_000;
/** After so long in a frame the rest waits for the next one: with own edits in doubt each entry is parsed alone. */
const FRAME_MS = 10;

/** @typedef {{ update(transactions: readonly Transaction[]): void }} Screen whatever shows a file; an EditorView */

/**
 * @typedef {object} IntakeEvents
 * @property {{ replica: Replica, transactions: readonly Transaction[] }} changed
 * @property {{ replica: Replica, problem: Error }} problem the file must be opened again
 * @property {null} done all of this frame was taken in
 */

/** @extends {Emitter<IntakeEvents>} */
export class Intake extends Emitter {
  #replicas;
  /** @type {Map<string, Screen>} */
  #screens = new Map();
  #schedule = oncePerFrame(() => this.#drain());

  /** @param {Map<string, Replica>} replicas by file; looked at anew each frame */
  constructor(replicas) {
    super();
    this.#replicas = replicas;
  }

  /**
   * Queues an entry, or something that must wait for the entries before it, for a file that is open.
   * @param {string} file
   * @param {Entry | Marker} item
   */
  add(file, item) {
    const replica = this.#replicas.get(file);
    if (!replica) return;
    replica.enqueue(item);
    this.#schedule();
  }

  /**
   * Says what shows a file, so that transactions go there.
   * @param {string} file
   * @param {Screen | null} screen
   */
  show(file, screen) {
    if (screen) this.#screens.set(file, screen);
    else this.#screens.delete(file);
  }

  /** @param {string} file @returns {Screen | undefined} */
  screen(file) {
    return this.#screens.get(file);
  }

  #drain() {
    const hidden = globalThis.document?.visibilityState === "hidden";
    let left = hidden ? A_TURN_HIDDEN : A_FRAME;
    const end = performance.now() + FRAME_MS;
    const enough = () => !hidden && performance.now() > end;
    for (const replica of [...this.#replicas.values()]) {
      if (!replica.waiting) continue;
      const before = replica.version;
      const { transactions, problem } = replica.drain(left, enough);
      left -= replica.version - before;
      if (transactions.length) {
        this.#screens.get(replica.file)?.update(transactions);
        this.emit("changed", { replica, transactions });
      }
      if (problem) this.emit("problem", { replica, problem });
      if (replica.waiting || left <= 0) this.#schedule();
      if (left <= 0) break;
    }
    this.emit("done", null);
  }
}
