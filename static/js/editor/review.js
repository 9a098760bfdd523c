/**
 * Going through what a turn changed, in the text: from one undecided hunk to the next, also over files, and keeping
 * or reverting the one at the caret. A small bar stands at the upper right of the hunk that the pointer or the caret
 * is at; it lies over the text and moves nothing.
 */

import { find, fromTemplate, setText } from "../lib/dom.js";
import { oncePerFrame } from "../lib/frame.js";
import { formatNumber, gettext, interpolate } from "../lib/i18n.js";
import { hunksIn } from "./edits.js";
import { isUndecided } from "./shown.js";

/** @import { EditorView } from "../../vendor/codemirror.js" */
/** @import { Documents } from "../collab/documents.js" */
/** @import { Project } from "../collab/project.js" */
/** @import { Hunk } from "../net/messages.js" */
/** @import { Place } from "./marks.js" */
/** @import { Pane } from "./pane.js" */
/** @import { Shown } from "./shown.js" */

/**
 * @typedef {object} ReviewParts
 * @property {HTMLElement} parent of the bar: the editor's box
 * @property {Documents} documents
 * @property {Project} project
 * @property {Pane} pane
 * @property {Shown} shown
 * @property {(hunk: Hunk) => void} goTo also into another file
 * @property {(turn: string, which: { hunks?: number[], file?: string }) => Promise<void>} keep
 * @property {(turn: string, which: { hunks?: number[], file?: string }) => Promise<void>} revert
 * @property {(sentence: string) => void} speak
 */

export class Review {
  #parts;
  #bar;
  /** The hunk under the pointer. @type {Place | null} */
  #hovered = null;
  /** The one the bar stands at. @type {Place | null} */
  #at = null;
  /** The view whose events are heard. @type {EditorView | null} */
  #view = null;

