/**
 * What the model may not do without somebody's word, wherever on the page the person is: a strip above the prompt for
 * each question, the page's title, one sentence for those who listen, and the way to the card that has the answers.
 */

import { isQuestion } from "../collab/project.js";
import { arrange, h, setText } from "../lib/dom.js";
import { formatNumber, gettext, interpolate, ngettext } from "../lib/i18n.js";
import {
  answerText,
  askedText,
  secondsLeft,
  waitsForOthersText,
  waitsText,
  wishText,
} from "./withheldwords.js";

/** @import { Project } from "../collab/project.js" */
/** @import { Withheld } from "../net/messages.js" */

const TICK_MS = 500;

export class Questions {
  #parts;
  #title = document.title;
  /** @type {Map<string, { element: HTMLElement, clock: HTMLElement, withheld: Withheld }>} */
  #strips = new Map();
  /** Those that were told, and not answered since. @type {Set<string>} */
  #told = new Set();
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #ticking;
  /** The one that was shown last. */
  #last = "";

  /**
   * @param {object} parts
   * @param {HTMLElement} parts.list
   * @param {Project} parts.project
   * @param {(withheld: Withheld) => void} parts.show puts the keyboard on its card
   * @param {string} parts.keys what brings there, as this keyboard names it
   * @param {(sentence: string) => void} parts.speak
   * @param {() => void} parts.leave puts the keyboard elsewhere
   */
  constructor(parts) {
    this.#parts = parts;
    const { project } = parts;
    project.on("welcome", () => this.#draw());
    project.on("turn", () => this.#draw());
    project.on("withheld", ({ withheld, before }) => {
      this.#draw();
      if (before && isQuestion(before) && !isQuestion(withheld)) {
        const { by } = withheld;
        if (by !== project.you?.name) parts.speak(answerText(withheld));
      }
    });
  }

  /** Goes to the oldest question, and on from there; says whether there is one. */
  next() {
    const all = this.#parts.project.questions;
    const at = all.findIndex((one) => keyOf(one) === this.#last);
    const goal = all[(at + 1) % all.length];
    if (!goal) return false;
    this.#last = keyOf(goal);
    this.#parts.show(goal);
    return true;
  }

  #draw() {
    const { project, list, speak, keys, leave } = this.#parts;
    const all = project.questions;
    const living = new Set(all.map(keyOf));
    for (const key of this.#strips.keys()) if (!living.has(key)) this.#strips.delete(key);
    for (const key of this.#told) if (!living.has(key)) this.#told.delete(key);
    for (const withheld of all) {
      const key = keyOf(withheld);
      if (!this.#told.has(key)) speak(askedText(withheld, project.mayPrompt, keys));
      this.#told.add(key);
    }
    const held = list.contains(document.activeElement);
    arrange(
      list,
      all.map((one) => this.#strip(one)),
    );
    list.hidden = !all.length;
    if (held && !list.contains(document.activeElement)) leave();
    document.title = all.length
      ? interpolate(
          ngettext("(%(count)s question) %(title)s", "(%(count)s questions) %(title)s", all.length),
          { count: formatNumber(all.length), title: this.#title },
        )
      : this.#title;
    if (!all.length) {
      clearInterval(this.#ticking);
      this.#ticking = undefined;
    } else this.#ticking ??= setInterval(() => this.#clocks(), TICK_MS);
    this.#clocks();
  }

  /** @param {Withheld} withheld */
  #strip(withheld) {
    const key = keyOf(withheld);
    const there = this.#strips.get(key);
    if (there) return there.element;
    const clock = h("span", { class: "question-clock num" });
    const show = () => {
      this.#last = key;
      this.#parts.show(withheld);
    };
    const element = h(
      "li",
      { class: "strip question", "data-question": key },
      h("p", { class: "strip-text" }, h("strong", {}, wishText(withheld)), " ", clock),
      h(
        "span",
        { class: "strip-acts" },
        h(
          "button",
          { type: "button", class: "btn small question-show", onclick: show },
          gettext("Go to the question"),
          h("kbd", { "aria-hidden": "true" }, this.#parts.keys),
        ),
      ),
    );
    this.#strips.set(key, { element, clock, withheld });
    return element;
  }

  #clocks() {
    const text = this.#parts.project.mayPrompt ? waitsText : waitsForOthersText;
    for (const { clock, withheld } of this.#strips.values()) {
      setText(clock, text(secondsLeft(withheld, Date.now()) ?? 0));
    }
  }
}

/** @param {Withheld} withheld */
const keyOf = ({ turn, ordinal }) => `${turn} ${ordinal}`;
