/**
 * The files of the project, in folders that open and close, with a filter for large projects; all of it with the
 * keyboard too. Drawn at most once a frame, and only the rows that are other than before.
 */

import { arrange, find, fromTemplate, setText } from "../lib/dom.js";
import { formatNumber, gettext, interpolate } from "../lib/i18n.js";
import { isComposing } from "../lib/keys.js";
import { fileActs } from "./fileacts.js";
import { Folders } from "./folders.js";
import { matching, rowsOf } from "./paths.js";

/** @import { Project } from "../collab/project.js" */
/** @import { Kept } from "../lib/kept.js" */
/** @import { Requests } from "../net/requests.js" */
/** @import { Live } from "./live.js" */
/** @import { Row } from "./paths.js" */
/** @import { Workspace } from "./workspace.js" */

/** From so many files on the filter is always there. */
const MANY = 12;
/** So many of what a filter finds are listed; the rest is found by another word. */
const MOST_FOUND = 100;

/**
 * @typedef {object} TreeParts
 * @property {HTMLElement} list
 * @property {HTMLElement} finder holds the filter
 * @property {HTMLInputElement} filter
 * @property {HTMLElement} none says that the filter finds nothing
 * @property {Iterable<HTMLElement>} newButtons
 * @property {Workspace} workspace
 * @property {Project} project
 * @property {Live} live
 * @property {Requests} requests
 * @property {Kept} kept which folders are open
 * @property {(message: string) => void} say shows a sentence that is no answer to a dialog
 * @property {() => void} opened after a file was chosen here
 * @property {() => void} left after the keyboard left the filter
 */

