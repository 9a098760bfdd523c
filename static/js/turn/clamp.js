/** A text of many lines that shows a few, with a button for the rest where there is one. */

import { setText } from "../lib/dom.js";
import { gettext } from "../lib/i18n.js";

/** @type {WeakMap<Element, Clamp>} */
const clamps = new WeakMap();

/** How much fits changes with the width of the pane, and with nothing else. */
const sizes = globalThis.ResizeObserver
  ? new ResizeObserver((entries) => {
      for (const { target } of entries) clamps.get(target)?.measure();
    })
  : null;

export class Clamp {
  #text;
  #button;
  #isOpen = false;

  /**
   * @param {HTMLElement} text
   * @param {HTMLElement} button
   */
  constructor(text, button) {
    this.#text = text;
    this.#button = button;
    text.dataset.clamped = "";
    button.addEventListener("click", () => {
      this.#isOpen = !this.#isOpen;
      text.toggleAttribute("data-clamped", !this.#isOpen);
      this.#draw();
    });
    clamps.set(text, this);
    sizes?.observe(text);
    this.#draw();
  }

  /** Looks whether anything is cut off. */
  measure() {
    if (this.#isOpen) return;
    const { scrollHeight, clientHeight } = this.#text;
    this.#button.hidden = scrollHeight <= clientHeight + 1;
  }

  #draw() {
    this.#button.setAttribute("aria-expanded", String(this.#isOpen));
    setText(this.#button, this.#isOpen ? gettext("Show less") : gettext("Show all"));
  }
}
