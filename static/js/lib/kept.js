/**
 * The small things that this browser keeps for one person: drafts, earlier prompts, choices, prompts that wait, open
 * files and folders. A key is `flint.<what>.<person>[.<session>]`, so signing out can clear them all, and two people
 * who share a browser never see each other's. Without storage everything works, and lasts until the page is closed.
 */

/** What every key begins with. */
export const PREFIX = "flint.";

export class Kept {
  #key;
  #storage;
  /** @type {unknown} */
  #value = null;
  /** Whether the storage did not take that value, so that an older one stands there. */
  #refused = false;

  /**
   * @param {string} key after the prefix
   * @param {() => Storage} [storage] that of the tab or of the browser; asked for each time, since it may be refused
   */
  constructor(key, storage = () => localStorage) {
    this.#key = PREFIX + key;
    this.#storage = storage;
  }

  /** Returns what was kept last, also by another tab, or null. @returns {any} */
  get() {
    if (this.#refused) return this.#value;
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
    this.#refused = false;
    try {
      if (value === null) this.#storage().removeItem(this.#key);
      else this.#storage().setItem(this.#key, JSON.stringify(value));
    } catch {
      // Full or forbidden: it lasts until the page is closed.
      this.#refused = true;
    }
  }

  /** Calls `listener` when another tab keeps another value. @param {() => void} listener */
  onChange(listener) {
    globalThis.addEventListener?.("storage", ({ key }) => {
      if (key === this.#key) listener();
    });
  }
}

/**
 * Returns the names of what is kept for a person, and of what says of nobody whose it is.
 * @param {Storage} storage
 * @param {string} user
 * @returns {string[]}
 */
export function keptFor(storage, user) {
  const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? "");
  return keys.filter((key) => {
    if (!key.startsWith(PREFIX)) return false;
    const [, , whose = user] = key.split(".");
    return whose === user;
  });
}
