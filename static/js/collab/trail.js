/**
 * The confirmed text of a file in a form that is cheap to keep: an older text and the changes since.
 * Writing a 2 MB text for every keystroke would be slow; writing the last few changes is not.
 */

/** @import { ChangeSet, Text } from "../../vendor/codemirror.js" */
/** @import { ChangeJson } from "../net/messages.js" */

const MAX_CHANGES = 200;
const MAX_BYTES = 64 * 1024;

export class Trail {
  /** @type {ChangeJson[]} */
  #changes = [];
  #bytes = 0;

  /**
   * @param {Text} text the confirmed text
   * @param {number} version its version
   */
  constructor(text, version) {
    this.text = text;
    this.version = version;
  }

  /** The changes that lead from `text` to the confirmed text of now. */
  get changes() {
    return this.#changes;
  }

  /**
   * Adds a confirmed change; `after` is the text it led to, at `version`.
   * @param {ChangeSet} change
   * @param {Text} after
   * @param {number} version
   */
  add(change, after, version) {
    const json = change.toJSON();
    this.#bytes += JSON.stringify(json).length;
    if (this.#changes.length >= MAX_CHANGES || this.#bytes > MAX_BYTES) {
      this.text = after;
      this.version = version;
      this.#changes = [];
      this.#bytes = 0;
    } else {
      this.#changes.push(json);
    }
  }
}
