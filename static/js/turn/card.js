/** One turn as a card: who asked what, how far it is, what it changed, and how to take it back. */

import DOMPurify from "../../vendor/dompurify.js";
import { find, fromTemplate, setText } from "../lib/dom.js";
import { gettext } from "../lib/i18n.js";
import { initials } from "../lib/names.js";
import { exact } from "../lib/time.js";
import { figures, hunkText, receipt, stateText } from "./sentences.js";

/** @import { Hunk, ProgressFrame, Turn } from "../net/messages.js" */

/**
 * @typedef {object} CardParts
 * @property {(turn: Turn) => string} look the class of the author's colour
 * @property {(file: string) => string} pathOf
 * @property {(hunk: Hunk) => { path: string, line: number | null }} placeOf
 * @property {(hunk: Hunk) => void} goTo
 * @property {(turn: Turn) => void} revert
 * @property {() => boolean} mayRevert
 */

export class Card {
  #parts;
  /** @type {Turn} */
  #turn;
  /** @type {ProgressFrame | null} */
  #progress = null;
  #html = "";
  /** What the person who stopped it on this page waited. @type {number | null} */
  #roundTripMs = null;

  /**
   * @param {Turn} turn
   * @param {CardParts} parts
   */
  constructor(turn, parts) {
    this.#parts = parts;
    this.#turn = turn;
    this.element = fromTemplate("tpl-turn");
    this.element.dataset.turn = turn.id;
    const at = new Date(turn.created_at);
    if (!Number.isNaN(at.getTime())) {
      this.#part(".turn-prompt").title = `${turn.name}, ${exact(at)}`;
    }
    this.#part(".turn-revert").addEventListener("click", () => parts.revert(this.#turn));
    this.update(turn);
  }

  /** @param {Turn} turn */
  update(turn) {
    this.#turn = turn;
    this.#draw();
    this.prose(turn.html);
    this.#hunks();
  }

  /** @param {ProgressFrame} progress */
  progress(progress) {
    this.#progress = progress;
    this.#draw();
  }

  /** @param {number} ms */
  set roundTripMs(ms) {
    this.#roundTripMs = ms;
    this.#draw();
  }

  /** Shows what the model said; the server cleaned it, and here it is cleaned again. @param {string} html */
  prose(html) {
    if (html === this.#html) return;
    this.#html = html;
    const prose = this.#part(".turn-prose");
    const clean = DOMPurify.sanitize(html, {
      RETURN_DOM_FRAGMENT: true,
      FORBID_ATTR: ["style", "id", "name"],
      FORBID_TAGS: ["style", "form", "input", "button", "img"],
    });
    for (const link of clean.querySelectorAll("a")) {
      link.setAttribute("rel", "noopener noreferrer nofollow");
      link.setAttribute("target", "_blank");
    }
    prose.replaceChildren(clean);
    prose.hidden = !html;
  }

  /** Shows the places again, whose lines may have moved. */
  places() {
    this.#hunks();
  }

  #draw() {
    const turn = this.#turn;
    const running = ["queued", "starting", "streaming", "stopping"].includes(turn.state);
    this.element.dataset.state = turn.state;
    const face = this.#part(".av");
    face.className = `av ${this.#parts.look(turn)}`;
    setText(face, initials(turn.name));
    setText(this.#part(".turn-prompt"), turn.prompt);
    this.#part(".spin").hidden = !running;
    const file = this.#progress?.file;
    const writing = file ? this.#parts.pathOf(file) : undefined;
    setText(this.#part(".turn-state"), stateText(turn, writing));
    setText(this.#part(".turn-figures"), figures(turn, this.#progress));
    this.#line(".turn-receipt", receipt(turn, this.#roundTripMs));
    this.#line(".turn-reason", turn.reason);
    const acts = this.#part(".turn-acts");
    acts.hidden = !turn.revertable || Boolean(turn.reverted_by) || !this.#parts.mayRevert();
  }

  #hunks() {
    const list = this.#part(".hunks");
    const rows = this.#turn.hunks.map((hunk) => {
      const row = fromTemplate("tpl-hunk");
      row.dataset.status = hunk.status;
      const { path, line } = this.#parts.placeOf(hunk);
      const place = line === null ? path : `${path}:${line}`;
      setText(find(row, ".hunk-place"), place);
      setText(find(row, ".hunk-status"), hunkText(hunk.status));
      const go = /** @type {HTMLElement} */ (find(row, ".hunk-go"));
      go.title = gettext("Show this place");
      go.addEventListener("click", () => this.#parts.goTo(hunk));
      return row;
    });
    const same =
      rows.length === list.children.length &&
      rows.every((row, index) => row.isEqualNode(list.children[index]));
    // Rebuilding takes the keyboard's place away, so only when something differs.
    if (!same) list.replaceChildren(...rows);
    list.hidden = !rows.length;
  }

  /** @param {string} selector @param {string} text */
  #line(selector, text) {
    const line = this.#part(selector);
    setText(line, text);
    line.hidden = !text;
  }

  /** @param {string} selector */
  #part(selector) {
    const found = find(this.element, selector);
    if (!found) throw new RangeError(`A turn's card has no ${selector}.`);
    return found;
  }
}
