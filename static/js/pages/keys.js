/** Keys that work anywhere on the session page. */

import { IS_MAC, isComposing } from "../lib/keys.js";

/**
 * @param {object} acts
 * @param {() => boolean} acts.stop ends the running turn; says whether there was one
 * @param {() => void} acts.prompt goes to the prompt box
 * @param {() => void} acts.find goes to the filter of the files
 * @param {() => void} acts.help
 */
export function keys({ stop, prompt, find, help }) {
  document.addEventListener("keydown", (event) => {
    // What was open (a search, a popup, a dialog) took the key first, and said so.
    if (event.defaultPrevented || isComposing(event)) return;
    if (document.querySelector("dialog[open]")) return;
    const command = event.ctrlKey || event.metaKey;
    // On a Mac, Ctrl+K deletes to the end of the line.
    const mine = IS_MAC ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey;
    if (event.key === "Escape" && !command && !event.altKey) {
      // Held down, it closed something a moment ago; to stop takes a press of its own.
      if (!event.repeat && stop()) event.preventDefault();
    } else if (event.key.toLowerCase() === "k" && mine && !event.altKey && !event.shiftKey) {
      event.preventDefault();
      prompt();
    } else if (event.key.toLowerCase() === "p" && mine && !event.altKey && !event.shiftKey) {
      // Else the browser would print.
      event.preventDefault();
      find();
    } else if (event.key === "?" && !command && !isText(event.target)) {
      event.preventDefault();
      help();
    }
  });
}

/** @param {EventTarget | null} target whether keys typed there are text */
function isText(target) {
  return (
    target instanceof HTMLElement && (target.isContentEditable || target.matches("input, textarea"))
  );
}
