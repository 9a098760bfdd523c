/** Which files are open as tabs, in which order, and which one is shown; kept for a reload of this tab. */

import { Emitter } from "../lib/emitter.js";

/** @import { Documents } from "../collab/documents.js" */
/** @import { Project } from "../collab/project.js" */
/** @import { Kept } from "../lib/kept.js" */
/** @import { Pane } from "./pane.js" */

/** @extends {Emitter<{ changed: null, binary: { file: string } }>} `binary`: one that has no text was asked for */
export class Workspace extends Emitter {
  #documents;
  #project;
  #pane;
  #kept;
  /** @type {string[]} */
  #open = [];

  /**
   * @param {object} options
   * @param {Documents} options.documents
   * @param {Project} options.project
   * @param {Pane} options.pane
   * @param {Kept} options.kept of this tab
   */
  constructor({ documents, project, pane, kept }) {
    super();
    this.#documents = documents;
    this.#project = project;
    this.#pane = pane;
    this.#kept = kept;
    project.on("welcome", () => this.#welcomed());
    project.on("files", () => this.#gone());
    project.on("created", ({ file, by, v }) => {
      if (!("conn" in by) || by.conn !== project.you?.conn) return;
      // Files are made empty here, so there is nothing to wait for.
      documents.adopt(file, "", v);
      this.open(file);
    });
  }

  /** The open files, in the order of their tabs. */
  get files() {
    return [...this.#open];
  }

  /** The file that is shown, or null. */
  get active() {
    return this.#pane.file;
  }

  /** Opens a file if need be, and shows it. @param {string} file */
  open(file) {
    const info = this.#project.files.get(file);
    if (!info) return;
    if (info.binary) {
      this.emit("binary", { file });
      return;
    }
    if (!this.#open.includes(file)) this.#open.push(file);
    this.#documents.open(file);
    this.#pane.show(file);
    this.#changed();
  }

  /** Closes a tab; the one beside it is shown. @param {string} file */
  close(file) {
    const index = this.#open.indexOf(file);
    if (index < 0) return;
    this.#open.splice(index, 1);
    if (this.active === file)
      this.#pane.show(this.#open[Math.min(index, this.#open.length - 1)] ?? null);
    this.#documents.close(file);
    this.#changed();
  }

  /** Shows the tab at a place counted from 0; one that is not there changes nothing. @param {number} index */
  showAt(index) {
    const file = this.#open[index];
    if (file) this.open(file);
  }

  #welcomed() {
    if (!this.#open.length) {
      const { files } = this.#project;
      const known = readFiles(this.#kept.get()).filter(
        (file) => files.has(file) && !files.get(file)?.binary,
      );
      this.#open = known;
      for (const file of known) this.#documents.open(file);
      const active = known.at(-1) ?? firstOf(this.#project);
      if (active) this.open(active);
      else this.#changed();
    }
    this.#gone();
  }

  #gone() {
    for (const file of this.files) if (!this.#project.files.has(file)) this.close(file);
    this.#changed();
  }

  #changed() {
    // The shown one last, so that it is shown again.
    const order = this.#open.filter((file) => file !== this.active);
    this.#kept.set(this.active ? [...order, this.active] : order);
    this.emit("changed", null);
  }
}

/** @param {unknown} value @returns {string[]} */
const readFiles = (value) =>
  Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];

/**
 * The file to begin with: code before prose, shallow before deep, tests last.
 * @param {Project} project
 */
function firstOf(project) {
  const weight = (/** @type {string} */ path) =>
    (/\.(md|txt|toml|cfg|lock)$/i.test(path) ? 4 : 0) +
    (/(^|\/)tests?[_/]|(^|\/)test_/i.test(path) ? 2 : 0) +
    path.split("/").length / 100;
  const texts = [...project.files.values()].filter(({ binary }) => !binary);
  return texts.sort(
    (one, other) => weight(one.path) - weight(other.path) || one.path.localeCompare(other.path),
  )[0]?.file;
}
