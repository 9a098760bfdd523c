/**
 * The places a turn changed, as rows of its card. A row lives as long as its hunk: a turn may have hundreds,
 * and whoever is on one with the keyboard stays there.
 */

import { find, fromTemplate, setText } from "../lib/dom.js";
import { gettext } from "../lib/i18n.js";
import { hunkText } from "./sentences.js";

/** @import { Hunk } from "../net/messages.js" */

/** @typedef {{ element: HTMLElement, place: HTMLElement, status: HTMLElement, said: string, hunk: Hunk }} Row */

export class Hunks {
  #list;
  #placeOf;
  #goTo;
  /** By ordinal. @type {Map<number, Row>} */
  #rows = new Map();

  /**
   * @param {HTMLElement} list
   * @param {(hunk: Hunk) => { path: string, line: number | null }} placeOf
   * @param {(hunk: Hunk) => void} goTo
   */
  constructor(list, placeOf, goTo) {
    this.#list = list;
    this.#placeOf = placeOf;
    this.#goTo = goTo;
  }

  /** Shows these and no others. @param {Hunk[]} hunks */
  all(hunks) {
    const stay = new Set(hunks.map(({ ordinal }) => ordinal));
    for (const [ordinal, { element }] of this.#rows) {
      if (stay.has(ordinal)) continue;
      element.remove();
      this.#rows.delete(ordinal);
    }
    for (const hunk of hunks) this.one(hunk);
    this.#list.hidden = !hunks.length;
  }

  /** Shows one that is new or changed. @param {Hunk} hunk */
  one(hunk) {
    const row = this.#rows.get(hunk.ordinal) ?? this.#create(hunk);
    row.hunk = hunk;
    row.element.dataset.status = hunk.status;
    setText(row.status, hunkText(hunk.status));
    this.#place(row);
    this.#list.hidden = false;
  }

  /** Says again where each stands, after lines moved. */
  places() {
    for (const row of this.#rows.values()) this.#place(row);
  }

  /** @param {Hunk} hunk @returns {Row} */
  #create(hunk) {
    const element = fromTemplate("tpl-hunk");
    const go = /** @type {HTMLElement} */ (find(element, ".hunk-go"));
    const place = /** @type {HTMLElement} */ (find(element, ".hunk-place"));
    const status = /** @type {HTMLElement} */ (find(element, ".hunk-status"));
    const row = { element, place, status, said: "", hunk };
    go.title = gettext("Show this place");
    go.addEventListener("click", () => this.#goTo(row.hunk));
    const later = [...this.#rows]
      .filter(([ordinal]) => ordinal > hunk.ordinal)
      .sort(([one], [other]) => one - other)[0];
    this.#list.insertBefore(element, later?.[1].element ?? null);
    this.#rows.set(hunk.ordinal, row);
    return row;
  }

  /** @param {Row} row */
  #place(row) {
    const { path, line } = this.#placeOf(row.hunk);
    const said = line === null ? path : `${path}:${line}`;
    if (said === row.said) return;
    row.said = said;
    row.place.textContent = said;
  }
}
