/**
 * Cuts a change that is too large for one push into several that together do the same.
 *
 * This happens before collab sees the change, because each of its updates must fit into a frame whole.
 * Turned down: cutting when pushing; collab would still wait for one confirmation of the whole.
 */

import { ChangeSet, Text } from "../../vendor/codemirror.js";
import { asciiJson, encodedBytes } from "../lib/json.js";

/** What the JSON of one changed place takes besides its text: lengths, brackets, a retain. */
const PLACE_BYTES = 48;

/**
 * Returns how many bytes a change takes in a push.
 * @param {ChangeSet} changes
 */
export function changeBytes(changes) {
  return asciiJson(changes.toJSON()).length;
}

/**
 * Returns changes, each starting where the one before ended, whose composition is `changes` and none of
 * which takes more than `limitBytes` in a push.
 * @param {ChangeSet} changes
 * @param {number} limitBytes
 * @returns {ChangeSet[]}
 */
export function splitChanges(changes, limitBytes) {
  if (limitBytes < 4 * PLACE_BYTES)
    throw new RangeError(`${limitBytes} bytes are too few to cut by.`);
  if (changeBytes(changes) <= limitBytes) return [changes];
  /** @type {ChangeSet[]} */
  const parts = [];
  /** @type {{ from: number, to: number, insert: Text }[]} */
  let places = [];
  let bytes = 0;
  let grown = 0;
  let length = changes.length;
  const close = () => {
    if (!places.length) return;
    const part = ChangeSet.of(places, length);
    parts.push(part);
    length = part.newLength;
    places = [];
    bytes = grown = 0;
  };
  changes.iterChanges((fromA, toA, fromB, _toB, inserted) => {
    let remove = toA - fromA;
    let at = fromB;
    for (const chunk of chunks(inserted.toString(), limitBytes - PLACE_BYTES)) {
      const size = PLACE_BYTES + lineBytes(chunk);
      if (bytes + size > limitBytes) close();
      // Positions count in the text where every earlier place is done; a part's own places are not, yet.
      const from = at - grown;
      places.push({ from, to: from + remove, insert: Text.of(chunk.split("\n")) });
      bytes += size;
      grown += chunk.length - remove;
      at += chunk.length;
      remove = 0;
    }
  });
  close();
  return parts;
}

/** @param {string} text */
function lineBytes(text) {
  let lines = 0;
  for (let i = text.indexOf("\n"); i >= 0; i = text.indexOf("\n", i + 1)) lines++;
  // A line break is `","` in a change and `\n` in encodedBytes.
  return encodedBytes(text) + lines;
}

/**
 * Yields `text` in pieces of at most `limitBytes`, the whole of it also when it is empty.
 * @param {string} text
 * @param {number} limitBytes
 */
function* chunks(text, limitBytes) {
  let start = 0;
  do {
    let end = Math.min(text.length, start + limitBytes);
    // No unit takes more than six bytes, so this ends after a few halvings.
    while (lineBytes(text.slice(start, end)) > limitBytes) end = start + ((end - start) >> 1);
    if (end < text.length && isHigh(text.charCodeAt(end - 1)) && end - start > 1) end--;
    yield text.slice(start, end);
    start = end;
  } while (start < text.length);
}

/** @param {number} unit */
const isHigh = (unit) => unit >= 0xd800 && unit < 0xdc00;
