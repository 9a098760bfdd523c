/** Whether this person may type into the text: the role may change while it is open. */

import { EditorState, EditorView, StateEffect, StateField } from "../../vendor/codemirror.js";

/** @import { Extension, StateEffectType } from "../../vendor/codemirror.js" */

/** Allows or forbids typing from here on. @type {StateEffectType<boolean>} */
export const setReadOnly = StateEffect.define();

/**
 * Returns the extension of a state that begins as told. The text keeps its caret and its keys for reading.
 * @param {boolean} readOnly
 * @returns {Extension}
 */
export function access(readOnly) {
  return StateField.define({
    create: () => readOnly,
    update(value, { effects }) {
      for (const effect of effects) if (effect.is(setReadOnly)) return effect.value;
      return value;
    },
    provide: (field) => [
      EditorState.readOnly.from(field),
      EditorView.contentAttributes.from(field, (no) => ({ "aria-readonly": String(no) })),
    ],
  });
}
