/**
 * What the model's turn did to a file: lines that came are tinted, text that went stands there as a ghost.
 *
 * Two sources say the same: the turn's entries, line by line as they come, and its hunks, which also somebody
 * who opens the file later gets. What the entries said stands; a hunk without any is drawn from its frame, and
 * one that was rolled back or reverted loses its marks. The marks of one turn stay until another one begins.
 */

import {
  Decoration,
  EditorView,
  StateEffect,
  StateField,
  ViewPlugin,
  WidgetType,
} from "../../vendor/codemirror.js";
import { turnEdit } from "../collab/turnedit.js";

/** @import { DecorationSet, EditorState, Extension, Range, StateEffectType, Text, Transaction } from "../../vendor/codemirror.js" */

/** @typedef {{ hunk: number | null, from: number, to: number }} Added */
/** @typedef {{ hunk: number | null, at: number, text: string }} Ghost */
/** @typedef {{ turn: string, added: Added[], ghosts: Ghost[], shown: DecorationSet }} Marks */

/**
 * What a hunk's frame says, in positions of the text on the screen.
 * @type {StateEffectType<{ turn: string, hunk: number, from: number, to: number, old: string, stands: boolean }>}
 */
export const setHunk = StateEffect.define();

/** Takes away the marks of every turn but this one. @type {StateEffectType<string>} */
export const onlyTurn = StateEffect.define();

class GhostWidget extends WidgetType {
  /** @param {string} text @param {boolean} block */
  constructor(text, block) {
    super();
    this.text = text;
    this.block = block;
  }

  /** @override @param {GhostWidget} other */
  eq(other) {
    return this.text === other.text && this.block === other.block;
  }

  /** @override */
  get estimatedHeight() {
    return this.block ? 22 * this.text.split("\n").length : -1;
  }

  /** @override */
  toDOM() {
    const ghost = document.createElement(this.block ? "div" : "span");
    ghost.className = "fl-gone";
    ghost.setAttribute("aria-hidden", "true");
    // A last line that is empty has no height of its own; a blank would be struck through, and look like a dash.
    ghost.textContent = /(^|\n)$/.test(this.text) ? `${this.text}\u200b` : this.text;
    return ghost;
  }

  /** @override */
  ignoreEvent() {
    return true;
  }
}

/** @type {Marks} */
const NONE = { turn: "", added: [], ghosts: [], shown: Decoration.none };

/** @type {StateField<Marks>} */
const field = StateField.define({
  create: () => NONE,
  update(value, transaction) {
    let marks = value;
    if (transaction.docChanged && (marks.added.length || marks.ghosts.length)) {
      marks = mapped(marks, transaction);
    }
    for (const effect of transaction.effects) {
      if (effect.is(turnEdit)) marks = edited(marks, effect.value);
      else if (effect.is(setHunk)) marks = hunkSaid(marks, effect.value);
      else if (effect.is(onlyTurn) && effect.value !== marks.turn) marks = NONE;
    }
    if (marks === value) return value;
    return { ...marks, shown: ghosts(above(marks), transaction.state.doc) };
  },
  provide: (self) => EditorView.decorations.from(self, ({ shown }) => shown),
});

/** @param {Marks} marks @param {Transaction} transaction @returns {Marks} */
function mapped(marks, { changes }) {
  return {
    ...marks,
    added: marks.added
      .map((one) => ({ ...one, from: changes.mapPos(one.from, 1), to: changes.mapPos(one.to, -1) }))
      .filter(({ from, to }) => from < to),
    ghosts: marks.ghosts.map((one) => ({ ...one, at: changes.mapPos(one.at, -1) })),
  };
}

/** @param {Marks} marks @param {import("../collab/turnedit.js").TurnEdit} edit @returns {Marks} */
function edited(marks, { turn, hunk, kind, added, removed }) {
  // A settlement that names no hunk took nothing back; it only closes the turn.
  if (kind === "settle" && hunk === null) return marks;
  if (kind !== "edit") return marks.turn === turn ? without(marks, hunk) : marks;
  const base = marks.turn === turn ? marks : { ...NONE, turn };
  return {
    ...base,
    added: added.reduce((all, range) => joined(all, { hunk, ...range }), base.added),
    ghosts: removed.reduce((all, one) => appended(all, { hunk, ...one }), base.ghosts),
  };
}

/** @param {Added[]} all @param {Added} one */
function joined(all, one) {
  const touching = all.findIndex(
    ({ hunk, from, to }) => hunk === one.hunk && from <= one.to && to >= one.from,
  );
  if (touching < 0) return [...all, one];
  const { from, to } = all[touching];
  const joint = { ...one, from: Math.min(from, one.from), to: Math.max(to, one.to) };
  return all.with(touching, joint);
}

/** @param {Ghost[]} all @param {Ghost} one */
function appended(all, one) {
  const there = all.findIndex(({ hunk, at }) => hunk === one.hunk && at === one.at);
  if (there < 0) return [...all, one];
  // The model goes down the file, so what it removes at the same place stood after what it removed before.
  return all.with(there, { ...one, text: all[there].text + one.text });
}