  /** @param {ReviewParts} parts */
  constructor(parts) {
    this.#parts = parts;
    const { parent, documents, pane, shown } = parts;
    this.#bar = fromTemplate("tpl-hunk-bar");
    this.#bar.hidden = true;
    parent.append(this.#bar);
    const on = (/** @type {string} */ selector, /** @type {() => void} */ act) =>
      find(this.#bar, selector)?.addEventListener("click", act);
    on(".bar-keep", () => void this.#decide("keep", this.#at));
    on(".bar-revert", () => void this.#decide("revert", this.#at));
    on(".bar-next", () => this.#step(1, this.#at));
    on(".bar-previous", () => this.#step(-1, this.#at));
    // The pointer does not take the keyboard out of the text.
    this.#bar.addEventListener("pointerdown", (event) => event.preventDefault());
    this.#bar.addEventListener("focusout", () => this.#soon());
    pane.on("displayed", () => this.#listen());
    for (const name of /** @type {const} */ (["selected", "shifted", "shown"])) {
      pane.on(name, () => this.#soon());
    }
    documents.on("changed", ({ replica }) => {
      if (replica.file === pane.file) this.#soon();
    });
    shown.on("changed", () => this.#soon());
  }

  /** Goes to the next undecided hunk, or the one before. @param {1 | -1} step */
  go(step) {
    this.#step(step, null);
  }

  /** Keeps the hunk at the caret, or with `all` those of its turn in this file. @param {boolean} [all] */
  keep(all = false) {
    return this.#decide("keep", this.#here(), { all, on: true });
  }

  /** Takes it back. @param {boolean} [all] */
  revert(all = false) {
    return this.#decide("revert", this.#here(), { all, on: true });
  }

  /** The hunk that the keys mean. */
  #here() {
    if (this.#bar.contains(document.activeElement)) return this.#at;
    return this.#atCaret();
  }

  #atCaret() {
    const { view, file } = this.#parts.pane;
    if (!view || !file || !this.#parts.documents.get(file)) return null;
    const { doc, selection } = view.state;
    const line = doc.lineAt(selection.main.head);
    return this.#over(line.from, line.to);
  }

  /** The first hunk that shares a line with a range. @param {number} from @param {number} to */
  #over(from, to) {
    const { view } = this.#parts.pane;
    if (!view) return null;
    const found = hunksIn(view.state).filter((one) => one.from <= to && lastOf(view, one) >= from);
    // Where two touch, the one that begins on the line is meant.
    return found.findLast((one) => one.from >= from) ?? found[0] ?? null;
  }

  /**
   * @param {"keep" | "revert"} act
   * @param {Place | null} wanted
   * @param {{ all?: boolean, on?: boolean }} [how] `all`: those of its turn in this file; `on`: go on to the next
   */
  async #decide(act, wanted, { all = false, on = false } = {}) {
    const { pane, speak, project } = this.#parts;
    const { file, view } = pane;
    if (!file || !view || !project.mayEdit) return;
    const place = wanted ?? (all ? hunksIn(view.state)[0] : null);
    if (!place) {
      speak(gettext("There is no change of Flint's at the caret."));
      return;
    }
    const inBar = this.#bar.contains(document.activeElement);
    const next = !all && (on || inBar) ? this.#beside(place, 1) : null;
    await this.#parts[act](place.turn, all ? { file } : { hunks: [place.hunk] });
    // What was decided loses its marks with the frame that its frames are taken in.
    await new Promise((done) => oncePerFrame(() => setTimeout(done))());
    if (next && pane.file === file) this.#goTo(next);
    else if (inBar) pane.focus();
  }

  /** @param {1 | -1} step @param {Place | null} from */
  #step(step, from) {
    const { pane, project, shown, goTo, speak } = this.#parts;
    const { view, file } = pane;
    const loaded = view && file && this.#parts.documents.get(file);
    const all = loaded ? hunksIn(view.state) : [];
    const head = loaded ? (from?.from ?? view.state.selection.main.head) : 0;
    const here = from ?? this.#atCaret();
    const beside = here
      ? all[all.findIndex((one) => same(one, here)) + step]
      : step > 0
        ? all.find((one) => one.from > head)
        : all.findLast((one) => one.from < head);
    if (beside) return this.#goTo(beside);
    const files = [...project.turns.values()]
      .filter(({ id }) => shown.has(id))
      .flatMap(({ hunks }) => hunks.filter(isUndecided));
    const order = [...new Set(files.map((hunk) => hunk.file))].filter((it) =>
      project.files.has(it),
    );
    if (!order.length) return speak(gettext("There is no change of Flint's to look at."));
    const at = file ? order.indexOf(file) : -1;
    const goal = order[(Math.max(at, step > 0 ? -1 : 0) + step + order.length) % order.length];
    if (goal === file && all.length) {
      const end = step > 0 ? all[0] : all[all.length - 1];
      return this.#goTo(end);
    }
    const inGoal = files
      .filter((hunk) => hunk.file === goal)
      .sort((one, two) => one.start - two.start);
    const hunk = step > 0 ? inGoal[0] : inGoal.at(-1);
    if (hunk) goTo(hunk);
  }

  /** The hunk below another in this file, or else the one above. @param {Place} place @param {1 | -1} step */
  #beside(place, step) {
    const { view } = this.#parts.pane;
    const all = view ? hunksIn(view.state) : [];
    const at = all.findIndex((one) => same(one, place));
    return all[at + step] ?? all[at - step] ?? null;
  }

  /** @param {Place} place as it was; it may have moved since */
  #goTo(place) {
    const { pane, speak } = this.#parts;
    const { view } = pane;
    if (!view) return;
    const all = hunksIn(view.state);
    const at = all.findIndex((one) => same(one, place));
    if (at < 0) return;
    // The bar goes along, though the pointer is where it was.
    this.#hovered = null;
    pane.goTo(all[at].from);
    pane.focus();
    const words = {
      number: formatNumber(at + 1),
      count: formatNumber(all.length),
      line: formatNumber(view.state.doc.lineAt(all[at].from).number),
    };
    speak(interpolate(gettext("Change %(number)s of %(count)s, line %(line)s"), words));
    this.#soon();
  }

  /** Hears the pointer and the scrolling of the view, once there is one. */
  #listen() {
    const { view } = this.#parts.pane;
    this.#hovered = null;
    this.#soon();
    if (!view || view === this.#view) return;
    this.#view = view;
    // Behind the text, so that it is the next stop for whoever leaves the text with the keyboard.
    this.#parts.parent.append(this.#bar);
    const { scrollDOM } = view;
    scrollDOM.addEventListener("pointermove", (event) => {
      if (event.pointerType !== "mouse") return;
      this.#hover(view, event.clientY);
    });
    view.dom.parentElement?.addEventListener("pointerleave", () => {
      this.#hovered = null;
      this.#soon();
    });
    scrollDOM.addEventListener("scroll", () => this.#soon(), { passive: true });
    view.contentDOM.addEventListener("focus", () => this.#soon());
    view.contentDOM.addEventListener("blur", () => this.#soon());
    new ResizeObserver(() => this.#soon()).observe(view.dom);
  }

  /** @param {EditorView} view @param {number} clientY */
  #hover(view, clientY) {
    const block = view.lineBlockAtHeight(clientY - view.documentTop);
    const place = this.#over(block.from, block.to);
    if (place === this.#hovered) return;
    this.#hovered = place;
    this.#soon();
  }

  /** Puts the bar where it belongs, when the editor has laid itself out. */
  #soon() {
    const { view } = this.#parts.pane;
    if (!view) return this.#hide();
    view.requestMeasure({
      key: this,
      read: () => this.#measure(view),
      write: (found) => this.#draw(found),
    });
  }

  /** @param {EditorView} view */
  #measure(view) {
    const { pane, documents, project, parent } = this.#parts;
    const here = pane.file !== null && documents.get(pane.file) !== undefined;
    if (!here || !project.mayEdit) return null;
    const all = hunksIn(view.state);
    if (!all.length) return null;
    const held = this.#bar.contains(document.activeElement);
    const wanted = [
      held ? this.#at : null,
      this.#hovered,
      view.hasFocus ? this.#atCaret() : null,
    ].find((one) => one && all.some((it) => same(it, one)));
    const place = wanted && all.find((one) => same(one, wanted));
    if (!place || this.#isOpen(place)) return null;
    const box = parent.getBoundingClientRect();
    const { top: scrollerTop } = view.scrollDOM.getBoundingClientRect();
    const first = view.lineBlockAt(place.from);
    const last = view.lineBlockAt(lastOf(view, place));
    const top = Math.max(first.top + view.documentTop, scrollerTop);
    const bottom = Math.min(last.bottom + view.documentTop, box.bottom);
    if (bottom - top < 8) return null;
    return { place, top: top - box.top, number: all.indexOf(place) + 1, count: all.length };
  }

  /** Whether the model is still at it. @param {Place} place */
  #isOpen({ turn, hunk }) {
    const hunks = this.#parts.project.turns.get(turn)?.hunks ?? [];
    return hunks.find(({ ordinal }) => ordinal === hunk)?.status === "open";
  }

  /** @param {{ place: Place, top: number, number: number, count: number } | null} found */
  #draw(found) {
    if (!found) return this.#hide();
    const { place, top, number, count } = found;
    this.#at = place;
    this.#bar.hidden = false;
    this.#bar.style.top = `${Math.max(0, Math.round(top))}px`;
    const words = { number: formatNumber(number), count: formatNumber(count) };
    setText(find(this.#bar, ".bar-count"), interpolate(gettext("%(number)s of %(count)s"), words));
    const label = interpolate(gettext("Change %(number)s of %(count)s"), words);
    if (this.#bar.getAttribute("aria-label") !== label) this.#bar.setAttribute("aria-label", label);
  }

  #hide() {
    if (this.#bar.contains(document.activeElement)) this.#parts.pane.focus();
    this.#bar.hidden = true;
    this.#at = null;
  }
}

/** @param {Place} one @param {Place} other */
const same = (one, other) => one.turn === other.turn && one.hunk === other.hunk;

/** The last offset that belongs to a hunk; a line break at its end begins no line of it. @param {EditorView} view @param {Place} place */
function lastOf(view, { from, to }) {
  const { doc } = view.state;
  const end = Math.min(to, doc.length);
  return end > from && doc.lineAt(end).from === end ? end - 1 : end;
}
