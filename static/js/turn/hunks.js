/**
 * The places a turn changed, as rows of its card, each with Keep and Revert; those of several files stand under
 * their file, which has both too. A row lives as long as its hunk: a turn may have hundreds, and whoever is on one
 * with the keyboard stays there, also when what they pressed is gone with it.
 */

import { arrange, find, fromTemplate, setText } from "../lib/dom.js";
import { formatNumber, gettext, interpolate, ngettext } from "../lib/i18n.js";
import { hunkText } from "./decidedwords.js";
import { canKeep, canRevert } from "./deciding.js";
import { roving } from "./roving.js";

/** @import { Hunk } from "../net/messages.js" */
/** @import { Which } from "./deciding.js" */

/**
 * @typedef {object} HunksParts
 * @property {HTMLElement} list
 * @property {HTMLElement} more shows the places of an older turn that has many
 * @property {boolean} folds whether many of them are shown only then
 * @property {(hunk: Hunk) => { path: string, line: number | null }} placeOf
 * @property {(hunk: Hunk) => void} goTo
 * @property {(which: Which) => void} keep
 * @property {(which: Which) => void} revert
 * @property {() => boolean} mayDecide
 */
/** @typedef {{ element: HTMLElement, said: string, hunk: Hunk }} Row */

/** More rows than these scroll within the card. */
const MANY = 12;
/** Of an older turn more than these are made when somebody wants them: a session may have tens of thousands. */
const FOLDED = 40;

export class Hunks {
  #parts;
  #roam;
  /** By ordinal, in its order. @type {Map<number, Row>} */
  #rows = new Map();
  /** Those that no rows were made for yet, or null. @type {Map<number, Hunk> | null} */
  #folded = null;
  /** By file. @type {Map<string, HTMLElement>} */
  #heads = new Map();
  #drawing = false;
  /** Whether each stands under its file. */
  #grouped = false;

