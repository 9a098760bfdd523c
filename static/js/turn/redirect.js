/**
 * What a press of the button means, and what is said of how it went. Pure.
 *
 * While a turn runs, a prompt is a new direction for it, unless the person wants it to wait. A turn that is
 * stopping already is as good as over.
 */

import { formatNumber, gettext, interpolate } from "../lib/i18n.js";

/** @import { Turn } from "../net/messages.js" */

/** @typedef {"finished" | "partial" | "nothing"} Keep what a redirect keeps of the turn it ends */
/** @typedef {"started" | "waits" | "redirected"} Outcome */
/** @typedef {{ t: "prompt" } | { t: "redirect", turn: string, keep: Keep }} Manner */

/** @type {Keep[]} */
export const KEEPS = ["finished", "partial", "nothing"];

/** @param {unknown} value @returns {Keep} */
export const keepOf = (value) => KEEPS.find((keep) => keep === value) ?? "finished";

/**
 * Returns how a prompt is to be sent.
 * @param {{ running: Turn | null, queue: boolean, keep: Keep }} now
 * @returns {Manner}
 */
export function manner({ running, queue, keep }) {
  if (!running || running.state === "stopping" || queue) return { t: "prompt" };
  return { t: "redirect", turn: running.id, keep };
}

/**
 * Returns what is said of a prompt that the server has taken: `spoken` to those who listen, `shown` to all, when
 * it went another way than the button said.
 * @param {Manner["t"]} kind
 * @param {unknown} outcome
 * @param {number} place in the list of those that wait, from 1, or 0 when it is not known
 * @param {string} [why] what the server says of it, who knows who was first
 * @returns {{ spoken: string, shown: string }}
 */
export function told(kind, outcome, place, why = "") {
  if (why) return { spoken: "", shown: why };
  if (kind === "redirect" && outcome === "redirected")
    return { spoken: gettext("Redirected."), shown: "" };
  if (kind === "redirect" && outcome === "started") {
    const shown = gettext("That turn had ended by itself. Your prompt began a new one.");
    return { spoken: "", shown };
  }
  if (outcome !== "waits") return { spoken: "", shown: "" };
  const number = { place: formatNumber(place) };
  if (kind === "redirect") {
    const shown = place
      ? interpolate(
          gettext("Somebody else was first. Your prompt is kept and waits as number %(place)s."),
          number,
        )
      : gettext("Somebody else was first. Your prompt is kept and waits.");
    return { spoken: "", shown };
  }
  const spoken = place
    ? interpolate(gettext("Queued as number %(place)s."), number)
    : gettext("Queued.");
  return { spoken, shown: "" };
}

/** @param {Keep} keep what it does, on a menu */
export function keepText(keep) {
  switch (keep) {
    case "finished":
      return gettext("Keep finished edits");
    case "partial":
      return gettext("Keep the unfinished edit too");
    case "nothing":
      return gettext("Take the turn back");
  }
}

/** @param {Keep} keep what the button will do, as its tooltip */
export function redirectText(keep) {
  switch (keep) {
    case "finished":
      return gettext(
        "Ends the running turn, keeps its finished edits and goes on with your prompt",
      );
    case "partial":
      return gettext(
        "Ends the running turn, keeps its edits with the unfinished one and goes on with your prompt",
      );
    case "nothing":
      return gettext("Ends the running turn, takes it back and goes on with your prompt");
  }
}

/** What the button says: a choice that was remembered, and that throws work away, is seen before it is pressed. @param {Keep} keep */
export const actText = (keep) => (keep === "nothing" ? gettext("Start over") : gettext("Redirect"));

/** What an empty box says while a turn runs. @param {Keep} keep */
export function insteadText(keep) {
  switch (keep) {
    case "nothing":
      return gettext("Take this turn back, and do instead…");
    case "partial":
      return gettext("Redirect, keeping the unfinished edit too: say what to do instead…");
    default:
      return gettext("Redirect: say what to do instead…");
  }
}
