/**
 * Where others are in a file: a caret with a name, and a selection, for each person and for the model. Places
 * follow every change; the server's word replaces them.
 */

import {
  Decoration,
  EditorView,
  StateEffect,
  StateField,
  WidgetType,
} from "../../vendor/codemirror.js";
import { turnEdit } from "../collab/turnedit.js";

/** @import { TurnEdit } from "../collab/turnedit.js" */
/** @import { DecorationSet, Extension, Range, StateEffectType, Text } from "../../vendor/codemirror.js" */

/**
 * @typedef {object} Caret
 * @property {string} key whose it is: a connection, or a turn
 * @property {number} anchor
 * @property {number} head
 * @property {string} label
 * @property {string} look the class of its colour: p1 to p6, or model
 */

/**
 * Shows or moves a caret. Positions fit the text after the transaction's changes.
 * @type {StateEffectType<Caret>}
 */
export const setCaret = StateEffect.define();

/**
 * Takes the caret with this key away, or every caret for null.
 * @type {StateEffectType<string | null>}
 */
export const dropCaret = StateEffect.define();

/** The key of the model's caret; one turn writes at a time. */
export const MODEL = "model";

class CaretWidget extends WidgetType {
  /**
   * @param {string} label
   * @param {string} look classes: a colour, and where the label goes
   */
  constructor(label, look) {
    super();
    this.label = label;
    this.look = look;
  }

  /** @override @param {CaretWidget} other */
  eq(other) {
    return this.label === other.label && this.look === other.look;
  }

  /** @override */
  toDOM() {
    const caret = document.createElement("span");
    // Screen readers read the text, not who is where in it; the list of people tells that.
    caret.setAttribute("aria-hidden", "true");
    caret.append(document.createElement("span"));
    this.#draw(caret);
    return caret;
  }

  /** The model's speed changes ten times a second; only the words do. @override @param {HTMLElement} caret */
  updateDOM(caret) {
    this.#draw(caret);
    return true;
  }

  /** @override */
  ignoreEvent() {
    return true;
  }

  /** @param {HTMLElement} caret */
  #draw(caret) {
    caret.className = `fl-caret ${this.look}`;
    const label = /** @type {HTMLElement} */ (caret.firstChild);
    label.className = "fl-caret-label";
    label.textContent = this.label;
  }
}

/** @typedef {{ carets: Map<string, Caret>, shown: DecorationSet }} Carets */

/** @type {StateField<Carets>} */
const field = StateField.define({
  create: () => ({ carets: new Map(), shown: Decoration.none }),
  update(value, transaction) {
    const effects = transaction.effects.filter(
      (one) => one.is(setCaret) || one.is(dropCaret) || one.is(turnEdit),
    );
    if (!effects.length && (!value.carets.size || !transaction.docChanged)) return value;
    const carets = new Map(
      [...value.carets].map(([key, caret]) => [
        key,
        {
          ...caret,
          anchor: transaction.changes.mapPos(caret.anchor, -1),
          head: transaction.changes.mapPos(caret.head, -1),
        },
      ]),
    );
    for (const effect of effects) {
      if (effect.is(turnEdit)) follow(carets, effect.value, transaction.newDoc);
      else if (effect.is(setCaret)) carets.set(effect.value.key, effect.value);
      else if (effect.is(dropCaret) && effect.value === null) carets.clear();
      else if (effect.is(dropCaret)) carets.delete(String(effect.value));
    }
    return { carets, shown: draw(carets, transaction.state.doc) };
  },
  provide: (self) => EditorView.decorations.from(self, ({ shown }) => shown),
});

/**
 * The model's caret goes along with what it writes; its frames come ten times a second, its edits sixty. A line
 * that still grows has its line break already, and the caret stands before that.
 * @param {Map<string, Caret>} carets
 * @param {TurnEdit} edit
 * @param {Text} doc
 */
function follow(carets, { kind, added }, doc) {
  const caret = carets.get(MODEL);
  const last = added.at(-1);
  if (!caret || !last || kind !== "edit") return;
  const broken = last.to > last.from && doc.sliceString(last.to - 1, last.to) === "\n";
  const at = last.to - (broken ? 1 : 0);
  carets.set(MODEL, { ...caret, anchor: at, head: at });
}

/** @param {Map<string, Caret>} carets @param {Text} doc */
function draw(carets, doc) {
  /** @type {Range<Decoration>[]} */
  const ranges = [];
  for (const { key, anchor, head, label, look } of carets.values()) {
    const from = Math.min(anchor, head, doc.length);
    const to = Math.min(Math.max(anchor, head), doc.length);
    if (from < to) ranges.push(Decoration.mark({ class: `fl-sel ${look}` }).range(from, to));
    const at = Math.min(head, doc.length);
    const line = doc.lineAt(at);
    // On the first line there is no room above; at the end of a line there is room beside.
    const side = key === MODEL && at === line.to ? " ahead" : line.number === 1 ? " below" : "";
    const widget = new CaretWidget(label, look + side);
    ranges.push(Decoration.widget({ widget, side: 1 }).range(at));
  }
  return Decoration.set(ranges, true);
}

/** Returns the carets of others as an extension. @returns {Extension} */
export function carets() {
  return field;
}

/**
 * Returns where a caret stands, or null.
 * @param {import("../../vendor/codemirror.js").EditorState} state
 * @param {string} key
 */
export function caretAt(state, key) {
  return state.field(field, false)?.carets.get(key)?.head ?? null;
}
