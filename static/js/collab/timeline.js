/**
 * The latest changes of a file by version, so that a place named at an older version can be found in the text
 * of today: cursors, hunks and the model's place all arrive as (version, offset).
 */

/** @import { ChangeDesc } from "../../vendor/codemirror.js" */

/** Places older than this many entries are given up. */
const KEPT = 1_000;

export class Timeline {
  /** The version after the last change. */
  #version;
  /** @type {ChangeDesc[]} */
  #changes = [];

  /** @param {number} version */
  constructor(version) {
    this.#version = version;
  }

  /**
   * Adds the change that led from the last version to the next.
   * @param {ChangeDesc} change
   */
  add(change) {
    this.#changes.push(change);
    this.#version++;
    if (this.#changes.length > 2 * KEPT) this.#changes = this.#changes.slice(-KEPT);
  }

  /**
   * Returns where an offset of version `v` stands at the last version, or null when `v` is too old or not
   * reached yet.
   * @param {number} v
   * @param {number} offset
   * @param {number} [assoc] the side it stays on when text is inserted right there: -1 before, 1 after
   * @returns {number | null}
   */
  place(v, offset, assoc = -1) {
    const back = this.#version - v;
    if (back < 0 || back > this.#changes.length) return null;
    for (const change of this.#changes.slice(this.#changes.length - back)) {
      if (offset > change.length) return null;
      offset = change.mapPos(offset, assoc);
    }
    return offset;
  }
}
