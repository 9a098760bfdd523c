/**
 * What goes along with the prompt, in sight above it: the place in the text, and the files that the prompt
 * mentions. Each can be taken away.
 */

import { arrange, find, fromTemplate, setText } from "../lib/dom.js";
import { gettext, interpolate } from "../lib/i18n.js";
import { mentioned, unmentioned } from "./mentions.js";

/** @import { Project } from "../collab/project.js" */
/** @import { FileInfo, Selection } from "../net/messages.js" */

/** @typedef {{ file: string, v: number, sel: Selection, path: string, fromLine: number, toLine: number, empty: boolean }} FocusPlace */

/**
 * @typedef {object} ChipParts
 * @property {HTMLElement} chip of the place
 * @property {HTMLElement} chipText
 * @property {HTMLElement} chipClear
 * @property {HTMLElement} list of the mentioned files
 * @property {HTMLTextAreaElement} box
 * @property {Project} project
 * @property {() => FocusPlace | null} place where this person is in the text
 * @property {() => void} changed something else goes along, or the text of the box is another
 */

export class Chips {
  #parts;
  /** The selection the person said not to send, until they make another. */
  #dropped = "";
  /** Whether the place shows without a selection, since the person came from it to ask about it. */
  #pinned = false;
  /** What was mentioned last, by the file's id: its path then. @type {Map<string, FileInfo>} */
  #known = new Map();
  /** @type {Map<string, HTMLElement>} */
  #rows = new Map();

  /** @param {ChipParts} parts */
  constructor(parts) {
    this.#parts = parts;
    const { box, chipClear, project } = parts;
    chipClear.addEventListener("click", () => {
      this.#dropped = keyOf(parts.place());
      this.#pinned = false;
      this.#changed();
      box.focus();
    });
    project.on("files", () => {
      for (const info of this.#known.values()) this.#renamed(info);
      this.#changed();
    });
  }

  /** The files that the prompt mentions. @returns {FileInfo[]} */
  get files() {
    const { box, project } = this.#parts;
    return mentioned(box.value, project.files.values());
  }

  /** Where the prompt is about, as a frame says it. Without the selection, where the caret is. */
  get where() {
    const place = this.#parts.place();
    if (!place) return {};
    const { file, v, sel } = place;
    const [, head] = sel;
    return { file, v, sel: keyOf(place) === this.#dropped ? [head, head] : sel };
  }

  /** Shows the place also when nothing is selected there. */
  pin() {
    this.#pinned = true;
    this.#dropped = "";
    this.draw();
  }

  /** The prompt is sent: the next one begins anew. */
  unpin() {
    this.#pinned = false;
    this.draw();
  }

  /** Shows what goes along. */
  draw() {
    const { chip, chipText, list } = this.#parts;
    const place = this.#parts.place();
    const shows = place && (!place.empty || this.#pinned) && keyOf(place) !== this.#dropped;
    chip.hidden = !shows;
    if (shows) setText(chipText, placeText(place));
    const { files } = this;
    this.#known = new Map(files.map((info) => [info.file, info]));
    for (const id of [...this.#rows.keys()]) if (!this.#known.has(id)) this.#rows.delete(id);
    arrange(
      list,
      files.map((info) => this.#row(info)),
    );
    list.hidden = !files.length;
  }

  #changed() {
    this.draw();
    this.#parts.changed();
  }

  /** @param {FileInfo} info */
  #row(info) {
    const { file, path } = info;
    const row = this.#rows.get(file) ?? fromTemplate("tpl-mention");
    if (!this.#rows.has(file)) {
      this.#rows.set(file, row);
      find(row, ".chip-clear")?.addEventListener("click", () => this.#remove(file));
    }
    setText(find(row, ".chip-text"), path);
    const label = interpolate(gettext("Do not send %(path)s with the prompt"), { path });
    find(row, ".chip-clear")?.setAttribute("aria-label", label);
    return row;
  }

  /** @param {string} file */
  #remove(file) {
    const { box, project } = this.#parts;
    const info = this.#known.get(file);
    if (info) replace(box, unmentioned(box.value, info, project.files.values()));
    this.#changed();
    box.focus();
  }

  /** @param {FileInfo} before a file as it was mentioned */
  #renamed(before) {
    const { box, project } = this.#parts;
    const now = project.files.get(before.file);
    if (!now || now.path === before.path) return;
    const others = [...project.files.values()].filter(({ file }) => file !== before.file);
    replace(box, unmentioned(box.value, before, [before, ...others], `@${now.path}`));
  }
}

/**
 * Gives the box another text where it differs, so that the caret of whoever types stays where it is.
 * @param {HTMLTextAreaElement} box
 * @param {string} text
 */
function replace(box, text) {
  const { value } = box;
  const shorter = Math.min(value.length, text.length);
  let same = 0;
  while (same < shorter && value[same] === text[same]) same++;
  let end = 0;
  while (end < shorter - same && value.at(-1 - end) === text.at(-1 - end)) end++;
  box.setRangeText(text.slice(same, text.length - end), same, value.length - end, "preserve");
}

/** @param {FocusPlace} place */
function placeText({ path, fromLine, toLine }) {
  if (fromLine === toLine)
    return interpolate(gettext("%(path)s, line %(from)s"), { path, from: fromLine });
  return interpolate(gettext("%(path)s, lines %(from)s to %(to)s"), {
    path,
    from: fromLine,
    to: toLine,
  });
}

/** @param {FocusPlace | null} place */
function keyOf(place) {
  return place ? `${place.file} ${place.fromLine} ${place.toLine}` : "";
}
