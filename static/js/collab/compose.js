/**
 * Makes one update of the last two, as long as nobody has heard of either: a thousand keys typed offline are a
 * few updates when the connection is back, and cost every entry that comes meanwhile a few mappings.
 *
 * Only updates that were never pushed may be composed: one that was pushed is one entry of the log, and mapping over
 * a composition is not mapping over its parts. So the page really holds the composition from here on, and maps
 * that; the server maps the same one.
 */

import { receiveUpdates, sendableUpdates } from "../../vendor/codemirror.js";
import { changeBytes } from "./split.js";

/** @import { Annotation, ChangeSet, EditorState, Transaction } from "../../vendor/codemirror.js" */

/** Updates are composed up to this size; composing a large one with each key would be felt. */
const MOST_BYTES = 4 * 1024;
/** From so many updates on, edits in different places are composed too. */
const MANY = 200;

/**
 * Returns the transaction that makes one update of the last two, or null when they are better left as they are:
 * they lie apart, or the update would be large. It changes neither text nor selection.
 * @param {EditorState} state
 * @param {number} unsent how many of the last updates were never pushed
 * @returns {{ transaction: Transaction, empty: boolean } | null} empty: together they did nothing, and both are gone
 */
export function composeLast(state, unsent) {
  const updates = sendableUpdates(state);
  if (unsent < 2 || updates.length < 2) return null;
  const [one, other] = updates.slice(-2);
  if (unsent <= MANY && !touch(one.changes, other.changes)) return null;
  const changes = one.changes.compose(other.changes);
  if (changeBytes(changes) > MOST_BYTES) return null;
  const joined = like(other, { changes });
  const { empty } = changes;
  const unconfirmed = [...updates.slice(0, -2), ...(empty ? [] : [joined])];
  return { transaction: withUnconfirmed(state, unconfirmed), empty };
}

/**
 * Whether the second changes text right where the first did, and neither does anything elsewhere.
 * @param {ChangeSet} one
 * @param {ChangeSet} other
 */
function touch(one, other) {
  /** @type {[number, number][]} */
  const before = [];
  /** @type {[number, number][]} */
  const after = [];
  one.iterChangedRanges((_fromA, _toA, from, to) => before.push([from, to]));
  other.iterChangedRanges((from, to) => after.push([from, to]));
  if (before.length !== 1 || after.length !== 1) return false;
  return after[0][0] <= before[0][1] && after[0][1] >= before[0][0];
}

/**
 * Returns a transaction that gives collab other unconfirmed updates. Its state and the annotation that sets it are private to
 * @codemirror/collab, so both are taken from a transaction of its own; the vendored version is pinned.
 * @param {EditorState} state
 * @param {readonly object[]} unconfirmed
 */
function withUnconfirmed(state, unconfirmed) {
  const { annotations } = /** @type {{ annotations: Annotation<any>[] }} */ (
    /** @type {unknown} */ (receiveUpdates(state, []))
  );
  const own = annotations.find(({ value }) => Array.isArray(value?.unconfirmed));
  if (!own) throw new RangeError("Collab keeps its unconfirmed updates somewhere else now.");
  return state.update({
    annotations: own.type.of(like(own.value, { unconfirmed })),
    filter: false,
  });
}

/**
 * Returns an object of the same class with some fields of its own.
 * @template {object} T
 * @param {T} object
 * @param {Partial<T>} fields
 * @returns {T}
 */
function like(object, fields) {
  return Object.assign(Object.create(Object.getPrototypeOf(object)), object, fields);
}
