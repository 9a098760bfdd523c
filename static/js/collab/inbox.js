/**
 * What waits to be taken into one file, in the order it came: entries, and markers that must not run before
 * the entries they stand behind. A marker that speaks of a later version is held until that is reached.
 */

/** @import { StateEffect } from "../../vendor/codemirror.js" */
/** @import { Entry } from "../net/messages.js" */
/** @import { Replica } from "./replica.js" */

/**
 * @typedef {object} Marker something that waits for its turn among the entries
 * @property {number} [v] the version it speaks of; it is held until that is reached
 * @property {string} [key] what it speaks of; a newer one replaces the held one, and it stays when the file is
 * opened anew, since nobody says it again
 * @property {(replica: Replica) => StateEffect<any>[] | void} run
 */

export class Inbox {
  /** @type {(Entry | Marker)[]} */
  #queue = [];
  /** @type {Map<string, Marker>} */
  #held = new Map();

  /** How many wait in order; those that are held do not count. */
  get size() {
    return this.#queue.length;
  }

  /** @param {Entry | Marker} item */
  add(item) {
    this.#queue.push(item);
  }

  /**
   * Returns the first `count` items without taking them.
   * @param {number} count
   */
  first(count) {
    return this.#queue.slice(0, count);
  }

  /** Takes the first `count` items away. @param {number} count */
  drop(count) {
    this.#queue.splice(0, count);
  }

  /**
   * Says whether a marker may run at `version`; one that may not is held.
   * @param {Marker} marker
   * @param {number} version
   */
  admits(marker, version) {
    if (marker.key !== undefined) this.#held.delete(marker.key);
    if (marker.v === undefined || marker.v <= version) return true;
    this.#held.set(marker.key ?? `#${this.#held.size}`, marker);
    return false;
  }

  /**
   * Takes the held markers that may run at `version`, oldest first.
   * @param {number} version
   * @returns {Marker[]}
   */
  release(version) {
    const due = [...this.#held].filter(([, marker]) => (marker.v ?? 0) <= version);
    for (const [key] of due) this.#held.delete(key);
    return due.map(([, marker]) => marker);
  }

  /** Forgets what the server sends again when the file is opened anew, and every answer of before. */
  restart() {
    this.#queue = this.#queue.filter((item) => "run" in item && item.key !== undefined);
  }
}
