/**
 * What survives the page: unconfirmed edits, in IndexedDB.
 *
 * Kept by (session, client id, file): an older confirmed text, the confirmed changes since, and the unconfirmed
 * edits with their counters. The text is written only when it changed to another version, so a save between
 * two keystrokes is small. Rows of files with nothing unconfirmed are removed.
 *
 * A save is over when the transaction is complete. Durability is relaxed: it survives the death of the page and
 * of the browser; what a power cut may take is found by the counters after the reload.
 * A store that fails goes on as one that keeps nothing, and says so once.
 */

import { Emitter } from "../lib/emitter.js";

/** @import { Kept, Stored } from "./replica.js" */

/** @typedef {{ slug: string, client: string, counter: number, at: number }} ClientRow */
/** @typedef {Stored & { file: string, path: string }} StoredFile */

const NAME = "flint";
const OPEN_MS = 3_000;

/** @extends {Emitter<{ failed: unknown }>} */
export class Store extends Emitter {
  #slug;
  /** @type {IDBDatabase | null} */
  #db = null;
  /** The version of the text that is written, by client and file. @type {Map<string, number>} */
  #written = new Map();

  /** @param {string} slug the session's */
  constructor(slug) {
    super();
    this.#slug = slug;
  }

  /** Whether what is saved here is kept. */
  get works() {
    return this.#db !== null;
  }

  /**
   * Opens the database; without one the store keeps nothing.
   * @param {IDBFactory | undefined} factory
   */
  async open(factory = globalThis.indexedDB) {
    try {
      if (!factory) throw new RangeError("This browser has no IndexedDB.");
      this.#db = await withTimeout(connect(factory), OPEN_MS);
      this.#db.onversionchange = () => this.#db?.close();
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Closes the database; nothing is kept from here on. */
  close() {
    this.#db?.close();
    this.#db = null;
  }

  /**
   * Returns the pages of this session that left something, newest first.
   * @returns {Promise<ClientRow[]>}
   */
  async clients() {
    const rows = await this.#all("clients", [this.#slug]);
    return rows.sort((one, other) => other.at - one.at);
  }

  /**
   * Returns what a page left.
   * @param {string} client
   * @returns {Promise<StoredFile[]>}
   */
  async files(client) {
    const texts = await this.#all("texts", [this.#slug, client]);
    const edits = await this.#all("edits", [this.#slug, client]);
    return edits.flatMap((edit) => {
      const text = texts.find((row) => row.file === edit.file);
      if (!text || text.version !== edit.version) return [];
      this.#written.set(`${client}/${edit.file}`, text.version);
      return [{ ...edit, text: text.text }];
    });
  }

  /**
   * Makes a page's counter and unconfirmed edits durable.
   * @param {string} client
   * @param {number} counter the last that was given
   * @param {(Kept & { file: string, path: string })[]} files those with unconfirmed edits; all others are removed
   * @returns {Promise<void>} resolves when it is done, also when it failed
   */
  async save(client, counter, files) {
    if (!this.#db) return;
    const key = (/** @type {string} */ file) => [this.#slug, client, file];
    /** @type {Map<string, number>} */
    const written = new Map();
    try {
      const transaction = this.#db.transaction(["clients", "texts", "edits"], "readwrite", {
        durability: "relaxed",
      });
      const done = completion(transaction);
      const texts = transaction.objectStore("texts");
      const edits = transaction.objectStore("edits");
      transaction.objectStore("clients").put({ slug: this.#slug, client, counter, at: Date.now() });
      for (const { file, path, version, text, trail, pending } of files) {
        const name = `${client}/${file}`;
        if (this.#written.get(name) !== version) {
          texts.put({ slug: this.#slug, client, file, version, text: text.toString() });
        }
        written.set(name, version);
        edits.put({ slug: this.#slug, client, file, path, version, trail, pending });
      }
      for (const name of this.#written.keys()) {
        const [owner, file] = name.split("/");
        if (owner !== client || written.has(name)) continue;
        texts.delete(key(file));
        edits.delete(key(file));
      }
      await done;
      this.#written = written;
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Removes everything a page left. @param {string} client */
  async forget(client) {
    if (!this.#db) return;
    try {
      const transaction = this.#db.transaction(["clients", "texts", "edits"], "readwrite");
      const done = completion(transaction);
      transaction.objectStore("clients").delete([this.#slug, client]);
      for (const name of ["texts", "edits"]) {
        transaction.objectStore(name).delete(prefix([this.#slug, client]));
      }
      await done;
    } catch (error) {
      this.#fail(error);
    }
  }

  /** @param {string} name @param {string[]} start @returns {Promise<any[]>} */
  async #all(name, start) {
    if (!this.#db) return [];
    try {
      return await answer(this.#db.transaction(name).objectStore(name).getAll(prefix(start)));
    } catch (error) {
      this.#fail(error);
      return [];
    }
  }

  /** @param {unknown} error */
  #fail(error) {
    this.close();
    this.emit("failed", error);
  }
}

/** @param {string[]} start */
function prefix(start) {
  // An array sorts after every string, so this range holds all keys that begin with `start`.
  return globalThis.IDBKeyRange.bound(start, [...start, []]);
}

/** @param {IDBFactory} factory @returns {Promise<IDBDatabase>} */
function connect(factory) {
  const request = factory.open(NAME, 1);
  request.onupgradeneeded = () => {
    request.result.createObjectStore("clients", { keyPath: ["slug", "client"] });
    request.result.createObjectStore("texts", { keyPath: ["slug", "client", "file"] });
    request.result.createObjectStore("edits", { keyPath: ["slug", "client", "file"] });
  };
  return answer(request);
}

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
function answer(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** @param {IDBTransaction} transaction @returns {Promise<void>} */
function completion(transaction) {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
    transaction.onerror = () => reject(transaction.error);
  });
}

/** @template T @param {Promise<T>} promise @param {number} ms @returns {Promise<T>} */
function withTimeout(promise, ms) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new RangeError(`No answer within ${ms} ms.`)), ms);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
