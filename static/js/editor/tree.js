/** The files of the project: open, make, rename, delete; all of it with the keyboard too. */

import { askName, confirmed } from "../lib/dialogs.js";
import { arrange, find, fromTemplate, setText } from "../lib/dom.js";
import { gettext, interpolate } from "../lib/i18n.js";
import { newId } from "../lib/ids.js";
import { grouped } from "./paths.js";

/** @import { Project } from "../collab/project.js" */
/** @import { Requests } from "../net/requests.js" */
/** @import { Live } from "./live.js" */
/** @import { Workspace } from "./workspace.js" */

/**
 * @typedef {object} TreeParts
 * @property {HTMLElement} list
 * @property {Iterable<HTMLElement>} newButtons
 * @property {Workspace} workspace
 * @property {Project} project
 * @property {Live} live
 * @property {Requests} requests
 * @property {(message: string) => void} say shows a sentence that is no answer to a dialog
 * @property {() => void} opened after a file was chosen here
 */

export class Tree {
  #parts;
  /** By file; a row lives as long as its file. @type {Map<string, HTMLElement>} */
  #rows = new Map();
  /** The file whose row is the one that Tab reaches. */
  #current = "";
  /** Ends the question that is open for a new file's name. */
  #made = () => {};

  /** @param {TreeParts} parts */
  constructor(parts) {
    this.#parts = parts;
    const { list, newButtons, project, workspace, live } = parts;
    const draw = () => this.#draw();
    project.on("welcome", draw);
    project.on("files", draw);
    // The file is here with this frame; what is typed next belongs into it, not into the dialog.
    project.on("created", ({ by }) => {
      if ("conn" in by && by.conn === project.you?.conn) this.#made();
    });
    workspace.on("changed", draw);
    live.on("changed", draw);
    list.addEventListener("keydown", (event) => this.#key(event));
    for (const button of newButtons) button.addEventListener("click", () => this.create());
  }

  /** Asks for a path and makes an empty file there. */
  create() {
    const { requests, workspace, project } = this.#parts;
    const near = workspace.active ? project.pathOf(workspace.active) : "";
    this.#made = askName({
      title: gettext("New file"),
      ok: gettext("Create"),
      value: near.slice(0, near.lastIndexOf("/") + 1),
      act: (path) => requests.ask({ t: "tree", op: "create", file: newId(), path, text: "" }),
      done: this.#parts.opened,
    });
  }

  /** @param {string} file */
  #rename(file) {
    const { requests, project } = this.#parts;
    askName({
      title: gettext("Rename"),
      ok: gettext("Rename"),
      value: project.pathOf(file),
      act: async (path) => {
        if (path !== project.pathOf(file))
          await requests.ask({ t: "tree", op: "rename", file, path });
      },
    });
  }

  /** @param {string} file */
  async #delete(file) {
    const { requests, project, say } = this.#parts;
    const path = project.pathOf(file);
    const sure = await confirmed({
      title: interpolate(gettext("Delete %(path)s?"), { path }),
      text: gettext("It goes away for everybody in this session."),
      ok: gettext("Delete"),
    });
    if (!sure) return;
    try {
      await requests.ask({ t: "tree", op: "delete", file });
      // The row that had the keyboard is gone.
      const next = find(this.#parts.list, ".tree-open[tabindex='0']");
      if (document.activeElement === document.body) next?.focus();
    } catch (refused) {
      say(refused instanceof Error ? refused.message : String(refused));
    }
  }

  #draw() {
    const { list, project, workspace, newButtons } = this.#parts;
    const { activeElement: focused } = document;
    if (!project.files.has(this.#current)) this.#current = workspace.active ?? "";
    for (const file of this.#rows.keys()) if (!project.files.has(file)) this.#rows.delete(file);
    /** @type {HTMLElement[]} */
    const rows = [];
    for (const { folder, files } of grouped([...project.files.values()])) {
      if (folder) {
        const heading = fromTemplate("tpl-tree-dir");
        heading.textContent = folder;
        rows.push(heading);
      }
      for (const { file, name, path } of files) {
        const row = this.#rows.get(file) ?? this.#create(file);
        this.#describe(row, { file, name, path, depth: folder ? 1 : 0 });
        rows.push(row);
      }
    }
    arrange(list, rows);
    for (const button of newButtons) button.hidden = !project.mayEdit;
    const buttons = this.#buttons();
    if (buttons.length && !buttons.some(({ tabIndex }) => tabIndex === 0)) buttons[0].tabIndex = 0;
    // A row that moved to another place among the names has lost the keyboard on the way.
    if (focused instanceof HTMLElement && list.contains(focused)) focused.focus();
  }

  /** @param {string} file */
  #create(file) {
    const { workspace } = this.#parts;
    const row = fromTemplate("tpl-tree-item");
    row.dataset.file = file;
    find(row, ".tree-open")?.addEventListener("click", () => {
      this.#current = file;
      workspace.open(file);
      this.#parts.opened();
    });
    find(row, ".tree-rename")?.addEventListener("click", () => this.#rename(file));
    find(row, ".tree-delete")?.addEventListener("click", () => void this.#delete(file));
    this.#rows.set(file, row);
    return row;
  }

  /** @param {HTMLElement} row @param {{ file: string, name: string, path: string, depth: number }} as */
  #describe(row, { file, name, path, depth }) {
    const { workspace, project, live } = this.#parts;
    row.dataset.depth = String(depth);
    setText(find(row, ".tree-name"), name);
    const dot = find(row, ".dot");
    if (dot) dot.hidden = !live.has(file);
    const open = /** @type {HTMLButtonElement} */ (find(row, ".tree-open"));
    open.title = path;
    open.tabIndex = file === this.#current ? 0 : -1;
    if (file === workspace.active) open.setAttribute("aria-current", "true");
    else open.removeAttribute("aria-current");
    const labels = {
      ".tree-rename": gettext("Rename %(path)s"),
      ".tree-delete": gettext("Delete %(path)s"),
    };
    for (const [selector, label] of Object.entries(labels)) {
      const button = /** @type {HTMLButtonElement} */ (find(row, selector));
      button.tabIndex = -1;
      button.hidden = !project.mayEdit;
      button.setAttribute("aria-label", interpolate(label, { path }));
    }
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    const file = target.closest("li")?.dataset.file;
    if (!file || event.altKey || event.ctrlKey || event.metaKey) return;
    const buttons = this.#buttons();
    const at = buttons.findIndex((button) => button.closest("li")?.dataset.file === file);
    const { mayEdit } = this.#parts.project;
    if (event.key === "ArrowDown") this.#focus(buttons[at + 1]);
    else if (event.key === "ArrowUp") this.#focus(buttons[at - 1]);
    else if (event.key === "Home") this.#focus(buttons[0]);
    else if (event.key === "End") this.#focus(buttons.at(-1));
    else if (event.key === "ArrowRight") this.#aside(target, 1);
    else if (event.key === "ArrowLeft") this.#aside(target, -1);
    else if (event.key === "F2" && mayEdit) this.#rename(file);
    else if (event.key === "Delete" && mayEdit) void this.#delete(file);
    else return;
    event.preventDefault();
  }

  /** Moves between a row's buttons. @param {HTMLElement} target @param {number} by */
  #aside(target, by) {
    const row = [...(target.closest("li")?.querySelectorAll("button") ?? [])];
    row[row.indexOf(/** @type {HTMLButtonElement} */ (target)) + by]?.focus();
  }

  /** @param {HTMLButtonElement | undefined} button */
  #focus(button) {
    if (!button) return;
    for (const other of this.#buttons()) other.tabIndex = -1;
    button.tabIndex = 0;
    this.#current = button.closest("li")?.dataset.file ?? "";
    button.focus();
  }

  #buttons() {
    const found = this.#parts.list.querySelectorAll(".tree-open");
    return /** @type {HTMLButtonElement[]} */ ([...found]);
  }
}
