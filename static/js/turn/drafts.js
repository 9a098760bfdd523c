/**
 * What stands in the box and was not sent, kept for this person and session across reloads and closed tabs. The
 * text says by itself which files it mentions, so it is all there is to keep.
 *
 * A prompt on its way to the server is a draft until the answer is here. Should the page go in between, the id
 * tells the next one whether it arrived.
 */

/** @import { Kept } from "../lib/kept.js" */

/** @typedef {{ text: string, id?: string }} Draft */

export class Drafts {
  #kept;

  /** @param {Kept} kept */
  constructor(kept) {
    this.#kept = kept;
  }

  /** @returns {Draft} */
  get() {
    const value = this.#kept.get();
    if (typeof value?.text !== "string") return { text: "" };
    return typeof value.id === "string" ? { text: value.text, id: value.id } : { text: value.text };
  }

  /** @param {string} text @param {string} [id] of the prompt that it is on its way as */
  set(text, id) {
    this.#kept.set(text ? { text, ...(id ? { id } : {}) } : null);
  }
}

/**
 * Returns what is still to be sent of a draft, given what the server has.
 * @param {Draft} draft
 * @param {(id: string) => boolean} has whether a prompt with this id is known there
 */
export const unsent = ({ text, id }, has) => (id && has(id) ? "" : text);
