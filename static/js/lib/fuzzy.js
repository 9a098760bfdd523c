/**
 * How well a few letters name a path. Pure.
 *
 * The letters must stand in the text in their order. Those at the beginning of a part (after a slash, a dot, a
 * dash, a capital), one right after the other, and in the file's own name count more, so `tpa` finds
 * `tests/test_parse.py` before `static/pad.js`. The best way to place them is found, not the first.
 */

const EACH = 1;
const IN_NAME = 2;
const IN_ROW = 6;
const AT_PART = 8;
/** Between two equal matches the shorter text is the better one. */
const PER_CHARACTER = 0.05;

/**
 * Returns how well `query` names `text` (more is better) and which characters it named, or null.
 * @param {string} query
 * @param {string} text
 * @returns {{ score: number, marks: number[] } | null}
 */
export function match(query, text) {
  const wanted = query.toLowerCase();
  const low = text.toLowerCase();
  if (!isWithin(wanted, low)) return null;
  const worth = worths(text);
  /** For each letter, where its predecessor stands in the best placement that ends at each place. @type {number[][]} */
  const from = [];
  /** @type {number[]} */
  let before = [];
  for (let i = 0; i < wanted.length; i++) {
    /** @type {number[]} */
    const now = new Array(low.length).fill(Number.NEGATIVE_INFINITY);
    /** @type {number[]} */
    const came = new Array(low.length).fill(-1);
    let best = Number.NEGATIVE_INFINITY;
    let bestAt = -1;
    for (let j = 0; j < low.length; j++) {
      if (low[j] === wanted[i]) {
        const row = i > 0 && j > 0 ? before[j - 1] + IN_ROW : Number.NEGATIVE_INFINITY;
        const apart = i === 0 ? 0 : best;
        now[j] = worth[j] + Math.max(row, apart);
        came[j] = row >= apart ? j - 1 : bestAt;
      }
      // From the next place on, this one is a predecessor that stands apart.
      if (i > 0 && before[j] > best) {
        best = before[j];
        bestAt = j;
      }
    }
    from.push(came);
    before = now;
  }
  let at = before.indexOf(Math.max(...before));
  const score = wanted ? before[at] - PER_CHARACTER * text.length : 0;
  if (score === Number.NEGATIVE_INFINITY) return null;
  /** @type {number[]} */
  const marks = [];
  for (let i = wanted.length - 1; i >= 0; i--) {
    marks.unshift(at);
    at = from[i][at];
  }
  return { score, marks };
}

/**
 * Returns the best `most` of `items`, best first; equal ones stay in their order.
 * @template T
 * @param {string} query
 * @param {T[]} items
 * @param {(item: T) => string} textOf
 * @param {number} most
 * @returns {{ item: T, marks: number[], score: number }[]}
 */
export function rank(query, items, textOf, most) {
  const found = [];
  for (const item of items) {
    const fit = match(query, textOf(item));
    if (fit) found.push({ item, ...fit });
  }
  return found.sort((one, other) => other.score - one.score).slice(0, most);
}

/** @param {string} wanted @param {string} text */
function isWithin(wanted, text) {
  let at = -1;
  for (const letter of wanted) {
    at = text.indexOf(letter, at + 1);
    if (at < 0) return false;
  }
  return true;
}

/** Returns what naming each character of a text is worth. @param {string} text */
function worths(text) {
  const name = text.lastIndexOf("/") + 1;
  return Array.from({ length: text.length }, (_, at) => {
    const begins =
      at === 0 ||
      /[/_.\-\s]/.test(text[at - 1]) ||
      (/[A-Z]/.test(text[at]) && /[a-z0-9]/.test(text[at - 1]));
    return EACH + (at >= name ? IN_NAME : 0) + (begins ? AT_PART : 0);
  });
}
