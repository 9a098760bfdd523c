/**
 * Following a person: the editor shows the file they are in and scrolls to their caret, until this person types,
 * scrolls, goes to another file, or they leave. The caret of whoever follows stays where it is.
 */

import { Emitter } from "../lib/emitter.js";
import { caretAt, setCaret } from "./carets.js";

/** @import { Documents } from "../collab/documents.js" */
/** @import { Project } from "../collab/project.js" */
/** @import { PersonWhere } from "../net/messages.js" */
/** @import { Pane } from "./pane.js" */
/** @import { Workspace } from "./workspace.js" */

/** @extends {Emitter<{ changed: null }>} */
export class Companion extends Emitter {
  #parts;
  /** Whom, as the user they are. @type {string | null} */
  #user = null;
  /** The page of theirs that moved last; somebody may have several. */
  #conn = "";
  /** Whether a file is being shown because of them. */
  #going = false;

  /** @param {{ documents: Documents, project: Project, pane: Pane, workspace: Workspace }} parts */
  constructor(parts) {
    super();
    this.#parts = parts;
    const { documents, project, pane } = parts;
    project.on("place", ({ person }) => {
      if (person.user === this.#user) this.#go(person);
    });
    project.on("people", () => {
      if (this.#user !== null && !this.#places().length) this.stop();
    });
    documents.on("changed", ({ replica, transactions }) => {
      if (this.#user === null || replica.file !== pane.file) return;
      const moved = transactions
        .flatMap(({ effects }) => effects)
        .some((one) => one.is(setCaret) && one.value.key === this.#conn);
      if (moved) this.#reveal();
    });
    pane.on("displayed", () => this.#reveal());
    pane.on("typed", () => this.stop());
    pane.on("steered", () => this.stop());
    pane.on("shown", () => {
      if (!this.#going) this.stop();
    });
  }

  /** The user who is followed, or null. */
  get user() {
    return this.#user;
  }

  /** Begins to follow somebody, or stops. @param {string} user */
  toggle(user) {
    if (this.#user === user) return this.stop();
    this.#user = user;
    const [person] = this.#places();
    if (person) this.#go(person);
    this.emit("changed", null);
  }

  /** Follows nobody. */
  stop() {
    if (this.#user === null) return;
    this.#user = null;
    this.#conn = "";
    this.emit("changed", null);
  }

  /** Their pages, those that are in a file first. @returns {PersonWhere[]} */
  #places() {
    return [...this.#parts.project.people.values()]
      .filter(({ user }) => user === this.#user)
      .sort((one, other) => Number(!one.file) - Number(!other.file));
  }

  /** @param {PersonWhere} person */
  #go({ conn, file }) {
    const { workspace, project } = this.#parts;
    this.#conn = conn;
    if (!file || !project.files.has(file)) return;
    if (workspace.active !== file) {
      this.#going = true;
      workspace.open(file);
      this.#going = false;
    }
    this.#reveal();
  }

  #reveal() {
    const { pane } = this.#parts;
    const { view } = pane;
    if (this.#user === null || !view) return;
    const at = caretAt(view.state, this.#conn);
    // Scrolling is asked for after the update that moved the caret is over.
    if (at !== null) queueMicrotask(() => pane.reveal(at));
  }
}
