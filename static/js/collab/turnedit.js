/**
 * What the model just changed, as an effect that travels with its entry's transaction, so that the editor can
 * tint what came and show what went. The positions fit the text after the entry and are mapped over the
 * person's own unconfirmed edits by collab itself.
 */

import { StateEffect } from "../../vendor/codemirror.js";

/** @import { ChangeSet, StateEffectType, Text } from "../../vendor/codemirror.js" */
/** @import { Entry } from "../net/messages.js" */

/**
 * @typedef {object} TurnEdit
 * @property {string} turn
 * @property {number | null} hunk the ordinal within the turn, when the edit belongs to one
 * @property {string} kind edit, settle or revert
 * @property {{ from: number, to: number }[]} added
 * @property {{ at: number, text: string }[]} removed
 */

/** @type {StateEffectType<TurnEdit>} */
export const turnEdit = StateEffect.define({
  map(edit, mapping) {
    return {
      ...edit,
      added: edit.added
        .map(({ from, to }) => ({ from: mapping.mapPos(from, 1), to: mapping.mapPos(to, -1) }))
        .filter(({ from, to }) => from < to),
      removed: edit.removed.map(({ at, text }) => ({ at: mapping.mapPos(at, -1), text })),
    };
  },
});

/**
 * Returns what an entry of a turn changed in the text `before` it.
 * @param {Text} before
 * @param {ChangeSet} changes
 * @param {Entry} entry
 * @returns {TurnEdit}
 */
export function describe(before, changes, entry) {
  /** @type {TurnEdit} */
  const edit = {
    turn: entry.turn ?? "",
    hunk: entry.hunk ?? null,
    kind: entry.kind,
    added: [],
    removed: [],
  };
  changes.iterChanges((fromA, toA, fromB, toB) => {
    if (toB > fromB) edit.added.push({ from: fromB, to: toB });
    if (toA > fromA) edit.removed.push({ at: fromB, text: before.sliceString(fromA, toA, "\n") });
  });
  return edit;
}
