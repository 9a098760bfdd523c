/**
 * A button that opens a menu of choices above itself: arrows move, Enter chooses, Escape and Tab leave. The
 * ARIA menu button pattern; the choices are drawn when it opens and whenever `refresh` is called.
 */

import { h } from "../lib/dom.js";

/**
 * @typedef {object} Item
 * @property {string} id keeps its place in the menu when it is drawn again
 * @property {string} label
 * @property {string} [detail] a second line
 * @property {boolean} [checked] makes it one choice of several
 * @property {boolean} [several] it is checked by itself, whatever the others are; the menu stays open
 * @property {boolean} [disabled] it is shown, and says in its detail why it cannot be chosen
 * @property {string} [group] the name of the group it stands in
 * @property {() => void} act
 */

export class Menu {
  #button;
  #list;
  #items;
  #done;

  /**
   * @param {object} parts
   * @param {HTMLButtonElement} parts.button
   * @param {HTMLElement} parts.list the element that becomes the menu; it names itself
   * @param {() => Item[]} parts.items
   * @param {() => void} parts.done called after a choice, to put the keyboard where one goes on
   */
  constructor({ button, list, items, done }) {
    this.#button = button;
    this.#list = list;
    this.#items = items;
    this.#done = done;
    button.addEventListener("click", () => {
      if (this.isOpen) this.close();
      else this.open();
    });
    button.addEventListener("keydown", (event) => {
      if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
      event.preventDefault();
      this.open();
    });
    list.addEventListener("keydown", (event) => this.#key(event));
    list.addEventListener("focusout", ({ relatedTarget }) => {
      const inside = relatedTarget instanceof Node && list.contains(relatedTarget);
      if (!inside && relatedTarget !== button && document.hasFocus()) this.close();
    });
    document.addEventListener("pointerdown", ({ target }) => {
      const mine = target instanceof Node && (list.contains(target) || button.contains(target));
      if (!mine) this.close();
    });
  }

  get isOpen() {
    return !this.#list.hidden;
  }

  /** Shows the menu; the keyboard goes to what is chosen now. */
  open() {
    if (this.#button.disabled) return;
    this.#draw();
    this.#list.hidden = false;
    this.#button.setAttribute("aria-expanded", "true");
    const rows = this.#rows();
    const chosen = '[role="menuitemradio"][aria-checked="true"]';
    (rows.find((row) => row.matches(chosen)) ?? rows[0])?.focus();
  }

  /** Hides it; the keyboard stays where it is unless it was inside. */
  close() {
    if (!this.isOpen) return;
    const inside = this.#list.contains(document.activeElement);
    this.#list.hidden = true;
    this.#button.setAttribute("aria-expanded", "false");
    if (inside) this.#button.focus();
  }

  /** Draws it anew if it is open. */
  refresh() {
    if (!this.isOpen) return;
    const focused = document.activeElement;
    const id = focused instanceof HTMLElement ? focused.dataset.item : undefined;
    this.#draw();
    if (id)
      this.#rows()
        .find((row) => row.dataset.item === id)
        ?.focus();
  }

  #draw() {
    /** @type {HTMLElement[]} */
    const groups = [];
    /** @type {string | undefined} */
    let last;
    for (const item of this.#items()) {
      if (!groups.length || item.group !== last) {
        last = item.group;
        const title = last && h("p", { class: "menu-title", "aria-hidden": "true" }, last);
        groups.push(h("div", { role: "group", "aria-label": last }, title));
      }
      groups.at(-1)?.append(this.#row(item));
    }
    this.#list.replaceChildren(...groups);
  }

  /** @param {Item} item */
  #row({ id, label, detail, checked, several, disabled, act }) {
    const role = checked === undefined ? "menuitem" : "menuitemradio";
    const choose = () => {
      if (disabled) return;
      if (several) {
        act();
        // Drawn again, it would lose the keyboard, and the menu would close.
        const now = this.#items().find((item) => item.id === id);
        row.setAttribute("aria-checked", String(now?.checked ?? checked));
        return;
      }
      this.#list.hidden = true;
      this.#button.setAttribute("aria-expanded", "false");
      act();
      this.#done();
    };
    const row = h(
      "button",
      {
        type: "button",
        class: "menu-item",
        role: several ? "menuitemcheckbox" : role,
        "aria-checked": checked === undefined ? null : String(checked),
        "aria-disabled": disabled ? "true" : null,
        tabindex: "-1",
        "data-item": id,
        onclick: choose,
      },
      h("span", { class: "menu-label" }, label),
      detail && h("span", { class: "menu-detail" }, detail),
    );
    return row;
  }

  #rows() {
    return /** @type {HTMLElement[]} */ ([...this.#list.querySelectorAll(".menu-item")]);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const rows = this.#rows();
    const at = rows.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    const goals = /** @type {Record<string, number>} */ ({
      ArrowDown: at + 1,
      ArrowUp: at - 1 + rows.length,
      Home: 0,
      End: rows.length - 1,
    });
    if (event.key === "Escape") {
      event.preventDefault();
      this.close();
    } else if (event.key === "Tab") {
      this.close();
    } else if (event.key in goals) {
      event.preventDefault();
      rows[goals[event.key] % rows.length]?.focus();
    }
  }
}
