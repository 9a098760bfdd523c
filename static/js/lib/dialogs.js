/** The page's two questions: a name, and whether one is sure. Native dialogs, so focus and Escape are right. */

import { byId, setText } from "./dom.js";

/**
 * Asks for a name and acts on it; the dialog stays, with the reason, while `act` refuses.
 * @param {object} options
 * @param {string} options.title
 * @param {string} options.ok the word on the button
 * @param {string} options.value what stands in the field
 * @param {(name: string) => Promise<void>} options.act throws an Error whose message is a sentence to refuse
 * @param {() => void} [options.done] called when it was done and the dialog is gone
 * @returns {() => void} what to call when it is known to be done before `act` says so
 */
export function askName({ title, ok, value, act, done }) {
  const dialog = byId("name-dialog");
  if (!(dialog instanceof HTMLDialogElement) || dialog.open) return () => {};
  const form = byId("name-form");
  const input = /** @type {HTMLInputElement} */ (byId("name-input"));
  const error = byId("name-error");
  const button = /** @type {HTMLButtonElement} */ (byId("name-ok"));
  setText(byId("name-title"), title);
  setText(button, ok);
  setText(error, "");
  input.value = value;
  let over = false;
  const finish = () => {
    if (over) return;
    over = true;
    dialog.close();
    done?.();
  };
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    if (button.disabled) return;
    button.disabled = true;
    try {
      await act(input.value.trim());
      finish();
    } catch (refused) {
      setText(error, refused instanceof Error ? refused.message : String(refused));
      input.focus();
    } finally {
      button.disabled = false;
    }
  };
  form.addEventListener("submit", submit);
  const closed = () => {
    over = true;
    form.removeEventListener("submit", submit);
  };
  dialog.addEventListener("close", closed, { once: true });
  dialog.showModal();
  input.focus();
  // The name without folder and ending is what most people want to change.
  const start = value.lastIndexOf("/") + 1;
  const dot = value.lastIndexOf(".");
  input.setSelectionRange(start, dot > start ? dot : value.length);
  return finish;
}

/**
 * Asks whether the person is sure.
 * @param {{ title: string, text: string, ok: string }} words
 * @returns {Promise<boolean>}
 */
export function confirmed({ title, text, ok }) {
  const dialog = byId("confirm-dialog");
  if (!(dialog instanceof HTMLDialogElement) || dialog.open) return Promise.resolve(false);
  setText(byId("confirm-title"), title);
  setText(byId("confirm-text"), text);
  setText(byId("confirm-ok"), ok);
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => resolve(dialog.returnValue === "ok"), { once: true });
  });
}
