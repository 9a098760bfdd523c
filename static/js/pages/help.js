/** The sheet of all keys. The page brings it whole; here the keys are named as this keyboard has them. */

import { setText } from "../lib/dom.js";
import { IS_MAC } from "../lib/keys.js";

/**
 * Names the keys as they are called here; returns what opens the sheet.
 * @param {HTMLDialogElement} sheet
 * @param {boolean} [isMac]
 * @returns {() => void}
 */
export function help(sheet, isMac = IS_MAC) {
  for (const key of sheet.querySelectorAll("kbd[data-mac]")) {
    if (isMac && key instanceof HTMLElement) setText(key, key.dataset.mac ?? "");
  }
  for (const keys of sheet.querySelectorAll("[data-only]")) {
    if (keys instanceof HTMLElement) keys.hidden = (keys.dataset.only === "mac") !== isMac;
  }
  return () => {
    if (!sheet.open) sheet.showModal();
  };
}
