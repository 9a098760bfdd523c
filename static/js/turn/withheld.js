/**
 * The edits of a turn that are not written, as cards within its card: a question of the guard, with Yes and No and
 * the time it still waits; one that could not be applied, with why; one that gave way to a person's typing, with the
 * model's version. What was answered shrinks to a line that says by whom.
 *
 * The countdown is for the eye: it is no live region, and a card that is drawn again keeps the keyboard.
 */

import { arrange, find, fromTemplate, setText } from "../lib/dom.js";
import { gettext, interpolate } from "../lib/i18n.js";
import { oneColumn } from "./diffview.js";
import {
  answerText,
  diffText,
  placeText,
  secondsLeft,
  titleText,
  waitsForOthersText,
  waitsText,
} from "./withheldwords.js";

/** @import { Withheld } from "../net/messages.js" */

/**
 * @typedef {object} WithheldParts
 * @property {(withheld: Withheld) => void} goTo
 * @property {(withheld: Withheld, yes: boolean) => Promise<boolean>} answer says whether the server took it
 * @property {() => boolean} mayAnswer
 * @property {(file: string | null) => boolean} has whether there is such a file
 */

/** @typedef {{ element: HTMLElement, withheld: Withheld, drawn: string, sent: boolean }} Item */

const TICK_MS = 500;

export class WithheldList {
  #list;
  #parts;
  /** By ordinal. @type {Map<number, Item>} */
  #items = new Map();
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #ticking;

  /** @param {HTMLElement} list @param {WithheldParts} parts */
  constructor(list, parts) {
    this.#list = list;
    this.#parts = parts;
  }

