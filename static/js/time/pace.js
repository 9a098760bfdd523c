/** When each entry is shown while the past plays: as it was, but with less waiting. Pure. */

/** The longest wait between two entries at single speed, in milliseconds. */
export const LONGEST_MS = 700;
export const SPEEDS = [1, 2, 4, 8, 16, 32, 64];

/**
 * Returns how long to wait between two entries.
 * @param {number} from when the one was written, in milliseconds
 * @param {number} to when the next was
 * @param {number} speed
 */
export function wait(from, to, speed) {
  return Math.min(Math.max(0, to - from), LONGEST_MS) / speed;
}

/**
 * Takes from the front of `entries` what is due after `budget` milliseconds, and says what is left of it.
 * @template {{ at: number }} T
 * @param {T[]} entries
 * @param {number | null} last when the entry shown last was written; null for none
 * @param {number} budget
 * @param {number} speed
 * @returns {{ due: T[], left: number }}
 */
export function due(entries, last, budget, speed) {
  const found = [];
  let before = last;
  let left = budget;
  while (entries.length) {
    const cost = before === null ? 0 : wait(before, entries[0].at, speed);
    if (cost > left) break;
    left -= cost;
    const next = /** @type {T} */ (entries.shift());
    before = next.at;
    found.push(next);
  }
  return { due: found, left };
}

/**
 * Returns the moment of the nearest mark before or after `seq`, or the end on that side.
 * @param {{ seq: number, kind: string }[]} moments in rising order
 * @param {number} seq
 * @param {1 | -1} way
 * @param {{ first: number, last: number }} ends
 */
export function nextMark(moments, seq, way, { first, last }) {
  const marks = moments.filter(
    ({ kind }) => kind !== "rename" && kind !== "create" && kind !== "delete",
  );
  const places = marks.map((mark) => mark.seq);
  if (way > 0) return places.find((place) => place > seq) ?? last;
  return places.findLast((place) => place < seq) ?? first;
}