export class Tree {
  #parts;
  #acts;
  #folders;
  /** By key; a row lives as long as its file or folder. @type {Map<string, { element: HTMLElement, drawn: string }>} */
  #rows = new Map();
  /** The row that Tab reaches. */
  #current = "";
  #frame = 0;
  /** The file in the editor when it was last looked at. @type {string | null} */
  #active = null;
  /** Gives a row its buttons when it comes into sight: most rows of a large project never do. */
  #sight = new IntersectionObserver((seen) => {
    for (const { target, isIntersecting } of seen)
      if (isIntersecting) this.#arm(/** @type {HTMLElement} */ (target));
  });

  /** @param {TreeParts} parts */
  constructor(parts) {
    this.#parts = parts;
    const { list, newButtons, project, workspace, live, filter } = parts;
    this.#folders = new Folders(parts.kept);
    this.#acts = fileActs({
      project,
      requests: parts.requests,
      active: () => workspace.active,
      say: parts.say,
      made: parts.opened,
    });
    const draw = () => this.#soon();
    project.on("welcome", () => this.#draw());
    project.on("files", draw);
    workspace.on("changed", draw);
    live.on("changed", draw);
    list.addEventListener("keydown", (event) => this.#key(event));
    filter.addEventListener("input", () => this.#draw());
    filter.addEventListener("keydown", (event) => this.#filterKey(event));
    filter.addEventListener("blur", () => this.#soon());
    for (const button of newButtons) button.addEventListener("click", () => this.#acts.create());
  }

  /** Puts the keyboard into the filter, which in a small project is there until it is left. */
  find() {
    const { finder, filter } = this.#parts;
    finder.hidden = false;
    filter.focus();
    filter.select();
  }

  #soon() {
    // A hidden page has no frames; it is drawn when it is seen again.
    this.#frame ||= requestAnimationFrame(() => this.#draw());
  }

  #draw() {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    const { list, project, workspace, newButtons, finder, filter, none } = this.#parts;
    const { activeElement: focused } = document;
    const files = [...project.files.values()];
    finder.hidden = files.length < MANY && !filter.value && focused !== filter;
    this.#folders.sized(files.length);
    if (workspace.active !== this.#active) {
      this.#active = workspace.active;
      if (this.#active) this.#folders.reveal(project.pathOf(this.#active));
    }
    const sought = filter.value.trim();
    const rows = sought
      ? matching(files, sought).slice(0, MOST_FOUND)
      : rowsOf(files, (folder) => this.#folders.isOpen(folder));
    const keys = new Set(rows.map(({ key }) => key));
    none.hidden = !sought || rows.length > 0;
    if (!keys.has(this.#current))
      this.#current = keys.has(workspace.active ?? "") ? (workspace.active ?? "") : "";
    this.#current ||= rows[0]?.key ?? "";
    for (const [key, { element }] of this.#rows) {
      if (keys.has(key)) continue;
      this.#sight.unobserve(element);
      this.#rows.delete(key);
    }
    arrange(
      list,
      rows.map((row) => this.#element(row)),
    );
    for (const button of newButtons) button.hidden = !project.mayEdit;
    // A row that moved to another place among the names has lost the keyboard on the way.
    if (focused instanceof HTMLElement && list.contains(focused)) focused.focus();
  }

  /** @param {Row} row */
  #element(row) {
    const held = this.#rows.get(row.key) ?? { element: this.#create(row), drawn: "" };
    this.#rows.set(row.key, held);
    const { workspace, project, live } = this.#parts;
    const state = {
      ...row,
      current: row.key === this.#current,
      active: row.key === workspace.active,
      live: row.kind === "file" && live.has(row.key),
      binary: project.files.get(row.key)?.binary ?? false,
      mayEdit: project.mayEdit,
    };
    const drawn = JSON.stringify(state);
    if (drawn !== held.drawn) {
      held.drawn = drawn;
      (row.kind === "file" ? describeFile : describeFolder)(held.element, state);
    }
    return held.element;
  }

  /** @param {Row} row */
  #create({ kind, key }) {
    const { workspace } = this.#parts;
    const element = fromTemplate(kind === "file" ? "tpl-tree-item" : "tpl-tree-dir");
    const open = find(element, ".tree-open");
    if (kind === "folder") {
      element.dataset.folder = key;
      open?.addEventListener("click", () => this.#fold(key, !this.#folders.isOpen(key)));
      return element;
    }
    element.dataset.file = key;
    open?.addEventListener("click", () => this.#open(key));
    if (workspace.active === key) this.#current = key;
    this.#sight.observe(element);
    return element;
  }

  /** @param {HTMLElement} element a file's row */
  #arm(element) {
    const { file = "" } = element.dataset;
    const held = this.#rows.get(file);
    this.#sight.unobserve(element);
    if (!held || find(element, ".tree-acts")) return;
    const acts = fromTemplate("tpl-tree-acts");
    find(acts, ".tree-rename")?.addEventListener("click", () => this.#acts.rename(file));
    find(acts, ".tree-delete")?.addEventListener("click", () => void this.#remove(file));
    element.append(acts);
    held.drawn = "";
    this.#soon();
  }

  /** @param {string} file */
  #open(file) {
    const { filter, workspace, opened } = this.#parts;
    this.#current = file;
    filter.value = "";
    // A binary file opens no tab, so nobody else says that the list is another.
    this.#soon();
    workspace.open(file);
    opened();
  }

  /** @param {string} file */
  async #remove(file) {
    if (!(await this.#acts.remove(file))) return;
    // The row that had the keyboard is gone.
    if (document.activeElement === document.body)
      find(this.#parts.list, ".tree-open[tabindex='0']")?.focus();
  }

  /** @param {string} folder @param {boolean} open */
  #fold(folder, open) {
    this.#current = folder;
    this.#folders.set(folder, open);
    this.#draw();
  }

  /** @param {KeyboardEvent} event */
  #filterKey(event) {
    if (isComposing(event)) return;
    const { filter, list, left } = this.#parts;
    const first = find(list, ".tree-open");
    if (event.key === "Enter") {
      const file = first?.closest("li")?.dataset.file;
      if (filter.value.trim() && file) this.#open(file);
    } else if (event.key === "ArrowDown") {
      this.#focus(/** @type {HTMLButtonElement | null} */ (first));
    } else if (event.key === "Escape") {
      filter.value = "";
      this.#draw();
      left();
    } else return;
    event.preventDefault();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    const row = target.closest("li");
    if (!row || event.altKey || event.ctrlKey || event.metaKey) return;
    const { file, folder } = row.dataset;
    const { mayEdit } = this.#parts.project;
    const isOpen = folder !== undefined && this.#folders.isOpen(folder);
    if (event.key === "ArrowDown") this.#beside(row, "nextElementSibling");
    else if (event.key === "ArrowUp") this.#beside(row, "previousElementSibling");
    else if (event.key === "Home") this.#focus(buttonOf(this.#parts.list.firstElementChild));
    else if (event.key === "End") this.#focus(buttonOf(this.#parts.list.lastElementChild));
    else if (event.key === "ArrowRight" && folder !== undefined) {
      if (isOpen) this.#beside(row, "nextElementSibling");
      else this.#fold(folder, true);
    } else if (event.key === "ArrowLeft" && isOpen) this.#fold(folder, false);
    else if (event.key === "ArrowRight") aside(target, 1);
    else if (event.key === "ArrowLeft" && !target.matches(".tree-open")) aside(target, -1);
    else if (event.key === "ArrowLeft") this.#focus(parentOf(row));
    else if (event.key === "F2" && mayEdit && file) this.#acts.rename(file);
    else if (event.key === "Delete" && mayEdit && file) void this.#remove(file);
    else return;
    event.preventDefault();
  }

  /** @param {Element} row @param {"nextElementSibling" | "previousElementSibling"} which */
  #beside(row, which) {
    this.#focus(buttonOf(row[which]));
  }

  /** @param {HTMLButtonElement | null} button */
  #focus(button) {
    if (!button) return;
    const { file, folder } = /** @type {HTMLElement} */ (button.closest("li")).dataset;
    this.#current = file ?? folder ?? "";
    this.#draw();
    button.focus();
  }
}

/** @param {Element | null} row @returns {HTMLButtonElement | null} */
const buttonOf = (row) => row?.querySelector("button") ?? null;

/** Moves between a row's buttons. @param {HTMLElement} target @param {number} by */
function aside(target, by) {
  const row = [...(target.closest("li")?.querySelectorAll("button") ?? [])];
  row[row.indexOf(/** @type {HTMLButtonElement} */ (target)) + by]?.focus();
}

/** The folder that a row is in. @param {HTMLElement} row */
function parentOf(row) {
  const depth = Number(row.dataset.depth);
  let above = row.previousElementSibling;
  while (above instanceof HTMLElement && Number(above.dataset.depth) >= depth)
    above = above.previousElementSibling;
  return buttonOf(above);
}

/** @typedef {Row & { current: boolean, active: boolean, live: boolean, binary: boolean, mayEdit: boolean }} Drawn */

/** @param {HTMLElement} element @param {Drawn} row */
function place(element, row) {
  element.dataset.depth = String(row.depth);
  element.style.setProperty("--indent", String(row.depth));
  const open = /** @type {HTMLButtonElement} */ (find(element, ".tree-open"));
  setText(find(element, ".tree-name"), row.name);
  open.tabIndex = row.current ? 0 : -1;
  open.title = row.path;
  return open;
}

/** @param {HTMLElement} element @param {Drawn} row */
function describeFolder(element, row) {
  const open = place(element, row);
  open.setAttribute("aria-expanded", String(row.open));
  setText(find(element, ".tree-count"), row.open ? "" : formatNumber(row.count));
}

/** @param {HTMLElement} element @param {Drawn} row */
function describeFile(element, row) {
  const open = place(element, row);
  element.toggleAttribute("data-binary", row.binary);
  const dot = find(element, ".dot");
  if (dot) dot.hidden = !row.live;
  if (row.active) open.setAttribute("aria-current", "true");
  else open.removeAttribute("aria-current");
  const labels = {
    ".tree-rename": gettext("Rename %(path)s"),
    ".tree-delete": gettext("Delete %(path)s"),
  };
  if (!find(element, ".tree-acts")) return;
  for (const [selector, label] of Object.entries(labels)) {
    const button = /** @type {HTMLButtonElement} */ (find(element, selector));
    button.tabIndex = -1;
    button.hidden = !row.mayEdit;
    button.setAttribute("aria-label", interpolate(label, { path: row.path }));
  }
}
