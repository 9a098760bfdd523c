/** The editor in the page's own colours: every value is a token, so light and dark need no second theme. */

import { EditorView, HighlightStyle, syntaxHighlighting, tags } from "../../vendor/codemirror.js";

const look = EditorView.theme({
  "&": { color: "var(--ink)", backgroundColor: "var(--bg)" },
  ".cm-content": { caretColor: "var(--ink)", padding: "var(--s3) 0" },
  ".cm-line": { padding: "0 var(--s4) 0 var(--s15)" },
  ".cm-cursor, .cm-dropCursor": { borderLeftColor: "var(--ink)", borderLeftWidth: "2px" },
  ".cm-gutters": { backgroundColor: "var(--bg)", color: "var(--ink-3)", border: "none" },
  ".cm-lineNumbers .cm-gutterElement": { minWidth: "44px", fontSize: "var(--text-s)" },
  ".cm-foldGutter .cm-gutterElement": { color: "var(--ink-3)" },
  ".cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--ink) 4%, transparent)" },
  ".cm-activeLine.fl-add": { backgroundColor: "var(--add)" },
  ".cm-activeLineGutter": { backgroundColor: "transparent", color: "var(--ink)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground":
    { backgroundColor: "var(--select)" },
  ".fl-caret.model:not(.ahead):not(.below) .fl-caret-label": {
    bottom: "100%",
    left: "-2px",
  },
  // A name is told when somebody moves, and then leaves the text to be read.
  ".fl-caret:not(.model) .fl-caret-label": { animation: "fl-quiet 400ms 4s both" },
  "@keyframes fl-quiet": { from: { opacity: "1" }, to: { opacity: "0" } },
  // Faint, so that the text on it keeps its contrast also on a tinted line; the edge says whose it is.
  ".fl-sel": {
    backgroundColor: "color-mix(in srgb, var(--c) 6%, transparent)",
    boxShadow: "inset 0 -2px var(--c)",
  },
  ".cm-selectionMatch": { backgroundColor: "color-mix(in srgb, var(--focus) 12%, transparent)" },
  "&.cm-focused .cm-matchingBracket": {
    backgroundColor: "color-mix(in srgb, var(--ok) 22%, transparent)",
  },
  "&.cm-focused .cm-nonmatchingBracket": {
    backgroundColor: "color-mix(in srgb, var(--bad) 22%, transparent)",
  },
  ".cm-foldPlaceholder": {
    backgroundColor: "var(--panel)",
    border: "1px solid var(--line-c)",
    color: "var(--ink-2)",
    padding: "0 var(--s1)",
  },
  ".cm-panels": { backgroundColor: "var(--raised)", color: "var(--ink)" },
  ".cm-panels.cm-panels-top": { borderBottom: "1px solid var(--line-c)" },
  ".cm-panels.cm-panels-bottom": { borderTop: "1px solid var(--line-c)" },
  ".cm-panel.cm-search": { padding: "var(--s2) var(--s6) var(--s2) var(--s3)" },
  ".cm-panel.cm-search label": {
    display: "inline-flex",
    alignItems: "center",
    gap: "var(--s1)",
    margin: "0 var(--s2) var(--s1) 0",
    fontSize: "var(--text-s)",
    fontWeight: "inherit",
    verticalAlign: "middle",
  },
  ".cm-panel.cm-search :is(label, .cm-button)::first-letter": { textTransform: "uppercase" },
  ".cm-panel.cm-search .cm-textfield": {
    display: "inline-block",
    width: "min(260px, 100%)",
    height: "var(--row)",
    margin: "0 var(--s2) var(--s1) 0",
    padding: "0 var(--s2)",
    backgroundColor: "var(--bg)",
    border: "1px solid var(--line-field)",
    borderRadius: "var(--radius)",
    color: "var(--ink)",
    font: "var(--text) var(--mono)",
  },
  ".cm-panel.cm-search input[type=checkbox]": { width: "auto", margin: "0" },
  ".cm-panel.cm-search .cm-button": {
    minHeight: "var(--row)",
    padding: "0 var(--s2)",
    backgroundImage: "none",
    backgroundColor: "var(--raised)",
    border: "1px solid var(--line-strong)",
    borderRadius: "var(--radius)",
    color: "var(--ink)",
    fontSize: "var(--text-s)",
  },
  ".cm-panel.cm-search [name=close]": {
    top: "var(--s2)",
    right: "var(--s2)",
    width: "var(--target)",
    height: "var(--target)",
    color: "var(--ink-2)",
    fontSize: "var(--text-l)",
  },
  // A frame rather than a strong ground, on which the syntax's colours would lose their contrast.
  ".cm-searchMatch": {
    backgroundColor: "color-mix(in srgb, var(--warn) 8%, transparent)",
    boxShadow: "inset 0 0 0 1px color-mix(in srgb, var(--warn) 60%, transparent)",
  },
  ".cm-searchMatch-selected": {
    backgroundColor: "color-mix(in srgb, var(--accent-fill) 8%, transparent)",
    boxShadow: "inset 0 0 0 2px var(--accent-fill)",
  },
});

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.modifier], color: "var(--syn-keyword)" },
  {
    tag: [tags.definition(tags.variableName), tags.function(tags.variableName)],
    color: "var(--syn-name)",
  },
  {
    tag: [tags.className, tags.typeName, tags.tagName, tags.attributeName],
    color: "var(--syn-type)",
  },
  { tag: [tags.string, tags.special(tags.string), tags.regexp], color: "var(--syn-string)" },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], color: "var(--syn-number)" },
  { tag: [tags.comment, tags.meta], color: "var(--syn-comment)" },
  { tag: tags.propertyName, color: "var(--syn-name)" },
  { tag: [tags.heading, tags.strong], fontWeight: "650" },
  { tag: tags.emphasis, fontStyle: "italic" },
  { tag: [tags.link, tags.url], color: "var(--accent)" },
  { tag: tags.invalid, color: "var(--bad)" },
]);

/** Returns the theme and the syntax colours. */
export function theme() {
  return [look, syntaxHighlighting(colours)];
}
