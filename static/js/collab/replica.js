/**
 * One file as this page has it: the confirmed text at a version, the edits on top that are not confirmed, and
 * the frames that wait to be taken in. Pure but for CodeMirror's state, so it runs under Node as it is.
 *
 * Invariants:
 * - `base` is the text at `version` as every replica has it; `state.doc` is `base` with the unconfirmed edits.
 * - While anything is unconfirmed, entries are taken in one at a time: mapping own edits over a composition is
 *   not mapping them over its parts, and receiving several updates at once diverges. With nothing to map, those
 *   of a frame make one transaction: each transaction costs the language's parser up to 20 ms.
 * - `#numbers` holds the counters of the first unconfirmed updates, those that were pushed or are about to be;
 *   collab keeps the updates themselves, in the same order, rebased. A counter is given when a push is made
 *   and never changes; an own entry must carry the first of them. Anything else is a Mismatch.
 * - `#edits` says of each unconfirmed update how many edits of the person it holds: those that have no counter may be
 *   composed while there is no connection.
 */

import {
  ChangeSet,
  collab,
  EditorState,
  getSyncedVersion,
  receiveUpdates,
  sendableUpdates,
  Text,
} from "../../vendor/codemirror.js";
import { asciiJson } from "../lib/json.js";
import { composeLast } from "./compose.js";
import { Inbox } from "./inbox.js";
import { cutLarge } from "./paste.js";
import { changeBytes } from "./split.js";
import { Timeline } from "./timeline.js";
import { Trail } from "./trail.js";
import { describe, turnEdit } from "./turnedit.js";

/** @import { Extension, Transaction } from "../../vendor/codemirror.js" */
/** @import { ChangeJson, Entry } from "../net/messages.js" */
/** @import { Marker } from "./inbox.js" */

/** No update takes more of a push than this, so that a large paste does not hold up what follows. */
export const UPDATE_BYTES = 64 * 1024;
/** Updates a push may carry. */
export const PUSH_UPDATES = 200;
/** Markers looked at in a frame besides its entries. */
const MARKERS = 500;

/** The server's log and this page disagree about which own edits it has. */
export class Mismatch extends Error {}
/** An entry before this one is missing; the file must be opened again from its version. */
export class Gap extends Error {}

/**
 * @typedef {object} Kept a replica as it must be stored
 * @property {number} version of `text`
 * @property {Text} text
 * @property {ChangeJson[]} trail the confirmed changes since `version`
 * @property {{ n: number | null, c: ChangeJson, edits?: number }[]} pending
 */
/** @typedef {Omit<Kept, "text"> & { text: string }} Stored a replica as it comes back from the store */

export class Replica {
  #file;
  #clientId;
  #extensions;
  /** @type {EditorState} */
  #state;
  /** @type {Text} */
  #base;
  /** @type {number[]} */
  #numbers = [];
  /** @type {number[]} */
  #edits = [];
  #inbox = new Inbox();
  /** Entries that wait to be one transaction; none while anything is unconfirmed. @type {Parameters<typeof receiveUpdates>[1][number][]} */
  #batch = [];
  #timeline;
  #trail;

  /**
   * @param {object} options
   * @param {string} options.file
   * @param {string} options.clientId
   * @param {string} options.text the confirmed text
   * @param {number} options.version its version
   * @param {Extension} [options.extensions] what the editor adds
   */
  constructor({ file, clientId, text, version, extensions = [] }) {
    this.#file = file;
    this.#clientId = clientId;
    this.#extensions = extensions;
    // Not EditorState's own splitting, which takes \r for a line break and would shift every offset.
    this.#base = Text.of(text.split("\n"));
    this.#timeline = new Timeline(version);
    this.#trail = new Trail(this.#base, version);
    this.#state = this.#fresh(this.#base, version);
  }

