/** What is said of prompts that wait, in words. Pure. */

import { formatNumber, gettext, interpolate, ngettext } from "../lib/i18n.js";
import { short } from "./sentences.js";
import { tierText } from "./tiers.js";

/** @import { Endpoint, Focus, FollowUp, FollowUps, Turn } from "../net/messages.js" */

/** @param {number} count how many wait */
export const countText = (count) =>
  interpolate(ngettext("%(count)s prompt waits", "%(count)s prompts wait", count), {
    count: formatNumber(count),
  });

/** @param {number} count how many wait, also those that are not shown */
export const allText = (count) =>
  interpolate(gettext("Show all %(count)s"), { count: formatNumber(count) });

/**
 * Returns why nothing of the list is asked by itself, or "".
 * @param {FollowUps} followups
 * @param {Turn | null} latest the turn that was asked for last
 * @param {string} you this person's name
 */
export function heldText({ held, message }, latest, you) {
  if (!held) return "";
  if (message) return message;
  const name = latest?.ended_by ?? "";
  if (latest?.state === "stopped" && name && name !== you) {
    return interpolate(gettext("On hold, since %(name)s stopped the last turn."), { name });
  }
  if (latest?.state === "stopped") return gettext("On hold, since the last turn was stopped.");
  if (latest?.state === "failed") return gettext("On hold, since the last turn failed.");
  if (latest?.state === "interrupted") {
    return gettext("On hold, since the server was interrupted.");
  }
  return gettext("On hold until somebody sends one of them, or a new prompt.");
}

/**
 * Returns which model a prompt waits for.
 * @param {FollowUp} followup
 * @param {Endpoint[]} endpoints
 */
export function modelOf({ tier, endpoint }, endpoints) {
  const known = endpoints.find((one) => one.tier === tier && one.id === endpoint && !one.default);
  return known ? known.label : tierText(tier);
}

/** Returns what a prompt is about. @param {Focus | null} focus */
export function aboutText(focus) {
  if (!focus) return "";
  const { path, from_line: from, to_line: to } = focus;
  if (from === null || to === null) return path;
  if (from === to) return interpolate(gettext("%(path)s, line %(from)s"), { path, from });
  return interpolate(gettext("%(path)s, lines %(from)s to %(to)s"), { path, from, to });
}

/** What the button that sends one now will do. @param {boolean} running whether a turn runs */
export const nowText = (running) =>
  running
    ? gettext("Ends the running turn, keeps its finished edits and asks this instead")
    : gettext("Asks this now, before those above it");

/** @param {FollowUp} followup that was removed @param {string} you this person's id */
export function removedText({ author, name, prompt }, you) {
  const words = { name, prompt: short(prompt) };
  return author === you
    ? interpolate(gettext("Your prompt was removed: %(prompt)s"), words)
    : interpolate(gettext("The prompt of %(name)s was removed: %(prompt)s"), words);
}

/**
 * Returns the prompt that changed its place, or null. Of two that changed places, it is the one that this person
 * moved, else the one that went ahead.
 * @param {FollowUp[]} before
 * @param {FollowUp[]} after
 * @param {string} mine
 */
function moved(before, after, mine) {
  const was = before.filter(({ id }) => after.some((one) => one.id === id)).map(({ id }) => id);
  const is = after.filter(({ id }) => was.includes(id));
  if (is.every(({ id }, index) => id === was[index])) return null;
  const fits = is.filter(({ id }) => {
    const rest = was.filter((other) => other !== id);
    return is.filter((one) => one.id !== id).every((one, index) => one.id === rest[index]);
  });
  const ahead = fits.find(({ id }) => is.findIndex((one) => one.id === id) < was.indexOf(id));
  return fits.find(({ id }) => id === mine) ?? ahead ?? fits[0];
}

/**
 * Returns what is told of a list that is another, for somebody who listens; what left it is not told here, since
 * only the next turn says whether it was sent or removed.
 * @param {FollowUps} before
 * @param {FollowUps} after
 * @param {string} you this person's id; they hear of their own new prompts elsewhere
 * @param {string} [mine] the prompt that this person moved last
 * @returns {string[]}
 */
export function changes(before, after, you, mine = "") {
  const place = (/** @type {FollowUp} */ { id }) =>
    formatNumber(after.list.findIndex((one) => one.id === id) + 1);
  const sentences = [];
  for (const one of after.list) {
    const old = before.list.find(({ id }) => id === one.id);
    if (!old && one.author !== you) {
      const text = gettext("%(name)s queued a prompt, number %(place)s in line: %(prompt)s");
      const words = { name: one.name, place: place(one), prompt: short(one.prompt) };
      sentences.push(interpolate(text, words));
    } else if (old && old.prompt !== one.prompt) {
      const text = gettext("The prompt number %(place)s in line reads now: %(prompt)s");
      sentences.push(interpolate(text, { place: place(one), prompt: short(one.prompt) }));
    }
  }
  const one = moved(before.list, after.list, mine);
  if (one) {
    const text = gettext("The prompt of %(name)s is number %(place)s in line now: %(prompt)s");
    const words = { name: one.name, place: place(one), prompt: short(one.prompt) };
    sentences.push(interpolate(text, words));
  }
  return sentences;
}