/** @param {Marks} marks @param {number | null} hunk null for all of them @returns {Marks} */
function without(marks, hunk) {
  const stays = (/** @type {{ hunk: number | null }} */ one) => hunk !== null && one.hunk !== hunk;
  return { ...marks, added: marks.added.filter(stays), ghosts: marks.ghosts.filter(stays) };
}

/** @param {Marks} marks @param {{ turn: string, hunk: number, from: number, to: number, old: string, stands: boolean }} said @returns {Marks} */
function hunkSaid(marks, { turn, hunk, from, to, old, stands }) {
  if (!stands) return marks.turn === turn ? without(marks, hunk) : marks;
  const base = marks.turn === turn ? marks : { ...NONE, turn };
  const known = claimed(base, hunk, from, to);
  if (known) return known;
  return {
    ...base,
    added: from < to ? [...base.added, { hunk, from, to }] : base.added,
    ghosts: old ? [...base.ghosts, { hunk, at: from, text: old }] : base.ghosts,
  };
}

/**
 * Returns the marks with those that stand where a hunk does named after it, or null when there are none. One entry
 * may write several hunks, and names the last.
 * @param {Marks} marks @param {number} hunk @param {number} from @param {number} to
 */
function claimed(marks, hunk, from, to) {
  let known = false;
  const claim = (/** @type {number} */ start, /** @type {number} */ end) => {
    const mine = start <= to && end >= from;
    known ||= mine;
    return mine;
  };
  const added = marks.added.map((one) => (claim(one.from, one.to) ? { ...one, hunk } : one));
  const ghosts = marks.ghosts.map((one) => (claim(one.at, one.at) ? { ...one, hunk } : one));
  return known ? { ...marks, added, ghosts } : null;
}

/**
 * Returns the ghosts where they are shown: what went stands above what came in its place, in one piece. The model
 * may write the first lines of a place before the old ones go.
 * @param {Marks} marks
 * @returns {{ at: number, text: string }[]}
 */
function above({ added, ghosts: all }) {
  /** @type {Map<number, string>} */
  const places = new Map();
  for (const { at, text } of [...all].sort((one, other) => one.at - other.at)) {
    const around = added.find(({ from, to }) => from <= at && at <= to);
    const start = around?.from ?? at;
    places.set(start, (places.get(start) ?? "") + text);
  }
  return [...places].map(([at, text]) => ({ at, text }));
}

/** @param {{ at: number, text: string }[]} all @param {Text} doc */
function ghosts(all, doc) {
  /** @type {Range<Decoration>[]} */
  const ranges = all.map(({ at, text }) => {
    const line = doc.lineAt(Math.min(at, doc.length));
    if (at === line.from && text.endsWith("\n")) return block(text.slice(0, -1), line.from, -1);
    if (at === line.to && text.startsWith("\n")) return block(text.slice(1), line.to, 1);
    if (text.includes("\n")) return block(text, line.from, -1);
    const widget = new GhostWidget(text, false);
    return Decoration.widget({ widget, side: -1 }).range(Math.min(at, doc.length));
  });
  return Decoration.set(ranges, true);
}

/** @param {string} text @param {number} at @param {number} side */
function block(text, at, side) {
  return Decoration.widget({ widget: new GhostWidget(text, true), side, block: true }).range(at);
}

const addedLine = Decoration.line({ class: "fl-add" });

/** Tints the lines that are on the screen; a turn may have added thousands that are not. */
const tint = ViewPlugin.define(
  (view) => ({
    lines: tinted(view),
    update(update) {
      const before = update.startState.field(field);
      if (update.docChanged || update.viewportChanged || before !== update.state.field(field)) {
        this.lines = tinted(update.view);
      }
    },
  }),
  { decorations: ({ lines }) => lines },
);

/** @param {EditorView} view */
function tinted(view) {
  const { doc } = view.state;
  const { added } = view.state.field(field);
  /** @type {Set<number>} */
  const starts = new Set();
  for (const range of added) {
    for (const visible of view.visibleRanges) {
      let at = Math.max(range.from, visible.from);
      // A range that ends with a line break says nothing of the line after it.
      const end = Math.min(range.to, visible.to, doc.length);
      while (at < end || (at === end && at === range.from && range.from < range.to)) {
        const line = doc.lineAt(at);
        starts.add(line.from);
        at = line.to + 1;
      }
    }
  }
  return Decoration.set(
    [...starts].map((from) => addedLine.range(from)),
    true,
  );
}

/** Returns the marks of the model's turn as an extension. @returns {Extension} */
export function edits() {
  return [field, tint];
}

/**
 * Returns how many places of the turn are marked, for whoever asks whether there is something to see.
 * @param {EditorState} state
 */
export function markCount(state) {
  const marks = state.field(field, false);
  return marks ? marks.added.length + marks.ghosts.length : 0;
}
