/**
 * Which places of a text are marked for a model's turns, and to which hunk each belongs. Pure.
 *
 * Two sources say the same: a turn's entries, line by line as they come, and its hunks, which also somebody who opens
 * the file later gets. What the entries said stands; a hunk without any is drawn from its frame, and one that was
 * kept, rolled back or reverted loses its marks. Only the turns that are shown have marks: others' entries pass.
 *
 * Marks keep the finer places of the entries where a hunk is coarser (a hunk may hold lines that the model only
 * repeated), so a hunk's place is what its marks span.
 */

/** @import { ChangeDesc } from "../../vendor/codemirror.js" */
/** @import { TurnEdit } from "../collab/turnedit.js" */

/** @typedef {{ turn: string, hunk: number | null, from: number, to: number }} Added */
/** @typedef {{ turn: string, hunk: number | null, at: number, text: string }} Ghost */
/** @typedef {{ turns: ReadonlySet<string> | null, added: Added[], ghosts: Ghost[] }} Marks `turns`: those that are shown, null for all */
/** @typedef {{ turn: string, hunk: number, from: number, to: number, old: string, stands: boolean }} HunkSaid */
/** @typedef {{ turn: string, hunk: number, from: number, to: number }} Place a hunk that is marked */

/** @type {Marks} */
export const NONE = { turns: null, added: [], ghosts: [] };

/** @param {Marks} marks @param {ChangeDesc} changes @returns {Marks} */
export function mapped(marks, changes) {
  return {
    ...marks,
    added: marks.added
      .map((one) => ({ ...one, from: changes.mapPos(one.from, 1), to: changes.mapPos(one.to, -1) }))
      .filter(({ from, to }) => from < to),
    ghosts: marks.ghosts.map((one) => ({ ...one, at: changes.mapPos(one.at, -1) })),
  };
}

/** Only these turns are shown from here on. @param {Marks} marks @param {ReadonlySet<string>} turns @returns {Marks} */
export function only({ added, ghosts }, turns) {
  const shown = (/** @type {{ turn: string }} */ { turn }) => turns.has(turn);
  return { turns, added: added.filter(shown), ghosts: ghosts.filter(shown) };
}

/** @param {Marks} marks @param {TurnEdit} edit @returns {Marks} */
export function edited(marks, { turn, hunk, kind, added, removed }) {
  // Without a hunk nothing is known of what it took back; the hunks' own frames say that.
  if (kind !== "edit") return hunk === null ? marks : without(marks, turn, hunk);
  if (marks.turns && !marks.turns.has(turn)) return marks;
  return {
    ...marks,
    added: added.reduce((all, range) => joined(all, { turn, hunk, ...range }), marks.added),
    ghosts: removed.reduce((all, one) => appended(all, { turn, hunk, ...one }), marks.ghosts),
  };
}

/** @param {{ turn: string, hunk: number | null }} one @param {{ turn: string, hunk: number | null }} other */
const same = (one, other) => one.hunk === other.hunk && one.turn === other.turn;

/** @param {Added[]} all @param {Added} one */
function joined(all, one) {
  const touching = all.findIndex((it) => same(it, one) && it.from <= one.to && it.to >= one.from);
  if (touching < 0) return [...all, one];
  const { from, to } = all[touching];
  return all.with(touching, {
    ...one,
    from: Math.min(from, one.from),
    to: Math.max(to, one.to),
  });
}

/** @param {Ghost[]} all @param {Ghost} one */
function appended(all, one) {
  const there = all.findIndex((it) => same(it, one) && it.at === one.at);
  if (there < 0) return [...all, one];
  // The model goes down the file, so what it removes at the same place stood after what it removed before.
  return all.with(there, { ...one, text: all[there].text + one.text });
}

