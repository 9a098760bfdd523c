/**
 * A session's past, read over HTTP: what happened, the files at a moment, a file's text, the entries between two
 * moments. What an address with moments in it answers with never changes, so answers are kept here too.
 *
 * @typedef {{ name: string, model: boolean }} Who
 * @typedef {object} Moment
 * @property {"turn" | "checkpoint" | "create" | "rename" | "delete" | "restore"} kind
 * @property {number} seq
 * @property {number} [to] its last entry
 * @property {number} at milliseconds since 1970
 * @property {string} [name] whose it is, of a turn or a checkpoint
 * @property {string} [text] a turn's prompt, a checkpoint's label
 * @property {string} [state]
 * @property {number} [by] whose it is, as a place among the people
 * @property {number} [count]
 * @property {string} [path]
 * @typedef {[number, number, number, [number, number][]]} Bucket number, first and last time, [who, entries]
 * @typedef {{ first: number, last: number, width: number, buckets: Bucket[], moments: Moment[], people: Who[] }} Overview
 * @typedef {{ file: string, path: string, v: number, ending: string, binary: boolean }} Listed
 * @typedef {{ seq: number, files: Listed[] }} Project
 * @typedef {{ seq: number, file: string, v: number, text: string }} Text
 * @typedef {object} Entry
 * @property {number} seq
 * @property {string} file
 * @property {string} kind
 * @property {number} by
 * @property {number} at
 * @property {number} [v]
 * @property {any[]} [c]
 * @property {string} [path]
 * @property {string} [text]
 * @property {string} [turn]
 * @property {boolean} [restore]
 * @typedef {{ after: number, upto: number, people: Who[], list: Entry[] }} Entries
 */

const KEPT = 60;

/** What could not be read; the message is a sentence for the person, or "". */
export class Unread extends Error {
  /** @param {number} status @param {string} message */
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

export class Source {
  #base;
  #fetch;
  /** @type {Map<string, Promise<any>>} */
  #kept = new Map();

  /**
   * @param {string} base the address of the overview, with a slash behind it
   * @param {typeof fetch} [get]
   */
  constructor(base, get = (...args) => fetch(...args)) {
    this.#base = base;
    this.#fetch = get;
  }

  /** @returns {Promise<Overview>} */
  overview() {
    return this.#read("");
  }

  /** @param {number} seq @returns {Promise<Project>} */
  project(seq) {
    return this.#once(`${seq}/`);
  }

  /** @param {number} seq @param {string} file @returns {Promise<Text>} */
  text(seq, file) {
    return this.#once(`${seq}/${file}/`);
  }

  /**
   * Returns the entries after a moment, as many as one answer takes; `upto` says how far.
   * @param {number} after @param {number} upto @returns {Promise<Entries>}
   */
  entries(after, upto) {
    return this.#once(`${after}-${upto}/`);
  }

  /** @param {string} path */
  #once(path) {
    const known = this.#kept.get(path);
    if (known) return known;
    const answer = this.#read(path);
    this.#kept.set(path, answer);
    answer.catch(() => this.#kept.delete(path));
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > KEPT && oldest !== undefined) this.#kept.delete(oldest);
    return answer;
  }

  /** @param {string} path @returns {Promise<any>} */
  async #read(path) {
    const response = await this.#fetch(this.#base + path, {
      headers: { Accept: "application/json" },
    });
    if (response.ok && !response.redirected) return response.json();
    const told = await response.json().catch(() => ({}));
    throw new Unread(response.status, told.message ?? "");
  }
}
