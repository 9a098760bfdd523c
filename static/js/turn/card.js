/** One turn as a card: who asked what, how far it is, what it changed, and how to take it back. */

import DOMPurify from "../../vendor/dompurify.js";
import { isRunning } from "../collab/project.js";
import { find, fromTemplate, setText } from "../lib/dom.js";
import { initials } from "../lib/names.js";
import { exact, relative, span } from "../lib/time.js";
import { answered } from "./answered.js";
import { Clamp } from "./clamp.js";
import { canKeep, canRevert } from "./deciding.js";
import { Hunks } from "./hunks.js";
import { brokenText, figures, linkText, receipt, stateText } from "./sentences.js";
import { WithheldList } from "./withheld.js";

/** @import { Hunk, ProgressFrame, Turn, Withheld } from "../net/messages.js" */
/** @import { Which } from "./deciding.js" */

/**
 * @typedef {object} CardParts
 * @property {(turn: Turn) => string} look the class of the author's colour
 * @property {(turn: Turn) => string} asker who asked, and whether they are here
 * @property {(turn: Turn) => { from: Turn | null, next: Turn | null }} kin the turn it goes on from, and the one that goes on from it
 * @property {(turn: Turn) => void} jump shows another turn
 * @property {() => string} you this person's name
 * @property {(file: string) => string} pathOf
 * @property {(hunk: Hunk) => { path: string, line: number | null }} placeOf
 * @property {(hunk: Hunk) => void} goTo
 * @property {(turn: Turn, which?: Which) => void} keep
 * @property {(turn: Turn, which?: Which) => void} revert without `which`: all of it
 * @property {() => boolean} mayDecide
 * @property {(turn: Turn) => boolean} folds whether many places of it are shown only when asked for
 * @property {(turn: Turn) => { marked: boolean, always: boolean }} marked whether its places are marked in the texts
 * @property {(turn: Turn) => void} mark marks them, or no longer
 * @property {(withheld: Withheld) => void} goToWithheld
 * @property {(withheld: Withheld, yes: boolean) => Promise<boolean>} answer
 * @property {() => boolean} mayAnswer
 * @property {(file: string | null) => boolean} has
 */

/** A wait this long is told in seconds; a shorter one would only flash by. */
const PATIENCE_MS = 2_000;

