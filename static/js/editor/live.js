/** Which files the model is writing at the moment, for the dots in tree and tabs. */

import { Emitter } from "../lib/emitter.js";

/** @import { Project } from "../collab/project.js" */

/** @extends {Emitter<{ changed: null }>} */
export class Live extends Emitter {
  /** @type {Set<string>} */
  #files = new Set();

  /** @param {Project} project */
  constructor(project) {
    super();
    project.on("hunk", ({ file, status }) => {
      if (status === "open") this.#set(new Set([...this.#files, file]));
    });
    project.on("progress", ({ file }) => {
      if (file) this.#set(new Set([...this.#files, file]));
    });
    const ended = () => {
      if (!project.running) this.#set(new Set());
    };
    project.on("turn", ended);
    project.on("welcome", ended);
  }

  /** @param {string} file */
  has(file) {
    return this.#files.has(file);
  }

  /** @param {Set<string>} files */
  #set(files) {
    if (files.size === this.#files.size) return;
    this.#files = files;
    this.emit("changed", null);
  }
}
