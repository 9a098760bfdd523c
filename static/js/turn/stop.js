/**
 * Stop, by button and by Escape. The button answers in the same frame; "stopping…" shows only when the server
 * takes longer than 100 ms, since a word that flashes by reads as a fault.
 */

import { isRunning } from "../collab/project.js";
import { find, setText } from "../lib/dom.js";
import { gettext } from "../lib/i18n.js";

/** @import { Project } from "../collab/project.js" */
/** @import { Requests } from "../net/requests.js" */

const PATIENCE_MS = 100;

/**
 * @typedef {object} StopParts
 * @property {HTMLButtonElement} button
 * @property {Project} project
 * @property {Requests} requests
 * @property {(message: string) => void} say
 * @property {() => void} leave puts the keyboard elsewhere
 * @property {(turn: string, ms: number) => void} stopped a turn this person stopped is over; how long they waited
 */

export class Stop {
  #parts;
  /** The turn that was asked to stop, and when. @type {{ turn: string, at: number } | null} */
  #asked = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #slow;

  /** @param {StopParts} parts */
  constructor(parts) {
    this.#parts = parts;
    const { button, project } = parts;
    button.addEventListener("click", () => this.stop());
    project.on("turn", ({ turn }) => {
      if (turn.id === this.#asked?.turn && isRunning(turn)) return;
      if (turn.id === this.#asked?.turn) this.#done();
      this.#draw();
    });
    project.on("welcome", () => this.#draw());
  }

  /** Asks the server to end the running turn; says whether there was one to end. */
  stop() {
    const { project } = this.#parts;
    const turn = project.running;
    if (!turn || !project.mayPrompt) return false;
    if (this.#asked?.turn === turn.id) return true;
    this.#asked = { turn: turn.id, at: performance.now() };
    this.#slow = setTimeout(() => this.#draw(true), PATIENCE_MS);
    this.#draw();
    void this.#ask(turn.id);
    return true;
  }

  /** @param {string} turn */
  async #ask(turn) {
    const { requests, say, project } = this.#parts;
    try {
      await requests.ask({ t: "stop", turn });
      if (project.running?.id !== turn) this.#done();
    } catch (refused) {
      this.#forget();
      say(refused instanceof Error ? refused.message : String(refused));
    }
    this.#draw();
  }

  #done() {
    const asked = this.#asked;
    this.#forget();
    if (asked) this.#parts.stopped(asked.turn, performance.now() - asked.at);
  }

  #forget() {
    this.#asked = null;
    clearTimeout(this.#slow);
  }

  /** @param {boolean} [slow] */
  #draw(slow = false) {
    const { button, project } = this.#parts;
    const running = project.running;
    if (!running) this.#forget();
    const pressed = this.#asked !== null;
    const off = !running || !project.mayPrompt;
    // A button that is switched off lets go of the keyboard; whoever used it with the keyboard goes on from the box.
    if (off && !button.disabled && button.matches(":focus-visible")) this.#parts.leave();
    button.disabled = off;
    button.classList.toggle("pressed", pressed);
    if (pressed) button.setAttribute("aria-busy", "true");
    else button.removeAttribute("aria-busy");
    if (!pressed || slow) {
      setText(find(button, ".btn-text"), pressed ? gettext("Stopping…") : gettext("Stop"));
    }
  }
}
