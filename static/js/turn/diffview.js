/** Two texts shown with what differs: in one column, or side by side where there is room. */

import { h } from "../lib/dom.js";
import { formatNumber, interpolate, ngettext } from "../lib/i18n.js";
import { lineDiff, sideBySide } from "../lib/linediff.js";

/** @import { Line } from "../lib/linediff.js" */

/** More lines are not read in a card; they can be copied. */
const MOST_LINES = 400;

/** @param {Line | null} line */
function lineElement(line) {
  if (!line) return h("span", { class: "diff-line none" }, "\n");
  const tag = line.kind === "gone" ? "del" : line.kind === "came" ? "ins" : "span";
  return h(tag, { class: `diff-line ${line.kind}` }, `${line.text}\n`);
}

/** @param {string} label @param {(Line | null)[]} lines */
function column(label, lines) {
  const rest = lines.length - MOST_LINES;
  return h(
    "pre",
    { class: "diff", tabindex: "0", role: "group", "aria-label": label },
    ...lines.slice(0, MOST_LINES).map(lineElement),
    rest > 0 && h("span", { class: "diff-rest" }, restText(rest)),
  );
}

/** @param {number} count */
const restText = (count) =>
  interpolate(ngettext("… and %(count)s more line", "… and %(count)s more lines", count), {
    count: formatNumber(count),
  });

/**
 * Returns both texts in one column.
 * @param {string} before
 * @param {string} after
 * @param {string} label what it is, for those who listen
 */
export const oneColumn = (before, after, label) => column(label, lineDiff(before, after));

/**
 * Returns the two columns of a comparison; CSS stacks them where there is no room.
 * @param {string} before
 * @param {string} after
 * @param {[string, string]} labels
 * @returns {[HTMLElement, HTMLElement]}
 */
export function twoColumns(before, after, [left, right]) {
  const rows = sideBySide(before, after);
  return [
    column(
      left,
      rows.map((row) => row.left),
    ),
    column(
      right,
      rows.map((row) => row.right),
    ),
  ];
}
