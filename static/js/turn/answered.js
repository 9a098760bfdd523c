/** Which model answered a turn, and who asked, in words. Pure. */

import { gettext, interpolate } from "../lib/i18n.js";
import { tierText } from "./tiers.js";

/** @import { PersonWhere, Turn } from "../net/messages.js" */

/**
 * Returns the model of a turn in a few words, and more of it for a tooltip.
 * @param {Turn} turn
 * @returns {{ text: string, title: string }}
 */
export function answered({ label, model, tier, format }) {
  const name = label || model;
  const text = name ? `${name} · ${tierText(tier)}` : tierText(tier);
  const words = { model: model || label || tierText(tier) };
  if (format === "blocks") {
    const title = gettext("%(model)s, which writes its edits as blocks to search and replace");
    return { text, title: interpolate(title, words) };
  }
  if (format === "whole") {
    const title = gettext("%(model)s, which writes the whole text of what it edits");
    return { text, title: interpolate(title, words) };
  }
  return { text, title: words.model };
}

/**
 * Returns how the one who asked is named on a card.
 * @param {Turn} turn
 * @param {Iterable<PersonWhere>} people who are here
 * @param {string} you this person's id
 */
export function asker({ author, name }, people, you) {
  if (author && author === you) return interpolate(gettext("%(name)s (you)"), { name });
  const here = [...people].some((one) => (author ? one.user === author : one.name === name));
  return here ? name : interpolate(gettext("%(name)s, not here now"), { name });
}