  /** @param {HunksParts} parts */
  constructor(parts) {
    this.#parts = parts;
    this.#roam = roving(parts.list);
    parts.more.addEventListener("click", () => {
      const hunks = [...(this.#folded ?? new Map()).values()];
      this.#folded = null;
      parts.folds = false;
      this.all(hunks);
      part(parts.list, "[tabindex='0']")?.focus();
    });
  }

  /** Shows these and no others. @param {Hunk[]} hunks */
  all(hunks) {
    if (this.#parts.folds && hunks.length > FOLDED) {
      this.#folded = new Map(hunks.map((hunk) => [hunk.ordinal, hunk]));
      return this.#more();
    }
    this.#folded = null;
    this.#more();
    const stay = new Set(hunks.map(({ ordinal }) => ordinal));
    for (const ordinal of this.#rows.keys()) if (!stay.has(ordinal)) this.#rows.delete(ordinal);
    for (const hunk of hunks) this.#row(hunk);
    this.#arrange();
  }

  /** Shows one that is new or changed; hundreds that come together are put in order once. @param {Hunk} hunk */
  one(hunk) {
    if (this.#folded) {
      this.#folded.set(hunk.ordinal, hunk);
      return this.#more();
    }
    this.#row(hunk);
    if (this.#drawing) return;
    this.#drawing = true;
    queueMicrotask(() => {
      this.#drawing = false;
      this.#arrange();
    });
  }

  #more() {
    const { more } = this.#parts;
    const count = this.#folded?.size ?? 0;
    more.hidden = !count;
    const text = ngettext("Show %(count)s changed place", "Show %(count)s changed places", count);
    if (count) setText(more, interpolate(text, { count: formatNumber(count) }));
  }

  /** Says again where each stands, after lines moved. */
  places() {
    for (const row of this.#rows.values()) this.#place(row);
    for (const [file, head] of this.#heads) this.#head(file, head);
  }

  /** Shows again what this person may do. */
  rights() {
    for (const row of this.#rows.values()) this.#acts(row);
    this.#arrange();
  }

  /** @param {Hunk} hunk */
  #row(hunk) {
    const row = this.#rows.get(hunk.ordinal) ?? this.#create(hunk);
    row.hunk = hunk;
    row.element.dataset.status = hunk.status;
    setText(part(row.element, ".hunk-status"), hunkText(hunk));
    this.#place(row);
    this.#acts(row);
  }

  /** @param {Row} row */
  #acts({ element, hunk }) {
    const may = this.#parts.mayDecide();
    const go = part(element, ".hunk-go");
    for (const [selector, shown] of /** @type {[string, boolean][]} */ ([
      [".hunk-keep", may && canKeep(hunk)],
      [".hunk-revert", may && canRevert(hunk)],
    ])) {
      const button = part(element, selector);
      if (!shown && document.activeElement === button) go.focus();
      button.hidden = !shown;
    }
  }

  /** @param {Hunk} hunk @returns {Row} */
  #create(hunk) {
    const element = fromTemplate("tpl-hunk");
    const row = { element, said: "", hunk };
    const hunks = [hunk.ordinal];
    const { goTo, keep, revert } = this.#parts;
    part(element, ".hunk-go").title = gettext("Show this place");
    part(element, ".hunk-go").addEventListener("click", () => goTo(row.hunk));
    part(element, ".hunk-keep").addEventListener("click", () => keep({ hunks }));
    part(element, ".hunk-revert").addEventListener("click", () => revert({ hunks }));
    this.#rows.set(hunk.ordinal, row);
    return row;
  }

  /** Puts rows and files in order: files by their first place, places as the model wrote them. */
  #arrange() {
    const { list } = this.#parts;
    const rows = [...this.#rows.values()].sort(
      (one, other) => one.hunk.ordinal - other.hunk.ordinal,
    );
    /** @type {Map<string, Row[]>} */
    const files = new Map();
    for (const row of rows) {
      const there = files.get(row.hunk.file);
      if (there) there.push(row);
      else files.set(row.hunk.file, [row]);
    }
    for (const file of this.#heads.keys()) {
      if (!files.has(file) || files.size < 2) this.#heads.delete(file);
    }
    const grouped = files.size > 1;
    const held = list.contains(document.activeElement);
    const elements = [...files].flatMap(([file, its]) => [
      ...(grouped ? [this.#head(file, this.#heads.get(file) ?? this.#createHead(file))] : []),
      ...its.map(({ element }) => element),
    ]);
    arrange(list, elements);
    if (list.classList.toggle("grouped", grouped) !== this.#grouped) this.#regroup(grouped);
    list.toggleAttribute("data-many", rows.length > MANY);
    list.hidden = !rows.length;
    this.#roam();
    if (held && !list.contains(document.activeElement)) part(list, "[tabindex='0']")?.focus();
  }

  /** The file's name stands above, or with each. @param {boolean} grouped */
  #regroup(grouped) {
    this.#grouped = grouped;
    for (const row of this.#rows.values()) this.#place(row);
  }

  /** @param {string} file */
  #createHead(file) {
    const head = fromTemplate("tpl-hunk-file");
    const { keep, revert } = this.#parts;
    part(head, ".hunk-keep").addEventListener("click", () => keep({ file }));
    part(head, ".hunk-revert").addEventListener("click", () => revert({ file }));
    this.#heads.set(file, head);
    return head;
  }

  /** @param {string} file @param {HTMLElement} head */
  #head(file, head) {
    const its = [...this.#rows.values()].map(({ hunk }) => hunk).filter((one) => one.file === file);
    if (!its.length) return head;
    const { path } = this.#parts.placeOf(its[0]);
    setText(part(head, ".hunk-path"), path);
    const count = interpolate(ngettext("%(count)s place", "%(count)s places", its.length), {
      count: formatNumber(its.length),
    });
    setText(part(head, ".hunk-status"), count);
    const may = this.#parts.mayDecide();
    for (const [selector, shown, label] of /** @type {[string, boolean, string][]} */ ([
      [".hunk-keep", may && its.some(canKeep), gettext("Keep all in %(path)s")],
      [".hunk-revert", may && its.some(canRevert), gettext("Revert all in %(path)s")],
    ])) {
      const button = part(head, selector);
      button.setAttribute("aria-label", interpolate(label, { path }));
      button.hidden = !shown;
    }
    return head;
  }

  /** @param {Row} row */
  #place(row) {
    const { path, line } = this.#parts.placeOf(row.hunk);
    const whole = line === null ? path : `${path}:${line}`;
    const alone =
      line === null
        ? interpolate(gettext("Place %(number)s"), { number: formatNumber(row.hunk.ordinal) })
        : interpolate(gettext("Line %(number)s"), { number: formatNumber(line) });
    const said = this.#grouped ? alone : whole;
    if (`${whole} ${said}` === row.said) return;
    row.said = `${whole} ${said}`;
    const { element } = row;
    part(element, ".hunk-place").textContent = said;
    const place = line === null ? `${path} (${row.hunk.ordinal})` : whole;
    const label = (/** @type {string} */ text) => interpolate(text, { place });
    part(element, ".hunk-keep").setAttribute("aria-label", label(gettext("Keep %(place)s")));
    part(element, ".hunk-revert").setAttribute("aria-label", label(gettext("Revert %(place)s")));
  }
}

/** @param {ParentNode} root @param {string} selector */
const part = (root, selector) => /** @type {HTMLElement} */ (find(root, selector));
