/**
 * What survives the page: unconfirmed edits, and what was set aside, in IndexedDB.
 *
 * Edits are kept by (scope, client id, file), where the scope is a person in a session; a browser that several
 * people use shows nobody what another typed. A row holds an older confirmed text, the confirmed changes since, and
 * the unconfirmed edits with their counters. The text is written only when it changed to another version, so a save between
 * two keystrokes is small. Rows of files with nothing unconfirmed are removed.
 *
 * A save is over when the transaction is complete. Durability is relaxed: it survives the death of the page and
 * of the browser; what a power cut may take is found by the counters after the reload.
 * A store that fails goes on as one that keeps nothing, and says so once.
 */

import { Emitter } from "../lib/emitter.js";

/** @import { ChangeJson } from "../net/messages.js" */
/** @import { Kept, Stored } from "./replica.js" */

/** @typedef {{ slug: string, client: string, counter: number, at: number }} ClientRow */
/** @typedef {Stored & { file: string, path: string }} StoredFile */
/** @typedef {{ id: string, file: string, path: string, message: string, text: string, edit: { base: string, changes: ChangeJson } | null, at: number }} StoredAside */

const NAME = "flint";
const VERSION = 2;
/** The fields of each table's key; `slug` is the scope. */
const KEYS = {
  clients: ["slug", "client"],
  texts: ["slug", "client", "file"],
  edits: ["slug", "client", "file"],
  asides: ["slug", "id"],
};
const OPEN_MS = 3_000;

/** @extends {Emitter<{ failed: unknown }>} */
export class Store extends Emitter {
  #slug;
  /** @type {IDBDatabase | null} */
  #db = null;
  /** The version of the text that is written, by client and file. @type {Map<string, number>} */
  #written = new Map();

  /** @param {string} slug the scope: whose, and in which session */
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
    const names = /** @type {const} */ (["clients", "texts", "edits"]);
    await this.#write(names, ({ clients, texts, edits }) => {
      /** @type {Map<string, number>} */
      const written = new Map();
      clients.put({ slug: this.#slug, client, counter, at: Date.now() });
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
        for (const table of [texts, edits]) table.delete([this.#slug, client, file]);
      }
      // Now, not when it is done: a save that begins before that stands behind this one in the database.
      this.#written = written;
    });
  }

  /** Removes everything a page left. @param {string} client */
  async forget(client) {
    const names = /** @type {const} */ (["clients", "texts", "edits"]);
    await this.#write(names, ({ clients, texts, edits }) => {
      clients.delete([this.#slug, client]);
      for (const table of [texts, edits]) table.delete(prefix([this.#slug, client]));
    });
  }

  /**
   * Returns what was set aside in this session and not dealt with, oldest first.
   * @returns {Promise<StoredAside[]>}
   */
  async asides() {
    const rows = await this.#all("asides", [this.#slug]);
    return rows.sort((one, other) => one.at - other.at);
  }

  /** @param {StoredAside} aside */
  async keepAside(aside) {
    await this.#write(["asides"], ({ asides }) => asides.put({ slug: this.#slug, ...aside }));
  }

  /** @param {string} id */
  async dropAside(id) {
    await this.#write(["asides"], ({ asides }) => asides.delete([this.#slug, id]));
  }

  /**
   * Runs `work` in a transaction on these tables; resolves when it is complete, also when it failed.
   * @param {readonly (keyof typeof KEYS)[]} names
   * @param {(tables: Record<keyof typeof KEYS, IDBObjectStore>) => void} work
   */
  async #write(names, work) {
    if (!this.#db) return;
    try {
      const transaction = this.#db.transaction(names, "readwrite", { durability: "relaxed" });
      const done = completion(transaction);
      const tables = names.map((name) => [name, transaction.objectStore(name)]);
      work(Object.fromEntries(tables));
      // Not left to the last answer, which a page that is going does not live to see.
      transaction.commit?.();
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
  const request = factory.open(NAME, VERSION);
  request.onupgradeneeded = () => {
    const { result: db } = request;
    for (const [name, keyPath] of Object.entries(KEYS)) {
      if (!db.objectStoreNames.contains(name)) db.createObjectStore(name, { keyPath });
    }
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
