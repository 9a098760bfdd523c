/** What each way a socket closes means for the page; the codes are those of docs/protocol.md. */

import { gettext } from "../lib/i18n.js";

/**
 * @typedef {object} Closing
 * @property {boolean} final whether the page must not come back by itself
 * @property {number} waitMs the least time before coming back
 * @property {string} message a sentence for the person, or empty when nothing need be said
 */

/**
 * Returns what a close code asks of the page.
 * @param {number} code
 * @returns {Closing}
 */
export function closing(code) {
  switch (code) {
    case 4401:
      return final(gettext("You are signed out. Your unsent edits are kept here; sign in again."));
    case 4403:
      return final(
        gettext("This address may not open the session. Open it from the link you got."),
      );
    case 4404:
      return final(gettext("This session does not exist, or you may not see it."));
    case 4003:
      return final(gettext("You may no longer be in this session. Copy what you still need."));
    case 4029:
      return {
        final: false,
        waitMs: 5_000,
        message: gettext("Too much at once; going on in 5 s."),
      };
    default:
      return { final: false, waitMs: 0, message: "" };
  }
}

/** @param {string} message @returns {Closing} */
function final(message) {
  return { final: true, waitMs: 0, message };
}
