/**
 * Earlier prompts, as a shell has them: up goes back, down comes forward and at last to the draft. Pure, but for
 * the storage that `Past` is given.
 */

/** @import { Kept } from "../lib/kept.js" */

/** @typedef {{ text: string, at: number }} Entry a prompt, and when it was sent in milliseconds since 1970 */
/** @typedef {{ entries: string[], index: number, draft: string }} Walk oldest first; the draft stands behind the last */

/** How many are kept. */
export const MOST = 100;

/**
 * Begins a walk at a draft.
 * @param {string[]} entries oldest first
 * @param {string} draft
 * @returns {Walk}
 */
export const begin = (entries, draft) => ({ entries, index: entries.length, draft });

/**
 * Returns the walk one step on, or null when there is nothing that way.
 * @param {Walk} walk
 * @param {-1 | 1} step -1 goes back in time
 * @returns {Walk | null}
 */
export function move(walk, step) {
  const index = walk.index + step;
  return index < 0 || index > walk.entries.length ? null : { ...walk, index };
}

/** Returns what stands in the box at this place of a walk. @param {Walk} walk */
export const shown = ({ entries, index, draft }) => entries[index] ?? draft;

/**
 * Whether an arrow key walks, given what is in the box: from an empty box backwards, and on a walk from the first
 * line backwards and from the last one forwards.
 * @param {{ text: string, from: number, to: number, walking: boolean, step: -1 | 1 }} box
 */
export function walks({ text, from, to, walking, step }) {
  if (from !== to) return false;
  if (!walking) return step < 0 && text === "";
  return step < 0 ? !text.slice(0, from).includes("\n") : !text.slice(to).includes("\n");
}

/**
 * Returns the texts of several histories as one, oldest first. What was sent more than once stands where it was
 * sent last.
 * @param {...Entry[]} histories
 * @returns {string[]}
 */
export function merged(...histories) {
  const all = histories.flat().sort((one, other) => one.at - other.at);
  const texts = all.map(({ text }) => text);
  return texts.filter((text, index) => text && texts.lastIndexOf(text) === index).slice(-MOST);
}

/** What one person sent in one session from this browser. */
export class Past {
  #kept;

  /** @param {Kept} kept */
  constructor(kept) {
    this.#kept = kept;
  }

  /** @returns {Entry[]} */
  get entries() {
    const value = this.#kept.get();
    return Array.isArray(value) ? value.filter(isEntry).slice(-MOST) : [];
  }

  /** @param {string} text @param {number} [at] */
  add(text, at = Date.now()) {
    const others = this.entries.filter((entry) => entry.text !== text);
    this.#kept.set([...others, { text, at }].slice(-MOST));
  }
}

/** @param {any} value @returns {value is Entry} */
const isEntry = (value) => typeof value?.text === "string" && typeof value?.at === "number";
