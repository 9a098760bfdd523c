/**
 * What survives the page: unconfirmed edits, what was set aside, and the session as it was last seen, in
 * IndexedDB.
 *
 * Edits are kept by (scope, client id, file), where the scope is a person in a session. A row holds an older confirmed text, the confirmed changes since, and
 * the unconfirmed edits with their counters. The text is written only when it changed to another version, so a save between
 * two keystrokes is small. Rows of files with nothing unconfirmed are removed.
 *
 * A save is over when the transaction is complete. Durability is relaxed: it survives the death of the page and
 * of the browser; what a power cut may take is found by the counters after the reload.
 * A store that fails goes on as one that keeps nothing, and says so once. The last seen texts are a convenience, and come second:
 * when there is no room for them, the edits go on being kept.
 */

import { Emitter } from "../lib/emitter.js";
import { answer, connect, prefix, write } from "./database.js";

/** @import { ChangeJson } from "../net/messages.js" */
/** @import { Table } from "./database.js" */
/** @import { Kept, Stored } from "./replica.js" */

/** @typedef {{ slug: string, client: string, counter: number, at: number }} ClientRow */
/** @typedef {Stored & { file: string, path: string }} StoredFile */
/** @typedef {{ id: string, file: string, path: string, message: string, text: string, edit: { base: string, changes: ChangeJson } | null, at: number }} StoredAside */
/** @typedef {{ file: string, version: number, text: string }} Shelved a confirmed text */

/** @extends {Emitter<{ failed: unknown, full: unknown }>} */
export class Store extends Emitter {
  #slug;
  /** @type {IDBDatabase | null} */
  #db = null;
  /** The version of the text that is written, by client and file. @type {Map<string, number>} */
  #written = new Map();
  #full = false;

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
   * @param {IDBFactory | undefined} [factory] this browser's, when none is given; a browser may refuse even to show it
   */
  async open(factory) {
    try {
      this.#db = await connect(factory);
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

  /** Returns the session as it was last seen, or null. @returns {Promise<any>} */
  async session() {
    const [row] = await this.#all("sessions", [this.#slug]);
    return row?.state ?? null;
  }

  /**
   * Keeps the session as it is now.
   * @param {string} title
   * @param {object} state
   */
  async keepSession(title, state) {
    const row = { slug: this.#slug, title, state, at: Date.now() };
    await this.#spare(["sessions"], ({ sessions }) => sessions.put(row));
  }

  /**
   * Returns a text as it was last seen, or null.
   * @param {string} file
   * @returns {Promise<Shelved | null>}
   */
  async shelved(file) {
    const [row] = await this.#all("shelf", [this.#slug, file]);
    return row ?? null;
  }

  /** Returns the files whose text was seen. @returns {Promise<string[]>} */
  async shelvedFiles() {
    if (!this.#db) return [];
    try {
      const table = this.#db.transaction("shelf").objectStore("shelf");
      const keys = await answer(table.getAllKeys(prefix([this.#slug])));
      return keys.map((key) => /** @type {string[]} */ (key)[1]);
    } catch {
      return [];
    }
  }

  /**
   * Keeps texts as they are now, and drops others.
   * @param {Shelved[]} texts
   * @param {string[]} gone
   */
  async shelve(texts, gone) {
    await this.#spare(["shelf"], ({ shelf }) => {
      for (const text of texts) shelf.put({ slug: this.#slug, ...text, at: Date.now() });
      for (const file of gone) shelf.delete([this.#slug, file]);
    });
  }

  /**
   * Writes what can be done without; that it could not is said once.
   * @param {readonly Table[]} names
   * @param {(tables: Record<Table, IDBObjectStore>) => void} work
   */
  async #spare(names, work) {
    if (!this.#db || this.#full) return;
    try {
      await write(this.#db, names, work);
    } catch (error) {
      this.#full = true;
      this.emit("full", error);
    }
  }

  /**
   * Runs `work` in a transaction on these tables; resolves when it is complete, also when it failed.
   * @param {readonly Table[]} names
   * @param {(tables: Record<Table, IDBObjectStore>) => void} work
   */
  async #write(names, work) {
    if (!this.#db) return;
    try {
      await write(this.#db, names, work);
    } catch (error) {
      this.#fail(error);
    }
  }

  /** @param {Table} name @param {string[]} start @returns {Promise<any[]>} */
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
