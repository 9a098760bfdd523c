/** What is said of hunks that somebody kept or reverted. Pure. */

import { formatNumber, gettext, interpolate, listed, ngettext } from "../lib/i18n.js";

/** @import { Hunk } from "../net/messages.js" */

/**
 * Returns what became of a hunk, in a few words; "" for one that waits for somebody to decide.
 * @param {Pick<Hunk, "status" | "by">} hunk
 */
export function hunkText({ status, by: name = "" }) {
  switch (status) {
    case "open":
      return gettext("being written");
    case "kept":
      return name ? interpolate(gettext("kept by %(name)s"), { name }) : gettext("kept");
    case "yielded":
      return gettext("left to you where you typed");
    case "reverted":
      return name ? interpolate(gettext("reverted by %(name)s"), { name }) : gettext("reverted");
    case "rolled_back":
      return gettext("unfinished, rolled back");
    default:
      return "";
  }
}

/** @param {number} count @param {string[]} paths the files they are in */
export function keptText(count, paths) {
  if (!count) return gettext("Nothing was left to keep.");
  return interpolate(
    ngettext("Kept %(count)s change in %(paths)s.", "Kept %(count)s changes in %(paths)s.", count),
    { count: formatNumber(count), paths: listed(paths) },
  );
}

/** @param {number} count @param {string[]} paths the files they are in */
export function revertedText(count, paths) {
  if (!count) return gettext("Nothing was left to take back.");
  return interpolate(
    ngettext(
      "Took back %(count)s change in %(paths)s. What people typed there stays.",
      "Took back %(count)s changes in %(paths)s. What people typed there stays.",
      count,
    ),
    { count: formatNumber(count), paths: listed(paths) },
  );
}

/** What is said when the person leaves the places that cannot be separated as they are. @param {number} count */
export function leftText(count) {
  return interpolate(
    ngettext(
      "%(count)s place where somebody typed stays as it is.",
      "%(count)s places where somebody typed stay as they are.",
      count,
    ),
    { count: formatNumber(count) },
  );
}
