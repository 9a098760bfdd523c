/** What can be taken out of the session, in a dialog; without this script the link leads to a page. */

import { byId } from "../lib/dom.js";
import { gettext } from "../lib/i18n.js";

/**
 * @param {object} parts
 * @param {() => Promise<unknown>} parts.settled resolves when what was typed here is saved, or soon
 * @param {(message: string) => void} parts.say
 */
export function download({ settled, say }) {
  const link = /** @type {HTMLAnchorElement} */ (byId("download"));
  const dialog = /** @type {HTMLDialogElement} */ (byId("download-dialog"));
  link.addEventListener("click", async (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    await settled();
    try {
      const response = await fetch(link.href, { headers: { "HX-Request": "true" } });
      // To the sign-in, which does not belong into a dialog.
      if (response.redirected) return location.assign(link.href);
      if (!response.ok) throw new RangeError(`The server answered ${response.status}.`);
      const range = document.createRange();
      dialog.replaceChildren(range.createContextualFragment(await response.text()));
    } catch {
      say(gettext("The server cannot be reached, so nothing can be downloaded now. Try again."));
      return;
    }
    if (dialog.open) return;
    dialog.showModal();
    byId("download-zip").focus();
  });
}
