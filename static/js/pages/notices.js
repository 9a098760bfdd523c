/** The strips above the prompt: one sentence at a time, and text that was set aside. Never in the way. */

import { byId, find, fromTemplate, setText } from "../lib/dom.js";
import { gettext, interpolate } from "../lib/i18n.js";

/** @import { SetAside } from "../collab/setaside.js" */

/**
 * What a sentence waits for, when it is only true for a while.
 * @typedef {"" | "busy" | "model" | "offline"} Cause
 */
/** @typedef {(message: string, cause?: Cause) => void} Say shows a sentence; an empty one hides it */

/**
 * Returns `say`, whose sentence stays until it is dismissed or another one comes, and `passed`, which takes away
 * the sentence with that cause and says whether there was one.
 * @returns {{ say: Say, passed: (cause: Cause) => boolean }}
 */
export function notice() {
  const strip = byId("notice");
  const text = byId("notice-text");
  /** @type {Cause} */
  let standing = "";
  /** @type {Say} */
  const say = (message, cause = "") => {
    strip.hidden = !message;
    setText(text, message);
    standing = cause;
  };
  const passed = (/** @type {Cause} */ cause) => {
    if (strip.hidden || standing !== cause) return false;
    say("");
    return true;
  };
  byId("notice-close").addEventListener("click", () => say(""));
  return { say, passed };
}

/**
 * Shows text that the server did not take, with ways to keep it.
 * @param {HTMLElement} list
 * @param {SetAside} aside
 * @param {(aside: SetAside) => boolean} applyAgain says whether it could
 * @param {() => void} done the person has dealt with it
 */
export function showAside(list, aside, applyAgain, done) {
  const strip = fromTemplate("tpl-rejected");
  const { path, message, text, edit } = aside;
  const part = (/** @type {string} */ selector) =>
    /** @type {HTMLElement} */ (find(strip, selector));
  const label = interpolate(gettext("Not sent, in %(path)s."), { path });
  setText(part(".rejected-text"), `${label} ${message}`);
  setText(part(".rejected-body"), text);
  strip.setAttribute("aria-label", label);
  const close = () => {
    strip.remove();
    done();
  };
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
      apply.hidden = true;
    }
  });
  list.append(strip);
}
