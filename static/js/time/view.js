/** The text as it was: an editor of its own that nobody types into, with what was just written marked. */

import {
  Compartment,
  Decoration,
  EditorState,
  EditorView,
  lineNumbers,
  StateEffect,
  StateField,
} from "../../vendor/codemirror.js";
import { gettext, interpolate } from "../lib/i18n.js";

/** @import { Extension, StateEffectType } from "../../vendor/codemirror.js" */
/** @import { Shown } from "./player.js" */

/** @type {StateEffectType<{ from: number, to: number }[]>} */
const mark = StateEffect.define();

const marks = StateField.define({
  create: () => Decoration.none,
  update(set, { effects, docChanged }) {
    for (const effect of effects) {
      if (!effect.is(mark)) continue;
      const ranges = effect.value.filter(({ from, to }) => to > from);
      return Decoration.set(
        ranges.map(({ from, to }) => Decoration.mark({ class: "time-wrote" }).range(from, to)),
      );
    }
    return docChanged ? Decoration.none : set;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/**
 * Returns what shows a moment in `parent`.
 * @param {object} options
 * @param {HTMLElement} options.parent
 * @param {string} options.nonce what the Content-Security-Policy asks of injected styles
 * @param {() => Extension} options.theme
 * @param {(path: string) => Extension} options.language
 * @returns {(shown: Shown) => void}
 */
export function textView({ parent, nonce, theme, language }) {
  const named = new Compartment();
  const naming = (/** @type {string} */ path) => [
    language(path),
    EditorView.contentAttributes.of({
      "aria-label": interpolate(gettext("Text of %(path)s as it was"), { path }),
    }),
  ];
  const view = new EditorView({
    parent,
    state: EditorState.create({
      extensions: [
        EditorView.cspNonce.of(nonce),
        theme(),
        lineNumbers(),
        EditorState.readOnly.of(true),
        EditorView.editable.of(false),
        EditorState.lineSeparator.of("\n"),
        EditorView.contentAttributes.of({
          tabindex: "0",
          role: "textbox",
          "aria-multiline": "true",
          "aria-readonly": "true",
        }),
        marks,
        named.of(naming("")),
      ],
    }),
  });
  let path = "";
  return ({ file, doc, changed }) => {
    const effects = [];
    if (file && file.path !== path) {
      path = file.path;
      effects.push(named.reconfigure(naming(path)));
    }
    effects.push(mark.of(changed));
    const at = changed[0]?.to;
    if (at !== undefined)
      effects.push(EditorView.scrollIntoView(at, { y: "nearest", yMargin: 60 }));
    const next = doc ?? "";
    const same = doc?.eq(view.state.doc);
    const changes = same ? undefined : smallest(view.state.doc.toString(), next.toString());
    view.dispatch({ changes, effects });
  };
}

/**
 * Returns the one change between two texts, so that the view stays where it is.
 * @param {string} before
 * @param {string} after
 */
function smallest(before, after) {
  const most = Math.min(before.length, after.length);
  let from = 0;
  while (from < most && before.charCodeAt(from) === after.charCodeAt(from)) from += 1;
  let end = 0;
  while (
    end < most - from &&
    before.charCodeAt(before.length - 1 - end) === after.charCodeAt(after.length - 1 - end)
  ) {
    end += 1;
  }
  return { from, to: before.length - end, insert: after.slice(from, after.length - end) };
}
