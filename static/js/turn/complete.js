/**
 * The list above the box that completes files, people and commands. The keyboard never leaves the box: the list
 * is pointed at with aria-activedescendant. A textarea may not be called a combobox, so how many suggestions there
 * are is spoken when the list opens.
 */

import { h } from "../lib/dom.js";
import { formatNumber, interpolate, ngettext } from "../lib/i18n.js";
import { complete, tokenAt } from "./mentions.js";

/** @import { Token } from "./mentions.js" */

/**
 * @typedef {object} Option
 * @property {string} label
 * @property {number[]} marks which characters of the label were typed
 * @property {string} detail
 * @property {string} word what it puts in place of the token
 * @property {boolean} [runs] Enter does it at once
 */

export class Completion {
  #parts;
  /** @type {Option[]} */
  #options = [];
  /** @type {Token | null} */
  #token = null;
  #at = 0;

  /**
   * @param {object} parts
   * @param {HTMLTextAreaElement} parts.box
   * @param {HTMLElement} parts.list
   * @param {(token: Token) => Option[]} parts.options best first
   * @param {() => void} parts.changed the text is another
   * @param {() => void} parts.run does what the text says
   * @param {(sentence: string) => void} parts.tell
   */
  constructor(parts) {
    this.#parts = parts;
    const { box } = parts;
    box.addEventListener("blur", () => this.close());
    box.addEventListener("click", () => this.#follow());
    box.addEventListener("keyup", ({ key }) => {
      if (/^(Arrow(Left|Right)|Home|End)$/.test(key)) this.#follow();
    });
  }

  get isOpen() {
    return this.#token !== null;
  }

  /** Something was typed: opens, changes or closes the list. */
  typed() {
    const { box, options } = this.#parts;
    const token = box.selectionStart === box.selectionEnd ? this.#tokenHere() : null;
    const found = token ? options(token) : [];
    if (!token || !found.length) return this.close();
    const opens = !this.isOpen || found.length !== this.#options.length;
    this.#token = token;
    this.#options = found;
    this.#at = 0;
    this.#draw();
    if (opens) this.#parts.tell(countText(found.length));
  }

  /** Hides the list. */
  close() {
    const { box, list } = this.#parts;
    this.#token = null;
    this.#options = [];
    list.hidden = true;
    list.replaceChildren();
    box.removeAttribute("aria-activedescendant");
  }

  /**
   * Takes a key that the list is for; says whether it did.
   * @param {KeyboardEvent} event
   */
  key(event) {
    if (!this.isOpen || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey)
      return false;
    const { length } = this.#options;
    if (event.key === "ArrowDown") this.#point((this.#at + 1) % length);
    else if (event.key === "ArrowUp") this.#point((this.#at + length - 1) % length);
    else if (event.key === "Tab") this.#choose(this.#options[this.#at], false);
    else if (event.key === "Escape") this.close();
    else if (event.key === "Enter") return this.#entered(event);
    else return false;
    event.preventDefault();
    return true;
  }

  /** Enter completes, unless there is nothing left to complete: then it is for the box. @param {KeyboardEvent} event */
  #entered(event) {
    const option = this.#options[this.#at];
    const { value } = this.#parts.box;
    const { from, to } = /** @type {Token} */ (this.#token);
    if (value.slice(from, to) === option.word) {
      this.close();
      return false;
    }
    event.preventDefault();
    this.#choose(option, true);
    return true;
  }

  /** @param {Option} option @param {boolean} run */
  #choose(option, run) {
    const { box } = this.#parts;
    const token = /** @type {Token} */ (this.#token);
    const { text, caret } = complete(box.value, token, option.word);
    this.close();
    box.value = text;
    box.setSelectionRange(caret, caret);
    this.#parts.changed();
    if (run && option.runs) this.#parts.run();
  }

  #tokenHere() {
    const { box } = this.#parts;
    return tokenAt(box.value, box.selectionStart);
  }

  /** The caret moved: an open list goes with it, and a closed one stays so. */
  #follow() {
    if (this.isOpen) this.typed();
  }

  /** @param {number} at */
  #point(at) {
    this.#at = at;
    this.#draw();
  }

  #draw() {
    const { box, list } = this.#parts;
    const rows = this.#options.map((option, index) => this.#row(option, index));
    list.replaceChildren(...rows);
    list.hidden = false;
    box.setAttribute("aria-activedescendant", rows[this.#at].id);
    rows[this.#at].scrollIntoView({ block: "nearest" });
  }

  /** @param {Option} option @param {number} index */
  #row(option, index) {
    const marks = new Set(option.marks);
    const letters = [...chunks(option.label, marks)];
    return h(
      "li",
      {
        id: `complete-${index}`,
        class: "complete-option",
        role: "option",
        "aria-selected": String(index === this.#at),
        // The box keeps the keyboard.
        onpointerdown: (/** @type {Event} */ event) => event.preventDefault(),
        onclick: () => this.#choose(option, true),
      },
      h(
        "span",
        { class: "complete-label" },
        ...letters.map(({ text, marked }) => (marked ? h("b", {}, text) : text)),
      ),
      h("span", { class: "complete-detail" }, option.detail),
    );
  }
}

/**
 * Returns a label in runs of characters that are marked or not.
 * @param {string} label
 * @param {Set<number>} marks
 */
export function* chunks(label, marks) {
  let from = 0;
  for (let at = 1; at <= label.length; at++) {
    if (at < label.length && marks.has(at) === marks.has(from)) continue;
    yield { text: label.slice(from, at), marked: marks.has(from) };
    from = at;
  }
}

/** @param {number} count */
const countText = (count) =>
  interpolate(ngettext("%(count)s suggestion", "%(count)s suggestions", count), {
    count: formatNumber(count),
  });
