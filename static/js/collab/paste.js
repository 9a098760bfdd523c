/**
 * A transaction with a change too large for one push, done again as several that together do the same and are
 * one step of undo.
 */

import { Annotation, Transaction } from "../../vendor/codemirror.js";
import { splitChanges } from "./split.js";

/** @import { EditorState } from "../../vendor/codemirror.js" */

/** Marks the later parts of a cut change; the history joins them to the first (its `joinToEvent`). */
export const continued = /** @type {ReturnType<typeof Annotation.define<boolean>>} */ (
  Annotation.define()
);

/**
 * Returns `transactions` with each change of at most `limitBytes`, starting from `state`.
 * @param {EditorState} state
 * @param {readonly Transaction[]} transactions
 * @param {number} limitBytes
 * @returns {Transaction[]}
 */
export function cutLarge(state, transactions, limitBytes) {
  /** @type {Transaction[]} */
  const all = [];
  for (const transaction of transactions) {
    const parts = splitChanges(transaction.changes, limitBytes);
    if (parts.length === 1 && transaction.startState === state) {
      all.push(transaction);
      state = transaction.state;
      continue;
    }
    for (const [index, changes] of parts.entries()) {
      const last = index === parts.length - 1;
      const part = state.update({
        changes,
        annotations: index ? laterAnnotations(transaction) : annotationsOf(transaction),
        // Selection and effects speak of the text after the whole change.
        selection: last ? transaction.selection : undefined,
        effects: last ? transaction.effects : undefined,
        scrollIntoView: last && transaction.scrollIntoView,
        filter: false,
      });
      all.push(part);
      state = part.state;
    }
  }
  return all;
}

/**
 * Undo and redo carry a private annotation that moves the history; each part needs it, and is a step of its
 * own then. Other changes join the step of their first part.
 * @param {Transaction} transaction
 */
function laterAnnotations(transaction) {
  if (transaction.isUserEvent("undo") || transaction.isUserEvent("redo")) {
    return annotationsOf(transaction);
  }
  const kept = transaction.annotation(Transaction.addToHistory);
  return [
    continued.of(true),
    Transaction.time.of(transaction.annotation(Transaction.time) ?? Date.now()),
    ...(kept === undefined ? [] : [Transaction.addToHistory.of(kept)]),
  ];
}

/**
 * All annotations of a transaction. CodeMirror lets one ask for a known type only, and types such as that of
 * the history are private; the field is there, and stable since 0.18.
 * @param {Transaction} transaction
 * @returns {Annotation<any>[]}
 */
function annotationsOf(transaction) {
  return /** @type {any} */ (transaction).annotations;
}