export class Card {
  #parts;
  /** Counts the seconds until the first token. @type {ReturnType<typeof setInterval> | undefined} */
  #ticking;
  #since = performance.now();
  /** @type {Turn} */
  #turn;
  /** @type {ProgressFrame | null} */
  #progress = null;
  #html = "";
  #hunks;
  #withheld;
  /** What the person who stopped it on this page waited. @type {number | null} */
  #roundTripMs = null;
  #drawing = false;

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
      const time = /** @type {HTMLTimeElement} */ (this.#part("time"));
      time.dateTime = at.toISOString();
      time.dataset.ago = "";
      time.title = exact(at);
      setText(time, relative(at));
    }
    this.#part(".turn-keep").addEventListener("click", () => parts.keep(this.#turn));
    this.#part(".turn-revert").addEventListener("click", () => parts.revert(this.#turn));
    this.#part(".turn-mark").addEventListener("click", () => parts.mark(this.#turn));
    for (const way of /** @type {const} */ (["from", "next"])) {
      this.#part(`.turn-${way}`).addEventListener("click", () => {
        const other = parts.kin(this.#turn)[way];
        if (other) parts.jump(other);
      });
    }
    new Clamp(this.#part(".turn-prompt"), this.#part(".turn-more"));
    this.#hunks = new Hunks({
      list: this.#part(".hunks"),
      more: this.#part(".hunks-more"),
      folds: parts.folds(turn),
      placeOf: parts.placeOf,
      goTo: parts.goTo,
      keep: (which) => parts.keep(this.#turn, which),
      revert: (which) => parts.revert(this.#turn, which),
      mayDecide: parts.mayDecide,
    });
    this.#withheld = new WithheldList(this.#part(".withheld-list"), {
      goTo: parts.goToWithheld,
      answer: parts.answer,
      mayAnswer: parts.mayAnswer,
      has: parts.has,
    });
    this.update(turn);
  }

  /** @param {Turn} turn */
  update(turn) {
    this.#turn = turn;
    this.#draw();
    this.prose(turn.html);
    this.#hunks.all(turn.hunks);
    this.#withheld.all(turn.withheld ?? []);
  }

  /** One of its hunks is new or changed. @param {Turn} turn @param {Hunk} hunk */
  hunk(turn, hunk) {
    this.#turn = turn;
    this.#hunks.one(hunk);
    // The receipt counts them; of hundreds that come together it does so once.
    this.#soon();
  }

  /** One of its edits that are not written is new or answered. @param {Turn} turn */
  withheld(turn) {
    this.#turn = turn;
    this.#withheld.all(turn.withheld ?? []);
    this.#soon();
  }

  #soon() {
    if (this.#drawing) return;
    this.#drawing = true;
    queueMicrotask(() => {
      this.#drawing = false;
      this.#draw();
    });
  }

  /** This person may do other things than before. */
  rights() {
    this.#hunks.rights();
    this.#withheld.rights();
    this.#draw();
  }

  /** Puts the keyboard on an edit that is not written. @param {number} ordinal */
  focusWithheld(ordinal) {
    return this.#withheld.focus(ordinal);
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
      USE_PROFILES: { html: true },
      // Classes and data attributes mean something to this page's own styles and scripts.
      ALLOW_DATA_ATTR: false,
      FORBID_ATTR: ["style", "id", "name", "class"],
      FORBID_TAGS: ["style", "form", "input", "button", "img"],
    });
    for (const link of clean.querySelectorAll("a")) {
      link.setAttribute("rel", "noopener noreferrer nofollow");
      link.setAttribute("target", "_blank");
    }
    // What has not changed stays, and with it what somebody has selected there.
    const old = [...prose.childNodes];
    const fresh = [...clean.childNodes];
    const differs = fresh.findIndex((node, index) => !old[index]?.isEqualNode(node));
    const same = differs < 0 ? fresh.length : differs;
    for (const node of old.slice(same)) node.remove();
    prose.append(...fresh.slice(same));
    prose.hidden = !html;
  }

  /** Shows again what others change: who is here, and which turns there are. */
  around() {
    const turn = this.#turn;
    this.#part(".av").className = `av ${this.#parts.look(turn)}`;
    setText(this.#part(".turn-asker"), this.#parts.asker(turn));
    const { from, next } = this.#parts.kin(turn);
    const again = from !== null && from.id === turn.repairs;
    const repaired = next !== null && next.repairs === turn.id;
    this.element.toggleAttribute("data-repairs", Boolean(turn.repairs));
    this.#line(".turn-from", from ? linkText(again ? "repairs" : "from", from.prompt) : "");
    this.#line(".turn-next", next ? linkText(repaired ? "repaired" : "next", next.prompt) : "");
    this.marks();
  }

  /** Says whether its places are marked in the texts. */
  marks() {
    const button = this.#part(".turn-mark");
    const { marked, always } = this.#parts.marked(this.#turn);
    button.hidden = always || !this.#turn.hunks.some(canKeep);
    button.setAttribute("aria-pressed", String(marked));
  }

  /** Puts the keyboard on the card. */
  focus() {
    this.element.focus();
  }

  /** Shows the places again, whose lines may have moved. */
  places() {
    this.#hunks.places();
  }

  #draw() {
    const turn = this.#turn;
    this.element.dataset.state = turn.state;
    setText(this.#part(".av"), initials(turn.name));
    this.around();
    const { text, title } = answered(turn);
    setText(this.#part(".turn-model"), text);
    this.#part(".turn-model").title = title;
    setText(this.#part(".turn-prompt"), turn.prompt);
    this.#part(".spin").hidden = !isRunning(turn);
    const file = this.#progress?.file;
    const writing = file ? this.#parts.pathOf(file) : undefined;
    setText(this.#part(".turn-state"), stateText(turn, writing));
    setText(this.#part(".turn-figures"), figures(turn, this.#progress) || this.#waited());
    this.#line(".turn-receipt", receipt(turn, this.#roundTripMs, this.#parts.you()));
    const broke = ["failed", "interrupted"].includes(turn.state);
    this.#line(".turn-reason", turn.reason || (broke ? brokenText() : ""));
    this.#part(".turn-retry").hidden = !broke && turn.state !== "stopped";
    const may = this.#parts.mayDecide() && !isRunning(turn);
    const revertable = turn.revertable || turn.hunks.some(canRevert);
    this.#shown(".turn-keep", may && turn.hunks.some(canKeep));
    this.#shown(".turn-revert", may && revertable && !turn.reverted_by);
  }

  /** @param {string} selector @param {boolean} shown */
  #shown(selector, shown) {
    const button = this.#part(selector);
    // What goes away under the keyboard leaves it on the card.
    if (!shown && document.activeElement === button) this.focus();
    button.hidden = !shown;
  }

  /** Returns how long a turn has been waiting for its first token, once that is long, and goes on counting. */
  #waited() {
    const waits = ["queued", "starting"].includes(this.#turn.state);
    const gone = this.#ticking !== undefined && !this.element.isConnected;
    if (!waits || gone) {
      clearInterval(this.#ticking);
      this.#ticking = undefined;
      return "";
    }
    this.#ticking ??= setInterval(() => this.#draw(), 1_000);
    const ms = performance.now() - this.#since;
    return ms < PATIENCE_MS ? "" : span(ms / 1_000);
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
