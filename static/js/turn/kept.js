/**
 * What this browser keeps for one person, in localStorage: drafts, earlier prompts, choices, prompts that wait.
 * Every key begins with PREFIX and names the person, so signing out can clear them all, and two people who share
 * a browser never see each other's. Without storage everything works, and lasts until the page is closed.
 */

/** What every key begins with. */
export const PREFIX = "flint.";

export class Kept {
  #key;
  #storage;
  /** @type {unknown} */
  #value = null;

  /**
   * @param {string} key after the prefix
   * @param {() => Storage} [storage] asked for each time, since a browser may refuse it
   */
  constructor(key, storage = () => localStorage) {
    this.#key = PREFIX + key;
    this.#storage = storage;
  }

  /** Returns what was kept last, also by another tab, or null. @returns {any} */
  get() {
    try {
      this.#value = JSON.parse(this.#storage().getItem(this.#key) ?? "null");
    } catch {
      // What this page knows still holds.
    }
    return this.#value;
  }

  /** Keeps a value, which null forgets. @param {unknown} value */
  set(value) {
    this.#value = value;
    try {
      if (value === null) this.#storage().removeItem(this.#key);
      else this.#storage().setItem(this.#key, JSON.stringify(value));
    } catch {
      // Full or forbidden: it lasts until the page is closed.
    }
  }

  /** Calls `listener` when another tab keeps another value. @param {() => void} listener */
  onChange(listener) {
    globalThis.addEventListener?.("storage", ({ key }) => {
      if (key === this.#key) listener();
    });
  }
}

/** Returns the names of everything kept so far. @param {Storage} storage @returns {string[]} */
export function keptKeys(storage) {
  const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? "");
  return keys.filter((key) => key.startsWith(PREFIX));
}
