/** What is said of edits that are not written. Pure. */

import { formatNumber, gettext, interpolate } from "../lib/i18n.js";

/** @import { Withheld } from "../net/messages.js" */

/** Nobody waits longer than this; a clock that is wrong here does not say otherwise. */
const LONGEST_S = 120;

/**
 * Returns how many whole seconds a question still waits, or null when it does not.
 * @param {Withheld} withheld
 * @param {number} now in milliseconds since 1970
 */
export function secondsLeft({ state, until }, now) {
  const end = state === "open" && until ? Date.parse(until) : Number.NaN;
  if (Number.isNaN(end)) return null;
  return Math.max(0, Math.min(LONGEST_S, Math.ceil((end - now) / 1_000)));
}

/** A span of seconds as a clock shows it: 1:43. @param {number} seconds */
export const clockText = (seconds) =>
  `${formatNumber(Math.floor(seconds / 60))}:${String(seconds % 60).padStart(2, "0")}`;

/** Where it is, in a few words. @param {Withheld} withheld */
export function placeText({ path, first, last }) {
  if (first === null) return path;
  return last === null || last === first ? `${path}:${first}` : `${path}:${first}–${last}`;
}

/** What the model asks, as a question that yes and no answer. @param {Withheld} withheld */
export function wishText({ op, path, to }) {
  switch (op) {
    case "delete":
      return interpolate(gettext("May Flint delete %(path)s?"), { path });
    case "move":
      return interpolate(gettext("May Flint move %(path)s to %(to)s?"), { path, to });
    case "create":
      return interpolate(gettext("May Flint create %(path)s?"), { path });
    case "edit":
      return interpolate(gettext("May Flint change %(path)s?"), { path });
  }
}

/** The heading of its card. @param {Withheld} withheld */
export function titleText(withheld) {
  if (withheld.kind === "frozen") return wishText(withheld);
  const place = { place: placeText(withheld) };
  return withheld.kind === "yielded"
    ? interpolate(gettext("What was typed stays at %(place)s"), place)
    : interpolate(gettext("Not applied: %(place)s"), place);
}

/**
 * Returns what became of it, or "" while it is open.
 * @param {Withheld} withheld
 */
export function answerText({ kind, state, by: name, until }) {
  const words = { name };
  if (state === "expired") {
    return kind === "frozen" && until
      ? gettext("Nobody answered in time, so nothing was done.")
      : gettext("It is over, and nothing was done.");
  }
  if (state === "taken") {
    if (kind === "refused") return gettext("It was applied when Flint was asked once more.");
    if (kind === "frozen") {
      return name
        ? interpolate(gettext("%(name)s said yes, and it was done."), words)
        : gettext("It was done.");
    }
    return name
      ? interpolate(gettext("%(name)s took Flint's version."), words)
      : gettext("Flint's version was taken.");
  }
  if (state === "declined") {
    if (kind === "frozen") {
      return name
        ? interpolate(gettext("%(name)s said no, so nothing was done."), words)
        : gettext("The turn ended before somebody answered, so nothing was done.");
    }
    return name ? interpolate(gettext("Dismissed by %(name)s."), words) : gettext("Dismissed.");
  }
  return "";
}

/** How long the question waits, beside it. @param {number} seconds */
export const waitsText = (seconds) =>
  interpolate(gettext("It waits for your word: %(time)s"), { time: clockText(seconds) });

/** The same for somebody who may not answer. @param {number} seconds */
export const waitsForOthersText = (seconds) =>
  interpolate(gettext("It waits for somebody who may prompt: %(time)s"), {
    time: clockText(seconds),
  });

/**
 * Returns what is told of a question that is new, for somebody who listens.
 * @param {Withheld} withheld
 * @param {boolean} may whether this person may answer
 * @param {string} keys what brings there
 */
export function askedText(withheld, may, keys) {
  const wish = wishText(withheld);
  return may
    ? interpolate(
        gettext(
          "%(wish)s It waits up to two minutes for your word. %(keys)s goes to the question.",
        ),
        { wish, keys },
      )
    : interpolate(gettext("%(wish)s It waits for somebody who may prompt."), { wish });
}

/** What the two columns of its comparison are. @param {Withheld} withheld @returns {string} */
export function diffText({ kind }) {
  return kind === "refused"
    ? gettext("The text as it stands, and what Flint wanted there")
    : gettext("What would change");
}
