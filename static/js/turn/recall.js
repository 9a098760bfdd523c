/** Walks through earlier prompts in the box with the arrow keys. */

import { begin, merged, move, shown, walks } from "./history.js";

/** @import { Project } from "../collab/project.js" */
/** @import { Past, Walk } from "./history.js" */

export class Recall {
  #box;
  #project;
  #past;
  /** @type {Walk | null} */
  #walk = null;

  /**
   * @param {object} parts
   * @param {HTMLTextAreaElement} parts.box
   * @param {Project} parts.project
   * @param {Past} parts.past
   */
  constructor({ box, project, past }) {
    this.#box = box;
    this.#project = project;
    this.#past = past;
  }

  /** The text is the person's own again. */
  leave() {
    this.#walk = null;
  }

  /** @param {string} text that was sent */
  add(text) {
    this.#past.add(text);
    this.leave();
  }

  /**
   * Takes an arrow that walks; says whether it did.
   * @param {KeyboardEvent} event
   */
  key(event) {
    const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
    if ((key !== "ArrowUp" && key !== "ArrowDown") || ctrlKey || metaKey || altKey || shiftKey)
      return false;
    const step = key === "ArrowUp" ? -1 : 1;
    const { value: text, selectionStart: from, selectionEnd: to } = this.#box;
    if (!walks({ text, from, to, walking: this.#walk !== null, step })) return false;
    const next = move(this.#walk ?? begin(this.#earlier(), text), step);
    // At the first and the last one the arrow does what it does in any text.
    if (!next) return false;
    event.preventDefault();
    this.#walk = next.index === next.entries.length ? null : next;
    this.#box.value = shown(next);
    // Where the same arrow goes on at once, also in a prompt of several lines.
    const at = step < 0 ? 0 : this.#box.value.length;
    this.#box.setSelectionRange(at, at);
    return true;
  }

  #earlier() {
    const me = this.#project.you?.user;
    const turns = [...this.#project.turns.values()]
      .filter(({ author }) => author === me)
      .map(({ prompt, created_at }) => ({ text: prompt, at: Date.parse(created_at) || 0 }));
    return merged(turns, this.#past.entries);
  }
}
