/** Which files this page follows, and how far each of them is: the state that the rules about them share. */

import { Replica } from "./replica.js";

/** @import { Extension } from "../../vendor/codemirror.js" */
/** @import { StoredFile } from "./store.js" */

export class Roster {
  /** Those that are here. @type {Map<string, Replica>} */
  replicas = new Map();
  /** Asked for, not here yet. @type {Set<string>} */
  wanted = new Set();
  /** Those that have every entry up to now, and may push. @type {Set<string>} */
  ready = new Set();
  /** Those whose text is in doubt: it is asked for anew, and entries count again from there. @type {Set<string>} */
  lost = new Set();
  /** Those to leave as soon as everything is confirmed. @type {Set<string>} */
  leaving = new Set();
  #extensions;

  /**
   * @param {string} client the client id that this page greets with
   * @param {(file: string) => Extension} extensions what the editor adds to a file's state
   */
  constructor(client, extensions) {
    this.client = client;
    this.#extensions = extensions;
  }

  /** Those that may push. */
  pushers() {
    return [...this.replicas.values()].filter(({ file }) => this.ready.has(file));
  }

  /** How many edits are not confirmed, over all files. */
  get pending() {
    let pending = 0;
    for (const replica of this.replicas.values()) pending += replica.edits;
    return pending;
  }

  /** Adds a file, or puts another text in its place. @param {string} file @param {string} text @param {number} version */
  create(file, text, version) {
    const extensions = this.#extensions(file);
    const replica = new Replica({ file, clientId: this.client, text, version, extensions });
    this.replicas.set(file, replica);
    return replica;
  }

  /**
   * Adds a file as it was stored.
   * @param {StoredFile} kept
   * @throws {RangeError} when it does not fit together
   */
  restore(kept) {
    const extensions = this.#extensions(kept.file);
    const replica = Replica.restore({ ...kept, clientId: this.client, extensions });
    this.replicas.set(kept.file, replica);
    return replica;
  }

  /** @param {string} file */
  remove(file) {
    this.replicas.delete(file);
    for (const stage of [this.ready, this.leaving, this.lost]) stage.delete(file);
  }
}
