/** A few seconds to take back that a waiting prompt was removed; as long as somebody is at it, time stands still. */

import { h, setText } from "../lib/dom.js";
import { gettext } from "../lib/i18n.js";

/** @import { FollowUp } from "../net/messages.js" */

/** @typedef {{ followup: FollowUp, before: string, text: string }} Removed `before` is the id of the one it stood before, or "" */

const OFFERED_MS = 10_000;

export class Undo {
  #parts;
  /** @type {Removed | null} */
  #removed = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #text = h("p", { class: "followups-undo-text" });

  /**
   * @param {object} parts
   * @param {() => void} parts.changed it is shown or gone
   * @param {(removed: Removed) => Promise<boolean>} parts.undo says whether it is undone
   * @param {() => void} parts.leave puts the keyboard elsewhere
   */
  constructor(parts) {
    this.#parts = parts;
    const button = h("button", { type: "button", class: "btn small" }, gettext("Undo"));
    button.addEventListener("click", () => void this.#undo());
    this.element = h("div", { class: "followups-undo", hidden: true }, this.#text, button);
    for (const event of ["pointerenter", "focusin"])
      this.element.addEventListener(event, () => clearTimeout(this.#timer));
    for (const event of ["pointerleave", "focusout"])
      this.element.addEventListener(event, () => this.#wait());
  }

  get isShown() {
    return !this.element.hidden;
  }

  /** @param {Removed} removed */
  offer(removed) {
    this.#removed = removed;
    setText(this.#text, removed.text);
    this.#show(true);
    this.#wait();
  }

  #wait() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#show(false), OFFERED_MS);
  }

  async #undo() {
    const removed = this.#removed;
    if (!removed) return;
    this.#removed = null;
    if (await this.#parts.undo(removed)) this.#show(false);
    else this.#removed ??= removed;
  }

  /** @param {boolean} shown */
  #show(shown) {
    if (!shown) clearTimeout(this.#timer);
    const held = !shown && this.element.contains(document.activeElement);
    this.element.hidden = !shown;
    this.#parts.changed();
    if (held) this.#parts.leave();
  }
}
