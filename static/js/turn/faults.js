/** Why a prompt is not sent, in words. Pure. */

import { formatNumber, gettext, interpolate } from "../lib/i18n.js";
import { Refusal } from "../net/requests.js";

/** @import { Cause } from "../pages/notices.js" */

/** The server reads no longer prompt, and no more files with it. */
export const MOST = 32_000;
export const MOST_FILES = 20;

/**
 * Returns what keeps a text from being a prompt, as a sentence, or "".
 * @param {string} text
 * @param {number} files how many it mentions
 */
export function faultOf(text, files) {
  if (text.length > MOST) {
    return interpolate(
      gettext(
        "The prompt has %(length)s characters, and at most %(most)s can be sent. It is kept; shorten it, or put a part of it into a file.",
      ),
      { length: formatNumber(text.length), most: formatNumber(MOST) },
    );
  }
  // One word after a slash was meant as a command; a path among other words was not.
  if (/^\/[a-z][a-z-]*$/.test(text)) {
    return interpolate(
      gettext("There is no command %(command)s just now. Type / to see those there are."),
      { command: text },
    );
  }
  if (files > MOST_FILES) {
    return interpolate(
      gettext(
        "The prompt mentions %(count)s files, and at most %(most)s can go with it. It is kept; take some away.",
      ),
      { count: formatNumber(files), most: formatNumber(MOST_FILES) },
    );
  }
  return "";
}

/** What is said of an empty box while a turn runs. */
export const emptyText = () =>
  gettext(
    "Flint is at work. Type what it should do instead and press Enter, or press Escape to stop it.",
  );

/** What is said when a text is not put into the box, since another one would be lost. */
export const boxFullText = () =>
  gettext("Another prompt stands in the box. Send it or clear the box first.");

/** @param {unknown} refused */
export const isOffline = (refused) => refused instanceof Refusal && refused.code === "offline";

/** @param {unknown} refused @returns {{ message: string, cause: Cause }} */
export function whyNot(refused) {
  const message = refused instanceof Error ? refused.message : String(refused);
  const code = refused instanceof Refusal ? refused.code : "";
  return { message, cause: code === "busy" || code === "model" ? code : "" };
}
