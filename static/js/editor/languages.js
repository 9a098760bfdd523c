/** Which language a file is in, by the end of its name. Anything unknown is plain text. */

import { css, html, javascript, json, markdown, python, yaml } from "../../vendor/codemirror.js";

/** @import { Extension } from "../../vendor/codemirror.js" */

/** @type {Record<string, () => Extension>} */
const BY_ENDING = {
  py: python,
  pyi: python,
  js: javascript,
  mjs: javascript,
  cjs: javascript,
  jsx: () => javascript({ jsx: true }),
  ts: () => javascript({ typescript: true }),
  mts: () => javascript({ typescript: true }),
  tsx: () => javascript({ jsx: true, typescript: true }),
  html,
  htm: html,
  css,
  json,
  md: markdown,
  markdown,
  yaml,
  yml: yaml,
};

/**
 * Returns the language of a path as an extension, empty for plain text.
 * @param {string} path
 * @returns {Extension}
 */
export function languageOf(path) {
  const ending = /\.([^./]+)$/.exec(path)?.[1].toLowerCase() ?? "";
  return Object.hasOwn(BY_ENDING, ending) ? BY_ENDING[ending]() : [];
}

/**
 * Returns the unit of indentation that files like this one use.
 * @param {string} path
 */
export function indentOf(path) {
  return /\.pyi?$/i.test(path) ? "    " : "  ";
}