/** @param {Marks} marks @param {string} turn @param {number} hunk @returns {Marks} */
function without(marks, turn, hunk) {
  const stays = (/** @type {Added | Ghost} */ one) => !same(one, { turn, hunk });
  const added = marks.added.filter(stays);
  const ghosts = marks.ghosts.filter(stays);
  const none = added.length === marks.added.length && ghosts.length === marks.ghosts.length;
  return none ? marks : { ...marks, added, ghosts };
}

/** @param {Marks} marks @param {HunkSaid} said @returns {Marks} */
export function hunkSaid(marks, { turn, hunk, from, to, old, stands }) {
  const known = claimed(marks, turn, hunk, from, to);
  if (!stands) return without(known ?? marks, turn, hunk);
  if (marks.turns && !marks.turns.has(turn)) return marks;
  if (known) return known;
  return {
    ...marks,
    added: from < to ? [...marks.added, { turn, hunk, from, to }] : marks.added,
    ghosts: old ? [...marks.ghosts, { turn, hunk, at: from, text: old }] : marks.ghosts,
  };
}

/**
 * Returns the marks with those that stand where a hunk does named after it, or null when there are none. One entry
 * may write several hunks, and names the last. Hunks may touch: what only touches this one is another's.
 * @param {Marks} marks @param {string} turn @param {number} hunk @param {number} from @param {number} to
 */
function claimed(marks, turn, hunk, from, to) {
  let known = false;
  const claim = (/** @type {Added | Ghost} */ one, /** @type {boolean} */ mine) => {
    if (one.turn !== turn || !(mine || one.hunk === hunk)) return one;
    known = true;
    return one.hunk === hunk ? one : { ...one, hunk };
  };
  const added = marks.added.map((one) => claim(one, one.from < to && one.to > from));
  const begins = new Set(marks.added.map((one) => one.from));
  const ghosts = marks.ghosts.map((one) => {
    const inside = from <= one.at && one.at <= to;
    return claim(one, inside && !(one.at === to && from < to && begins.has(to)));
  });
  if (!known) return null;
  return {
    ...marks,
    added: /** @type {Added[]} */ (added),
    ghosts: /** @type {Ghost[]} */ (ghosts),
  };
}

/**
 * Returns the ghosts where they are shown: what went stands above what came in its place, in one piece. The model
 * may write the first lines of a place before the old ones go.
 * @param {Marks} marks
 * @returns {{ at: number, text: string }[]}
 */
export function above({ added, ghosts }) {
  const ranges = [...added].sort((one, other) => one.from - other.from || one.to - other.to);
  /** @type {Map<number, string>} */
  const places = new Map();
  let next = 0;
  for (const { at, text } of [...ghosts].sort((one, other) => one.at - other.at)) {
    while (next < ranges.length && ranges[next].to < at) next += 1;
    const start = Math.min(ranges[next]?.from ?? at, at);
    places.set(start, (places.get(start) ?? "") + text);
  }
  return [...places].map(([at, text]) => ({ at, text }));
}

/** @type {WeakMap<Marks, Place[]>} */
const places = new WeakMap();

/** Returns the hunks that are marked, from the top of the text down. @param {Marks} marks @returns {Place[]} */
export function placesOf(marks) {
  const known = places.get(marks);
  if (known) return known;
  /** @type {Map<string, Place>} */
  const found = new Map();
  const span = (
    /** @type {Added | Ghost} */ { turn, hunk },
    /** @type {number} */ from,
    to = from,
  ) => {
    if (hunk === null) return;
    const key = `${turn} ${hunk}`;
    const there = found.get(key);
    found.set(key, {
      turn,
      hunk,
      from: Math.min(there?.from ?? from, from),
      to: Math.max(there?.to ?? to, to),
    });
  };
  for (const one of marks.added) span(one, one.from, one.to);
  for (const one of marks.ghosts) span(one, one.at);
  const all = [...found.values()].sort((one, other) => one.from - other.from || one.to - other.to);
  places.set(marks, all);
  return all;
}
