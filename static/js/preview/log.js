/** What the previewed page logged, as a list: errors first to the eye, each with its place and a way to have it mended. */

import { find, fromTemplate, h, setText } from "../lib/dom.js";
import { formatNumber, gettext, interpolate, ngettext } from "../lib/i18n.js";
import { decoded } from "./paths.js";

/** @import { ConsoleLine } from "./frame.js" */

const MOST = 200;

export class Log {
  #parts;
  /** @type {{ line: ConsoleLine, count: number, row: HTMLElement }[]} */
  #rows = [];
  #errors = 0;
  #dropped = 0;

  /**
   * @param {object} parts
   * @param {HTMLDetailsElement} parts.box
   * @param {HTMLElement} parts.title
   * @param {HTMLElement} parts.list
   * @param {HTMLElement} parts.askAll
   * @param {(path: string) => boolean} parts.knows whether a source is a file of the project
   * @param {(path: string, line: number) => void} parts.goTo
   * @param {(errors: ConsoleLine[]) => void} parts.ask
   */
  constructor(parts) {
    this.#parts = parts;
    parts.askAll.addEventListener("click", () => parts.ask(this.#lines("error")));
    this.#draw();
  }

  /** Empties the list: another run begins. */
  clear() {
    this.#rows = [];
    this.#errors = this.#dropped = 0;
    this.#parts.list.replaceChildren();
    this.#draw();
  }

  /** @param {ConsoleLine[]} lines @param {number} dropped how many more there were */
  add(lines, dropped) {
    this.#dropped += dropped;
    for (const line of lines) {
      if (line.level === "error") this.#errors += 1;
      const last = this.#rows.at(-1);
      if (last && same(last.line, line)) {
        last.count += 1;
        setText(find(last.row, ".log-count"), formatNumber(last.count));
        /** @type {HTMLElement} */ (find(last.row, ".log-count")).hidden = false;
      } else if (this.#rows.length < MOST) {
        const row = this.#row(line);
        this.#rows.push({ line, count: 1, row });
        this.#parts.list.append(row);
      } else {
        this.#dropped += 1;
      }
    }
    this.#draw();
  }

  /** @param {string} level */
  #lines(level) {
    return this.#rows.map(({ line }) => line).filter((line) => line.level === level);
  }

  /** @param {ConsoleLine} line */
  #row(line) {
    const { knows, goTo, ask } = this.#parts;
    const row = fromTemplate("tpl-log");
    row.dataset.level = line.level;
    setText(find(row, ".log-text"), line.text);
    const source = decoded(line.source);
    const place = /** @type {HTMLElement} */ (find(row, ".log-place"));
    if (line.line && knows(source)) {
      setText(place, `${source}:${line.line}`);
      place.hidden = false;
      place.addEventListener("click", () => goTo(source, line.line));
    }
    const mend = /** @type {HTMLElement} */ (find(row, ".log-ask"));
    mend.hidden = line.level !== "error";
    mend.addEventListener("click", () => ask([line]));
    return row;
  }

  #draw() {
    const { title, askAll, box } = this.#parts;
    const parts = [gettext("Console")];
    const others = this.#rows.length - this.#lines("error").length;
    if (this.#errors)
      parts.push(
        interpolate(ngettext("%(count)s error", "%(count)s errors", this.#errors), {
          count: formatNumber(this.#errors),
        }),
      );
    if (others)
      parts.push(
        interpolate(ngettext("%(count)s line", "%(count)s lines", others), {
          count: formatNumber(others),
        }),
      );
    if (this.#dropped)
      parts.push(
        interpolate(gettext("%(count)s more not shown"), { count: formatNumber(this.#dropped) }),
      );
    title.replaceChildren(
      ...parts.map((text, index) => h("span", { class: index ? "log-figure" : "" }, text)),
    );
    box.classList.toggle("failing", this.#errors > 0);
    askAll.hidden = !this.#errors;
  }
}

/** @param {ConsoleLine} one @param {ConsoleLine} other */
const same = (one, other) =>
  one.level === other.level &&
  one.text === other.text &&
  one.source === other.source &&
  one.line === other.line;