  /** Shows these and no others. @param {Withheld[]} all */
  all(all) {
    const stay = new Set(all.map(({ ordinal }) => ordinal));
    for (const ordinal of this.#items.keys()) if (!stay.has(ordinal)) this.#items.delete(ordinal);
    const elements = all.map((withheld) => this.#one(withheld).element);
    arrange(this.#list, elements);
    this.#list.hidden = !elements.length;
    this.#tick();
  }

  /** Shows again what this person may do. */
  rights() {
    for (const item of this.#items.values()) this.#draw(item);
  }

  /** Puts the keyboard on one; says whether it is here. @param {number} ordinal */
  focus(ordinal) {
    const element = this.#items.get(ordinal)?.element;
    if (!element) return false;
    element.scrollIntoView({ block: "nearest" });
    element.focus();
    return true;
  }

  /** @param {Withheld} withheld */
  #one(withheld) {
    const item = this.#items.get(withheld.ordinal) ?? this.#create(withheld);
    item.withheld = withheld;
    if (withheld.state !== "open") item.sent = false;
    this.#draw(item);
    return item;
  }

  /** @param {Withheld} withheld @returns {Item} */
  #create(withheld) {
    const element = fromTemplate("tpl-withheld");
    const item = { element, withheld, drawn: "", sent: false };
    this.#items.set(withheld.ordinal, item);
    const on = (/** @type {string} */ selector, /** @type {() => void} */ act) =>
      part(element, selector).addEventListener("click", act);
    on(".withheld-go", () => this.#parts.goTo(item.withheld));
    on(".withheld-yes", () => void this.#answer(item, true));
    on(".withheld-no", () => void this.#answer(item, false));
    on(".withheld-copy", () => void copy(item));
    element.addEventListener("keydown", (event) => {
      if (event.target !== element || event.altKey || event.ctrlKey || event.metaKey) return;
      const word = { y: ".withheld-yes", n: ".withheld-no" }[event.key.toLowerCase()];
      const button = word ? part(element, word) : null;
      if (!button || button.hidden || item.withheld.kind !== "frozen") return;
      event.preventDefault();
      button.click();
    });
    return item;
  }

  /** @param {Item} item @param {boolean} yes */
  async #answer(item, yes) {
    if (item.sent) return;
    item.sent = true;
    this.#draw(item);
    if (!(await this.#parts.answer(item.withheld, yes))) {
      item.sent = false;
      this.#draw(item);
    }
  }

  /** @param {Item} item */
  #draw(item) {
    const { element, withheld } = item;
    const { kind, state, reason, file } = withheld;
    const open = state === "open";
    element.dataset.kind = kind;
    element.dataset.state = state;
    setText(part(element, ".withheld-title"), titleText(withheld));
    line(part(element, ".withheld-reason"), reason);
    line(part(element, ".withheld-answer"), answerText(withheld));
    const go = part(element, ".withheld-go");
    setText(go, interpolate(gettext("Show %(place)s"), { place: placeText(withheld) }));
    go.hidden = !this.#parts.has(file);
    this.#compare(item);
    const held = element.contains(document.activeElement);
    const may = open && this.#parts.mayAnswer();
    const yes = part(element, ".withheld-yes");
    const no = part(element, ".withheld-no");
    setText(yes, kind === "yielded" ? gettext("Take it") : gettext("Yes"));
    setText(no, kind === "frozen" ? gettext("No") : gettext("Dismiss"));
    yes.hidden = !may || kind === "refused";
    no.hidden = !may;
    yes.classList.toggle("pressed", item.sent);
    no.classList.toggle("pressed", item.sent);
    part(element, ".withheld-copy").hidden = !open || !withheld.new;
    this.#clock(item);
    // What goes away under the keyboard hands it to the card it was on.
    if (held && (yes.hidden || no.hidden) && !visible(document.activeElement)) element.focus();
  }

  /** @param {Item} item */
  #compare(item) {
    const { element, withheld } = item;
    const { old, new: wanted, op, kind, state } = withheld;
    const details = /** @type {HTMLDetailsElement} */ (part(element, ".withheld-change"));
    const empty = !old && !wanted;
    details.hidden = empty || op === "move";
    // A question is to be answered with what it would do in sight; the rest opens on demand.
    if (!item.drawn) details.open = kind === "frozen" && state === "open";
    else if (state !== "open" && !details.contains(document.activeElement)) details.open = false;
    const drawn = JSON.stringify([old, wanted]);
    if (drawn === item.drawn) return;
    item.drawn = drawn;
    setText(part(details, "summary"), diffText(withheld));
    part(details, ".withheld-diff").replaceChildren(oneColumn(old, wanted, diffText(withheld)));
  }

  /** @param {Item} item */
  #clock({ element, withheld }) {
    const left = secondsLeft(withheld, Date.now());
    const clock = part(element, ".withheld-clock");
    const text = this.#parts.mayAnswer() ? waitsText : waitsForOthersText;
    line(clock, left === null ? "" : text(left));
  }

  #tick() {
    const waits = [...this.#items.values()].some(
      ({ withheld }) => secondsLeft(withheld, Date.now()) !== null,
    );
    if (!waits) {
      clearInterval(this.#ticking);
      this.#ticking = undefined;
      return;
    }
    this.#ticking ??= setInterval(() => {
      if (!this.#list.isConnected) {
        clearInterval(this.#ticking);
        this.#ticking = undefined;
      } else for (const item of this.#items.values()) this.#clock(item);
    }, TICK_MS);
  }
}

/** @param {Item} item */
async function copy({ element, withheld }) {
  const button = part(element, ".withheld-copy");
  try {
    await navigator.clipboard.writeText(withheld.new);
    setText(button, gettext("Copied"));
  } catch {
    // Without the right to the clipboard, the text is shown and selected for the keyboard.
    /** @type {HTMLDetailsElement} */ (part(element, ".withheld-change")).open = true;
    getSelection()?.selectAllChildren(part(element, ".withheld-diff"));
  }
}

/** @param {HTMLElement} element @param {string} text */
function line(element, text) {
  setText(element, text);
  element.hidden = !text;
}

/** @param {Element | null} element */
const visible = (element) => element !== null && !element.closest("[hidden]");

/** @param {ParentNode} root @param {string} selector */
const part = (root, selector) => /** @type {HTMLElement} */ (find(root, selector));
