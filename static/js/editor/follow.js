/**
 * The model in the editor: its caret with its speed, and Follow, which scrolls along until the person scrolls or
 * types.
 *
 * Follow is on for whoever asked for the turn, and for nobody else unless they press the button: a view must
 * not move because of somebody else.
 */

import { isRunning } from "../collab/project.js";
import { turnEdit } from "../collab/turnedit.js";
import { formatNumber, gettext, interpolate } from "../lib/i18n.js";
import { caretAt, MODEL, setCaret } from "./carets.js";
import { hideCaret, showCaret } from "./presence.js";

/** @import { Documents } from "../collab/documents.js" */
/** @import { Project } from "../collab/project.js" */
/** @import { Pane } from "./pane.js" */
/** @import { Workspace } from "./workspace.js" */

/**
 * @typedef {object} FollowParts
 * @property {HTMLElement} button
 * @property {Documents} documents
 * @property {Project} project
 * @property {Pane} pane
 * @property {Workspace} workspace
 */

export class Follow {
  #parts;
  #on = false;
  /** Where the model is. @type {string | null} */
  #file = null;

  /** @param {FollowParts} parts */
  constructor(parts) {
    this.#parts = parts;
    const { button, documents, project, pane } = parts;
    button.addEventListener("click", () => this.#set(!this.#on));
    pane.on("typed", () => this.#set(false));
    pane.on("steered", () => this.#set(false));
    // Whoever goes to another file than the model's wants to be there.
    pane.on("shown", ({ file }) => {
      if (this.#file && file !== this.#file) this.#set(false);
    });
    project.on("welcome", () => this.#welcomed());
    project.on("turn", ({ turn, before }) => {
      if (isRunning(turn)) this.#draw();
      else if (!before || isRunning(before)) this.#end();
    });
    project.on("progress", (frame) => this.#progress(frame));
    documents.on("opened", ({ replica }) => {
      if (this.#on && replica.file === this.#file) this.#scroll();
    });
    documents.on("changed", ({ replica, transactions }) => {
      if (!this.#on || replica.file !== pane.file) return;
      const last = transactions
        .flatMap(({ effects }) => effects)
        .some((one) => one.is(turnEdit) || (one.is(setCaret) && one.value.key === MODEL));
      if (last) this.#scroll();
    });
  }

  /** Follows the turn that this person just asked for. */
  start() {
    this.#set(true);
  }

  #welcomed() {
    if (!this.#parts.project.running) this.#end();
    this.#draw();
  }

  #end() {
    const { project, documents } = this.#parts;
    for (const { file } of project.files.values()) hideCaret(documents, file, MODEL);
    this.#file = null;
    this.#set(false);
  }

  /** @param {import("../net/messages.js").ProgressFrame} frame */
  #progress({ tps, file, v, at }) {
    const { documents, workspace, project } = this.#parts;
    if (!project.running || !file || v == null || at == null) return;
    if (this.#file && this.#file !== file) hideCaret(documents, this.#file, MODEL);
    this.#file = file;
    const label = tps
      ? interpolate(gettext("Flint · %(speed)s tok/s"), { speed: formatNumber(Math.round(tps)) })
      : "Flint";
    showCaret(documents, { key: MODEL, label, look: "model", file, v, sel: [at, at] });
    if (this.#on && workspace.active !== file) workspace.open(file);
  }

  #scroll() {
    const { pane } = this.#parts;
    const { view } = pane;
    if (!view || pane.file !== this.#file) return;
    const at = caretAt(view.state, MODEL);
    // Scrolling is asked for after the update that moved the caret is over.
    if (at !== null) queueMicrotask(() => pane.reveal(at));
  }

  /** @param {boolean} on */
  #set(on) {
    if (this.#on !== on) {
      this.#on = on;
      const { workspace } = this.#parts;
      if (on && this.#file && workspace.active !== this.#file) workspace.open(this.#file);
      else if (on) this.#scroll();
    }
    this.#draw();
  }

  #draw() {
    const { button, project } = this.#parts;
    button.hidden = !project.running;
    button.setAttribute("aria-pressed", String(this.#on));
    button.textContent = this.#on ? gettext("Following Flint") : gettext("Follow Flint");
  }
}
