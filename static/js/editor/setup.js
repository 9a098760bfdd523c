/** What every file's editor has: keys, gutters, search, and the layers that live editing draws. */

import {
  bracketMatching,
  Compartment,
  closeBrackets,
  closeBracketsKeymap,
  crosshairCursor,
  defaultKeymap,
  drawSelection,
  dropCursor,
  EditorState,
  EditorView,
  foldGutter,
  foldKeymap,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSelectionMatches,
  highlightSpecialChars,
  history,
  historyKeymap,
  indentOnInput,
  indentUnit,
  indentWithTab,
  keymap,
  lineNumbers,
  rectangularSelection,
  search,
  searchKeymap,
} from "../../vendor/codemirror.js";
import { continued } from "../collab/paste.js";
import { gettext, interpolate } from "../lib/i18n.js";
import { access } from "./access.js";
import { carets } from "./carets.js";
import { edits } from "./edits.js";
import { indentOf, languageOf } from "./languages.js";
import { theme } from "./theme.js";

/** @import { Extension } from "../../vendor/codemirror.js" */

/**
 * Returns the extensions of one file's state.
 * @param {object} options
 * @param {string} options.path
 * @param {string} options.ending the file's line ending: lf, crlf, cr or mixed
 * @param {string} options.nonce what the Content-Security-Policy asks of injected styles
 * @param {boolean} options.readOnly
 * @returns {Extension}
 */
export function setup({ path, ending, nonce, readOnly }) {
  return [
    EditorView.cspNonce.of(nonce),
    theme(),
    lineNumbers(),
    foldGutter({ markerDOM: foldMarker }),
    highlightActiveLineGutter(),
    highlightActiveLine(),
    highlightSpecialChars(),
    highlightSelectionMatches(),
    history({ joinToEvent: (tr, adjacent) => adjacent || tr.annotation(continued) === true }),
    drawSelection(),
    dropCursor(),
    rectangularSelection(),
    crosshairCursor(),
    EditorState.allowMultipleSelections.of(true),
    access(readOnly),
    // A file that mixes line endings is kept as it is; elsewhere a pasted \r\n becomes a line break.
    ending === "mixed" ? EditorState.lineSeparator.of("\n") : [],
    indentOnInput(),
    bracketMatching(),
    closeBrackets(),
    search({ top: true }),
    phrases(),
    name.of(naming(path)),
    edits(),
    carets(),
    keymap.of([
      ...closeBracketsKeymap,
      ...defaultKeymap.filter(({ key }) => key !== "Escape"),
      { key: "Escape", run: oneSelection },
      ...searchKeymap,
      ...historyKeymap,
      ...foldKeymap,
      indentWithTab,
    ]),
    EditorView.contentAttributes.of({
      tabindex: "0",
      spellcheck: "false",
      autocapitalize: "off",
      autocorrect: "off",
    }),
  ];
}

const name = new Compartment();

/** What follows from a file's name. @param {string} path @returns {Extension} */
function naming(path) {
  const label = interpolate(gettext("Text of %(path)s"), { path });
  return [
    languageOf(path),
    indentUnit.of(indentOf(path)),
    EditorView.contentAttributes.of({ "aria-label": label }),
  ];
}

/** The file of a state has another name from here on. @param {string} path */
export const renamed = (path) => name.reconfigure(naming(path));

/** The folds of a whole file in a row are a noise: CSS shows one that is open only to a pointer nearby. @param {boolean} open */
function foldMarker(open) {
  const marker = document.createElement("span");
  marker.className = open ? "fl-fold" : "fl-fold folded";
  marker.textContent = open ? "⌄" : "›";
  marker.title = open ? gettext("Fold this line") : gettext("Unfold this line");
  return marker;
}

/**
 * Escape leaves several selections for one. CodeMirror's own also takes a single one away, which then would not go
 * with the prompt, and Stop would take two presses.
 * @param {EditorView} view
 */
function oneSelection(view) {
  const { ranges, main } = view.state.selection;
  if (ranges.length < 2) return false;
  view.dispatch({ selection: main, userEvent: "select" });
  return true;
}

/** CodeMirror's own words, in the person's language. */
function phrases() {
  return EditorState.phrases.of({
    Find: gettext("Find"),
    Replace: gettext("Replace"),
    next: gettext("next"),
    previous: gettext("previous"),
    all: gettext("all"),
    "match case": gettext("match case"),
    regexp: gettext("regular expression"),
    "by word": gettext("whole words"),
    replace: gettext("replace"),
    "replace all": gettext("replace all"),
    close: gettext("close"),
    "current match": gettext("current match"),
    "replaced $ matches": gettext("replaced $ matches"),
    "replaced match on line $": gettext("replaced the match on line $"),
    "on line": gettext("on line"),
    "Folded lines": gettext("Folded lines"),
    "Unfolded lines": gettext("Unfolded lines"),
    to: gettext("to"),
    "folded code": gettext("folded code"),
    unfold: gettext("unfold"),
    "Fold line": gettext("Fold this line"),
    "Unfold line": gettext("Unfold this line"),
    "Control character": gettext("Control character"),
    "Selection deleted": gettext("Selection deleted"),
  });
}
