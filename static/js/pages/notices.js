/** The strips above the prompt: one sentence at a time, and text that was set aside. Never in the way. */

import { byId, find, fromTemplate, setText } from "../lib/dom.js";
import { gettext, interpolate } from "../lib/i18n.js";

/** @import { SetAside } from "../collab/setaside.js" */

/**
 * Returns a function that shows a sentence until it is dismissed or another one comes; an empty one hides it.
 * @returns {(message: string) => void}
 */
export function notice() {
  const strip = byId("notice");
  const text = byId("notice-text");
  byId("notice-close").addEventListener("click", () => {
    strip.hidden = true;
  });
  return (message) => {
    strip.hidden = !message;
    setText(text, message);
  };
}

/**
 * Shows text that the server did not take, with ways to keep it.
 * @param {HTMLElement} list
 * @param {SetAside} aside
 * @param {(aside: SetAside) => boolean} applyAgain says whether it could
 */
export function showAside(list, aside, applyAgain) {
  const strip = fromTemplate("tpl-rejected");
  const { path, message, text, edit } = aside;
  const part = (/** @type {string} */ selector) =>
    /** @type {HTMLElement} */ (find(strip, selector));
  const label = interpolate(gettext("Not sent, in %(path)s."), { path });
  setText(part(".rejected-text"), `${label} ${message}`);
  setText(part(".rejected-body"), text);
  strip.setAttribute("aria-label", label);
  const close = () => strip.remove();
  part(".rejected-close").addEventListener("click", close);
  part(".rejected-copy").addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(text);
      setText(part(".rejected-copy"), gettext("Copied"));
    } catch {
      // Without the right to the clipboard, the text is shown and selected for the keyboard.
      const details = strip.querySelector("details");
      if (details) details.open = true;
      getSelection()?.selectAllChildren(part(".rejected-body"));
    }
  });
  const apply = part(".rejected-apply");
  apply.hidden = !edit;
  apply.addEventListener("click", () => {
    if (applyAgain(aside)) close();
    else {
      const why = gettext(
        "The file is not open here, so it could not be applied. Copy it instead.",
      );
      setText(part(".rejected-text"), `${label} ${why}`);
    }
  });
  list.append(strip);
}