  /**
   * Returns a replica as it was when it was stored: same text, same unconfirmed edits, same counters.
   * @param {Stored & { file: string, clientId: string, extensions?: Extension }} kept
   * @throws {RangeError} when the stored changes do not fit the stored text
   */
  static restore({ file, clientId, extensions, version, text, trail, pending }) {
    let base = Text.of(text.split("\n"));
    for (const change of trail) base = ChangeSet.fromJSON(change).apply(base);
    const replica = new Replica({
      file,
      clientId,
      extensions,
      text: base.toString(),
      version: version + trail.length,
    });
    for (const { n, c, edits = 1 } of pending) {
      const changes = ChangeSet.fromJSON(c);
      // Others have undone it, and nobody waits for it.
      if (n === null && changes.empty) continue;
      replica.#state = replica.#state.update({ changes, filter: false }).state;
      replica.#edits.push(edits);
      if (n !== null) replica.#numbers.push(n);
    }
    if (sendableUpdates(replica.#state).length !== replica.#edits.length) {
      throw new RangeError("A stored edit changes nothing, so its counter has no update.");
    }
    return replica;
  }

  get file() {
    return this.#file;
  }

  get state() {
    return this.#state;
  }

  /** The version up to which everything is confirmed and taken in. */
  get version() {
    return getSyncedVersion(this.#state);
  }

  /** The text at `version`. */
  get base() {
    return this.#base;
  }

  /** How many updates are not confirmed. */
  get pending() {
    return sendableUpdates(this.#state).length;
  }

  /** How many edits of the person those updates hold. */
  get edits() {
    return this.#edits.reduce((sum, count) => sum + count, 0);
  }

  /** How many frames wait to be taken in. */
  get waiting() {
    return this.#inbox.size;
  }

  /**
   * Takes a person's transactions in. Returns those to show instead: a change too large for one push comes
   * back as several, and what is typed away from the server is made one update with what was typed before.
   * @param {readonly Transaction[]} transactions starting at `state`
   * @param {boolean} [away] whether nothing can be pushed at this moment
   * @returns {readonly Transaction[]}
   */
  local(transactions, away = false) {
    if (transactions[0] && transactions[0].startState !== this.#state) {
      throw new RangeError("A transaction must start from the replica's state.");
    }
    const large = transactions.some(
      (tr) => tr.docChanged && changeBytes(tr.changes) > UPDATE_BYTES,
    );
    const all = large ? cutLarge(this.#state, transactions, UPDATE_BYTES) : transactions;
    this.#state = all.at(-1)?.state ?? this.#state;
    const made = all.filter((tr) => tr.docChanged).length;
    for (let i = 0; i < made; i++) this.#edits.push(1);
    return away ? [...all, ...this.#compose(made)] : all;
  }

  /** @param {number} most */
  #compose(most) {
    /** @type {Transaction[]} */
    const transactions = [];
    while (most-- > 0) {
      const composed = composeLast(this.#state, this.#edits.length - this.#numbers.length);
      if (!composed) break;
      this.#go(composed.transaction, transactions);
      const [one, other] = this.#edits.splice(-2);
      if (!composed.empty) this.#edits.push(one + other);
    }
    return transactions;
  }

  /**
   * Queues an entry, or a marker that must not run before the entries it stands behind.
   * @param {Entry | Marker} item
   */
  enqueue(item) {
    this.#inbox.add(item);
  }

  /**
   * Takes at most `limit` entries in, and the markers among them.
   * @param {number} limit
   * @param {() => boolean} [enough] ends it after any transaction, when the frame's time is used up
   * @returns {{ transactions: Transaction[], problem: Error | null }} the transactions start one after another
   * at the state before. A problem (Mismatch, Gap, or a RangeError when a change does not fit the text) ends
   * it early; what was taken in before stays, and the file must be opened again.
   */
  drain(limit, enough = () => false) {
    /** @type {Transaction[]} */
    const transactions = [];
    /** @type {Error | null} */
    let problem = null;
    let taken = 0;
    const waiting = this.#inbox.first(limit + MARKERS);
    try {
      while (taken < waiting.length && limit > 0 && !(transactions.length && enough())) {
        const item = waiting[taken++];
        if ("run" in item) {
          this.#flush(transactions);
          if (this.#inbox.admits(item, this.version)) this.#mark(item, transactions);
        } else if (this.#receive(item, transactions)) limit--;
      }
      this.#flush(transactions);
      for (const marker of this.#inbox.release(this.version)) this.#mark(marker, transactions);
    } catch (error) {
      problem = /** @type {Error} */ (error);
      this.#flush(transactions);
    }
    this.#inbox.drop(taken);
    return { transactions, problem };
  }

  /** Forgets what waits; the file is about to be opened again. */
  clearQueue() {
    this.#inbox.restart();
  }

  /**
   * Returns the next push, or null when nothing is unconfirmed. Updates without a counter get one from `next`.
   * @param {number} maxBytes
   * @param {() => number} next
   * @returns {{ v: number, updates: { n: number, c: ChangeJson }[] } | null}
   */
  takePush(maxBytes, next) {
    const updates = [];
    let bytes = 0;
    for (const [index, update] of sendableUpdates(this.#state).entries()) {
      if (index >= PUSH_UPDATES) break;
      const c = /** @type {ChangeJson} */ (update.changes.toJSON());
      bytes += asciiJson(c).length + 32;
      if (index && bytes > maxBytes) break;
      if (index >= this.#numbers.length) this.#numbers.push(next());
      updates.push({ n: this.#numbers[index], c });
    }
    return updates.length ? { v: this.version, updates } : null;
  }

  /** The counter of the oldest update that was pushed and not confirmed, or null. */
  get firstNumber() {
    return this.#numbers[0] ?? null;
  }

  /** Returns what must be stored so that nothing typed is lost with the page. @returns {Kept} */
  keep() {
    const { text, version, changes } = this.#trail;
    return {
      version,
      text,
      trail: [...changes],
      pending: sendableUpdates(this.#state).map((update, index) => ({
        n: this.#numbers[index] ?? null,
        c: /** @type {ChangeJson} */ (update.changes.toJSON()),
        edits: this.#edits[index],
      })),
    };
  }

  /**
   * Returns all unconfirmed edits as one change of `base`, or null when there are none.
   * @returns {ChangeSet | null}
   */
  unconfirmed() {
    const updates = sendableUpdates(this.#state);
    if (!updates.length) return null;
    return updates.slice(1).reduce((all, one) => all.compose(one.changes), updates[0].changes);
  }

  /**
   * Returns where an offset of version `v` stands at `version`, or null when that is not known.
   * @param {number} v
   * @param {number} offset
   * @param {number} [assoc]
   */
  confirmedPlace(v, offset, assoc = -1) {
    const at = this.#timeline.place(v, offset, assoc);
    return at === null || at > this.#base.length ? null : at;
  }

  /**
   * The same in the text on the screen.
   * @param {number} v
   * @param {number} offset
   * @param {number} [assoc]
   */
  place(v, offset, assoc = -1) {
    let at = this.confirmedPlace(v, offset, assoc);
    if (at === null) return null;
    for (const { changes } of sendableUpdates(this.#state)) at = changes.mapPos(at, assoc);
    return at;
  }

  /**
   * Returns where an offset of the text on the screen stands at `version`, for telling others.
   * @param {number} offset
   */
  toServer(offset) {
    for (const { changes } of [...sendableUpdates(this.#state)].reverse()) {
      offset = changes.invertedDesc.mapPos(offset, -1);
    }
    return offset;
  }

  /** @param {Text} doc @param {number} version */
  #fresh(doc, version) {
    return EditorState.create({
      doc,
      extensions: [collab({ startVersion: version, clientID: this.#clientId }), this.#extensions],
    });
  }

  /** @param {Marker} marker @param {Transaction[]} transactions */
  #mark(marker, transactions) {
    const effects = marker.run(this);
    if (effects?.length) this.#go(this.#state.update({ effects, filter: false }), transactions);
  }

  /** @param {Entry} entry @param {Transaction[]} transactions */
  #receive(entry, transactions) {
    const version = this.version + this.#batch.length;
    if (entry.v <= version) return false;
    if (entry.v !== version + 1) throw new Gap(`Version ${entry.v} came after ${version}.`);
    const changes = ChangeSet.fromJSON(entry.c);
    const own = entry.client === this.#clientId;
    if (own && entry.n !== this.#numbers[0]) {
      throw new Mismatch(`Update ${entry.n} was confirmed, ${this.#numbers[0]} was awaited.`);
    }
    const before = this.#base;
    const after = changes.apply(before);
    const effects = entry.turn ? [turnEdit.of(describe(before, changes, entry))] : undefined;
    const update = { changes, clientID: entry.client, effects };
    if (this.pending) {
      const transaction = receiveUpdates(this.#state, [update]);
      if (own && !sendableUpdates(transaction.state).length && !after.eq(transaction.state.doc)) {
        throw new RangeError(`Version ${entry.v} is not the text that was sent.`);
      }
      this.#go(transaction, transactions);
    } else this.#batch.push(update);
    if (own) {
      this.#numbers.shift();
      this.#edits.shift();
    }
    this.#base = after;
    this.#timeline.add(changes.desc);
    this.#trail.add(changes, after, entry.v);
    return true;
  }

  /** Makes the batch a transaction. @param {Transaction[]} transactions */
  #flush(transactions) {
    if (!this.#batch.length) return;
    const batch = this.#batch;
    this.#batch = [];
    this.#go(receiveUpdates(this.#state, batch), transactions);
    // The same text; one copy of it is enough.
    this.#base = this.#state.doc;
  }

  /** @param {Transaction} transaction @param {Transaction[]} transactions */
  #go(transaction, transactions) {
    this.#state = transaction.state;
    transactions.push(transaction);
  }
}
