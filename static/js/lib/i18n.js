/**
 * Words for people, through Django's JavaScript catalogue. The catalogue is a classic script that sets
 * globals before this module runs; without it (a test, a failed load) the English of the source is shown.
 */

/**
 * @typedef {object} Catalogue what Django's script adds to the global object
 * @property {(text: string) => string} [gettext]
 * @property {(one: string, many: string, count: number) => string} [ngettext]
 */

/** @returns {Catalogue} */
const catalogue = () => /** @type {Catalogue} */ (/** @type {unknown} */ (globalThis));

/**
 * Returns `text` in the person's language.
 * @param {string} text
 */
export function gettext(text) {
  return catalogue().gettext?.(text) ?? text;
}

/**
 * Returns the form of the text that goes with `count`.
 * @param {string} one
 * @param {string} many
 * @param {number} count
 */
export function ngettext(one, many, count) {
  return catalogue().ngettext?.(one, many, count) ?? (count === 1 ? one : many);
}

/**
 * Returns `text` with each %(name)s replaced by that value. A name without a value is a mistake.
 * @param {string} text
 * @param {Record<string, string | number>} values
 */
export function interpolate(text, values) {
  return text.replace(/%\((\w+)\)s/g, (_, name) => {
    if (!(name in values)) throw new RangeError(`No value for ${name} in "${text}".`);
    return String(values[name]);
  });
}

/** @type {Map<string, Intl.NumberFormat>} */
const formats = new Map();

/**
 * Returns how numbers are written here. Making a format costs a hundred times more than using one.
 * @param {Intl.NumberFormatOptions} [options]
 */
export function numberFormat(options = {}) {
  const key = `${language()} ${JSON.stringify(options)}`;
  const known = formats.get(key) ?? new Intl.NumberFormat(language(), options);
  formats.set(key, known);
  return known;
}

/**
 * Returns a whole number with the separators of the page's language.
 * @param {number} value
 */
export function formatNumber(value) {
  return numberFormat().format(value);
}

/**
 * Returns a share as a percentage, such as "18%".
 * @param {number} share from 0 to 1
 */
export function formatPercent(share) {
  return numberFormat({ style: "percent" }).format(share);
}

/**
 * Returns sentences one after another, as the page's language puts them; empty ones are left out.
 * @param {string[]} sentences
 */
export function inARow(sentences) {
  return sentences
    .filter(Boolean)
    .reduce(
      (first, then) => (first ? interpolate(gettext("%(first)s %(then)s"), { first, then }) : then),
      "",
    );
}

/**
 * Returns names as a list in words: "a, b and c".
 * @param {string[]} names
 */
export function listed(names) {
  return new Intl.ListFormat(language()).format(names);
}

/** Returns the language of the page, as the document says it. */
export function language() {
  return globalThis.document?.documentElement.lang || "en";
}
