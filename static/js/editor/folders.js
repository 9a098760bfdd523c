/**
 * Which folders of the tree are open. A small project shows all of it; in a large one folders begin closed, but
 * for those of the file in the editor. What the person opens or closes stays so, in this browser.
 */

import { foldersOf } from "./paths.js";

/** @import { Kept } from "../lib/kept.js" */

const SMALL = 100;
const KEPT = 500;

export class Folders {
  #kept;
  /** What the person said, by folder. @type {Map<string, boolean>} */
  #said;
  #small = true;
  /** Folders of the file in the editor. @type {Set<string>} */
  #around = new Set();

  /** @param {Kept} kept */
  constructor(kept) {
    this.#kept = kept;
    this.#said = new Map(readSaid(kept.get()));
  }

  /**
   * Says whether a folder shows what is in it. One row may stand for several folders in each other.
   * @param {string} folder
   */
  isOpen(folder) {
    return this.#said.get(folder) ?? (this.#small || this.#around.has(folder));
  }

  /** @param {string} folder @param {boolean} open */
  set(folder, open) {
    this.#said.delete(folder);
    this.#said.set(folder, open);
    this.#kept.set([...this.#said].slice(-KEPT));
  }

  /** @param {number} count how many files there are */
  sized(count) {
    this.#small = count <= SMALL;
  }

  /** Shows where a file is, also when its folders were closed. @param {string} path */
  reveal(path) {
    this.#around = new Set(foldersOf(path));
    for (const folder of this.#around)
      if (this.#said.get(folder) === false) this.#said.delete(folder);
  }
}

/** @param {unknown} value @returns {[string, boolean][]} */
function readSaid(value) {
  if (!Array.isArray(value)) return [];
  return value.filter(
    (one) => Array.isArray(one) && typeof one[0] === "string" && typeof one[1] === "boolean",
  );
}
