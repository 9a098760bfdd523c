/**
 * Unsent text that the server would not take: kept so that the person can copy it or apply it again. Nothing
 * typed vanishes.
 */

import { ChangeSet, Text } from "../../vendor/codemirror.js";
import { newId } from "../lib/ids.js";
import { Replica } from "./replica.js";

/** @import { StoredAside, StoredFile } from "./store.js" */

/**
 * @typedef {object} SetAside
 * @property {string} id
 * @property {string} file
 * @property {string} path
 * @property {string} message why, as a sentence
 * @property {string} text what was typed, the places joined by line breaks
 * @property {{ base: Text, changes: ChangeSet } | null} edit the confirmed text it was typed into and what was
 * done to it; null when that is not known any more, and only the text can be copied
 */

/**
 * Returns the text that a change inserts, its places joined by line breaks.
 * @param {ChangeSet} changes
 */
export function insertedText(changes) {
  /** @type {string[]} */
  const texts = [];
  changes.iterChanges((_fromA, _toA, _fromB, _toB, inserted) => {
    if (inserted.length) texts.push(inserted.toString());
  });
  return texts.join("\n");
}

/**
 * Returns `changes`, which was made to `base`, so that it fits `now`: over the one range in which the two
 * texts differ.
 * @param {Text} base
 * @param {ChangeSet} changes
 * @param {Text} now
 * @returns {ChangeSet}
 */
export function applyAgain(base, changes, now) {
  const before = base.toString();
  const after = now.toString();
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start++;
  let end = 0;
  while (end < most - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  const between = ChangeSet.of(
    {
      from: start,
      to: before.length - end,
      insert: now.slice(start, after.length - end),
    },
    before.length,
  );
  return changes.map(between);
}

/**
 * Returns what a file has unconfirmed, as set aside, or null when that is nothing.
 * @param {Replica} replica
 * @param {string} path
 * @param {string} message
 * @returns {SetAside | null}
 */
export function asideOf(replica, path, message) {
  const changes = replica.unconfirmed();
  if (!changes || changes.empty) return null;
  const { file, base } = replica;
  const text = insertedText(changes);
  return { id: newId(), file, path, message, text, edit: { base, changes } };
}

/**
 * The same of what was stored, also when not even the text it was typed into can be made again.
 * @param {StoredFile} kept
 * @param {string} message
 * @returns {SetAside | null}
 */
export function asideOfStored(kept, message) {
  const { file, path, pending } = kept;
  try {
    return asideOf(Replica.restore({ ...kept, clientId: newId() }), path, message);
  } catch {
    const text = pending.flatMap(({ c }) =>
      c.flatMap((part) => (Array.isArray(part) ? part.slice(1).join("\n") : [])),
    );
    return { id: newId(), file, path, message, text: text.join(""), edit: null };
  }
}

/**
 * Returns it as it is stored.
 * @param {SetAside} aside
 * @returns {StoredAside}
 */
export function pack({ edit, ...rest }) {
  const stored = edit && { base: edit.base.toString(), changes: edit.changes.toJSON() };
  return { ...rest, edit: stored, at: Date.now() };
}

/**
 * Returns it as it was before it was stored.
 * @param {StoredAside} row
 * @returns {SetAside}
 */
export function unpack({ edit, id, file, path, message, text }) {
  const known = edit && {
    base: Text.of(edit.base.split("\n")),
    changes: ChangeSet.fromJSON(edit.changes),
  };
  return { id, file, path, message, text, edit: known };
}
