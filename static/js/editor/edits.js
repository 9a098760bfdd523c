/**
 * What the model's turns did to a file, drawn: lines that came are tinted, text that went stands there as a ghost.
 * Which places those are is told in marks.js.
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
import { above, edited, hunkSaid, mapped, NONE, only, placesOf } from "./marks.js";

/** @import { DecorationSet, EditorState, Extension, Range, StateEffectType, Text } from "../../vendor/codemirror.js" */
/** @import { HunkSaid, Marks, Place } from "./marks.js" */

/** What a hunk's frame says, in positions of the text on the screen. @type {StateEffectType<HunkSaid>} */
export const setHunk = StateEffect.define();

/** Only these turns have marks from here on. @type {StateEffectType<ReadonlySet<string>>} */
export const onlyTurns = StateEffect.define();

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

/** @typedef {{ marks: Marks, shown: DecorationSet }} Drawn */

/** @type {StateField<Drawn>} */
const field = StateField.define({
  create: () => ({ marks: NONE, shown: Decoration.none }),
  update(value, transaction) {
    let { marks } = value;
    if (transaction.docChanged && (marks.added.length || marks.ghosts.length)) {
      marks = mapped(marks, transaction.changes);
    }
    for (const effect of transaction.effects) {
      if (effect.is(turnEdit)) marks = edited(marks, effect.value);
      else if (effect.is(setHunk)) marks = hunkSaid(marks, effect.value);
      else if (effect.is(onlyTurns)) marks = only(marks, effect.value);
    }
    if (marks === value.marks) return value;
    return { marks, shown: ghosts(above(marks), transaction.state.doc) };
  },
  provide: (self) => EditorView.decorations.from(self, ({ shown }) => shown),
});

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
      const { marks } = update.startState.field(field);
      const changed = marks.added !== update.state.field(field).marks.added;
      if (update.docChanged || update.viewportChanged || changed) {
        this.lines = tinted(update.view);
      }
    },
  }),
  { decorations: ({ lines }) => lines },
);

/** @param {EditorView} view */
function tinted(view) {
  const { doc } = view.state;
  const { added } = view.state.field(field).marks;
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

/** Returns the marks of the model's turns as an extension. @returns {Extension} */
export function edits() {
  return [field, tint];
}

/**
 * Returns how many places are marked, for whoever asks whether there is something to see.
 * @param {EditorState} state
 */
export function markCount(state) {
  const marks = state.field(field, false)?.marks;
  return marks ? marks.added.length + marks.ghosts.length : 0;
}

/**
 * Returns the hunks that are marked in a text, from the top down.
 * @param {EditorState} state
 * @returns {Place[]}
 */
export function hunksIn(state) {
  return placesOf(state.field(field, false)?.marks ?? NONE);
}
