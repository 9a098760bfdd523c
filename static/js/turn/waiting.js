/**
 * Prompts that were sent while there was no connection. They wait above the box, in sight, through a reload too,
 * and ask before they go: what was wanted ten minutes ago may be no longer. Only one that waited no longer than a
 * hiccup of the network goes by itself. Each keeps its id, so that one sent from two tabs, or twice, is one turn.
 */

import { arrange, h, setText } from "../lib/dom.js";
import { gettext, interpolate } from "../lib/i18n.js";
import { boxFullText } from "./faults.js";

/** @import { Kept } from "../lib/kept.js" */

/** @typedef {Record<string, unknown> & { t: "prompt" | "redirect", id: string, text: string }} PromptFrame */
/** @typedef {{ frame: PromptFrame, at: number }} Waiting `at`: when it was sent, in milliseconds since 1970 */

/** A connection that is back by then was never really gone. */
export const HICCUP_MS = 5_000;

/** Whether a prompt may go without asking again. @param {Waiting} one @param {number} now */
export const goesByItself = ({ at }, now) => at <= now && now - at < HICCUP_MS;

/** @param {unknown} value @returns {Waiting[]} */
export function readWaiting(value) {
  if (!Array.isArray(value)) return [];
  return value.filter(
    (one) =>
      ["prompt", "redirect"].includes(one?.frame?.t) &&
      typeof one.frame.id === "string" &&
      typeof one.frame.text === "string" &&
      typeof one.at === "number",
  );
}

export class WaitingList {
  #parts;
  /** Those on their way now. @type {Set<string>} */
  #going = new Set();
  /** Those of this page, which may go by themselves; after a reload none does. @type {Set<string>} */
  #fresh = new Set();
  /** @type {Map<string, HTMLElement>} */
  #rows = new Map();

  /**
   * @param {object} parts
   * @param {HTMLElement} parts.list
   * @param {Kept} parts.kept
   * @param {() => boolean} parts.online
   * @param {(frame: PromptFrame) => Promise<boolean>} parts.deliver says whether it is with the server
   * @param {(frame: PromptFrame) => boolean} parts.edit puts one back into the box, if that is free
   * @param {(sentence: string) => void} parts.say
   * @param {(sentence: string) => void} parts.tell for those who listen
   * @param {() => void} parts.leave puts the keyboard elsewhere
   */
  constructor(parts) {
    this.#parts = parts;
    parts.kept.onChange(() => this.draw());
    this.draw();
  }

  /** @returns {Waiting[]} */
  get all() {
    return readWaiting(this.#parts.kept.get());
  }

  /** @param {PromptFrame} frame */
  add(frame) {
    this.#fresh.add(frame.id);
    this.#parts.kept.set([...this.all, { frame, at: Date.now() }]);
    this.#parts.tell(
      gettext("There is no connection just now. Your prompt waits above the box until there is."),
    );
    this.draw();
  }

  /** The connection is back: what has just been sent goes, the rest asks. */
  back() {
    const now = Date.now();
    for (const one of this.all) {
      if (this.#fresh.has(one.frame.id) && goesByItself(one, now)) void this.#send(one.frame);
    }
    if (this.all.some(({ frame }) => !this.#going.has(frame.id)))
      this.#parts.tell(gettext("You are online again. A prompt waits for your word."));
    this.#fresh.clear();
    this.draw();
  }

  /** Shows them as things are now. */
  draw() {
    const { list } = this.#parts;
    const all = this.all;
    for (const id of [...this.#rows.keys()])
      if (!all.some(({ frame }) => frame.id === id)) this.#rows.delete(id);
    const held = list.contains(document.activeElement);
    arrange(
      list,
      all.map(({ frame }) => this.#row(frame)),
    );
    list.hidden = !all.length;
    if (held && !list.contains(document.activeElement)) this.#parts.leave();
  }

  /** @param {PromptFrame} frame */
  #row(frame) {
    const row = this.#rows.get(frame.id) ?? this.#make(frame);
    this.#rows.set(frame.id, row);
    const online = this.#parts.online();
    const text = online
      ? gettext("You are online again. Send it?")
      : gettext("Waiting for the connection:");
    setText(row.querySelector(".waiting-state"), text);
    for (const button of row.querySelectorAll("button")) {
      button.disabled = this.#going.has(frame.id);
      if (button.matches(".waiting-send")) button.hidden = !online;
    }
    return row;
  }

  /** @param {PromptFrame} frame */
  #make(frame) {
    const { text } = frame;
    const act = (
      /** @type {string} */ name,
      /** @type {string} */ label,
      /** @type {() => void} */ onclick,
    ) =>
      h(
        "button",
        {
          type: "button",
          class: `btn small waiting-${name}`,
          "aria-label": interpolate(gettext("%(act)s: %(prompt)s"), { act: label, prompt: text }),
          onclick,
        },
        label,
      );
    return h(
      "li",
      { class: "strip waiting", "data-waiting": frame.id },
      h(
        "p",
        { class: "strip-text" },
        h("span", { class: "waiting-state" }),
        " ",
        h("q", { class: "waiting-text", dir: "auto" }, text),
      ),
      h(
        "span",
        { class: "strip-acts" },
        act("send", gettext("Send"), () => void this.#send(frame)),
        act("edit", gettext("Edit"), () => {
          if (this.#parts.edit(frame)) this.#remove(frame.id);
          else this.#parts.say(boxFullText());
        }),
        act("remove", gettext("Remove"), () => this.#remove(frame.id)),
      ),
    );
  }

  /** @param {PromptFrame} frame */
  async #send(frame) {
    if (this.#going.has(frame.id)) return;
    this.#going.add(frame.id);
    this.draw();
    const sent = await this.#parts.deliver(frame);
    this.#going.delete(frame.id);
    if (sent) this.#remove(frame.id);
    else this.draw();
  }

  /** @param {string} id */
  #remove(id) {
    const left = this.all.filter(({ frame }) => frame.id !== id);
    this.#parts.kept.set(left.length ? left : null);
    this.draw();
  }
}
