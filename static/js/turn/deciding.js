/**
 * Keeping and reverting what a turn changed: a hunk, those of a file, or all of them. Whoever asks says which; here
 * it is asked of the server, told, and where a person's text and the model's share a line, put to the person.
 *
 * A revert cannot be taken back by the server, so what it took back is said at once; the text itself is the person's
 * to change again.
 */

import { confirmed } from "../lib/dialogs.js";
import { gettext, inARow } from "../lib/i18n.js";
import { keptText, leftText, revertedText } from "./decidedwords.js";

/** @import { Project } from "../collab/project.js" */
/** @import { Hunk, Mixed, Reverted } from "../net/messages.js" */
/** @import { Requests } from "../net/requests.js" */

/** @typedef {{ hunks?: number[], file?: string }} Which neither: all of the turn */

const UNDECIDED = new Set(["applied", "yielded"]);

/** Whether somebody may still keep it. @param {Hunk} hunk */
export const canKeep = ({ status }) => UNDECIDED.has(status);

/** Whether it stands in the text, and so can be taken back. @param {Hunk} hunk */
export const canRevert = ({ status }) => status === "kept" || UNDECIDED.has(status);

export class Deciding {
  #parts;

  /**
   * @param {object} parts
   * @param {Project} parts.project
   * @param {Requests} parts.requests
   * @param {(mixed: Mixed[]) => Promise<number[]>} parts.compare lets the person choose, place by place
   * @param {(sentence: string) => void} parts.say
   * @param {(sentence: string) => void} parts.speak
   */
  constructor(parts) {
    this.#parts = parts;
  }

  /** Whether this person may. */
  get allowed() {
    return this.#parts.project.mayEdit;
  }

  /** Keeps what a turn changed there. @param {string} turn @param {Which} [which] */
  async keep(turn, which = {}) {
    const hunks = this.#hunks(turn, which).filter(canKeep);
    if (!hunks.length || !this.allowed) return;
    try {
      await this.#parts.requests.ask({ t: "keep", turn, ...which });
      this.#parts.speak(keptText(hunks.length, this.#paths(hunks)));
    } catch (refused) {
      this.#refused(refused);
    }
  }

  /** Takes back what a turn changed there. @param {string} turn @param {Which} [which] */
  async revert(turn, which = {}) {
    if (!this.allowed) return;
    try {
      await this.#revert(turn, which);
    } catch (refused) {
      this.#refused(refused);
    }
  }

  /** The same for a whole turn, when the person is sure. @param {string} turn */
  async revertTurn(turn) {
    const sure = await confirmed({
      title: gettext("Revert this turn?"),
      text: gettext(
        "Everything Flint changed in it goes back to what it was, for everybody. What people typed stays.",
      ),
      ok: gettext("Revert"),
    });
    if (sure) await this.revert(turn);
  }

  /**
   * @param {string} turn
   * @param {Which} which
   * @throws {Error} when the server refuses
   */
  async #revert(turn, which) {
    const { requests, compare, say } = this.#parts;
    // A file that the turn had made may go with it, and its path with that.
    const known = this.#hunks(turn, {}).map((one) => ({ ...one, path: this.#pathOf(one) }));
    const { reverted, mixed } = readReverted(await requests.ask({ t: "revert", turn, ...which }));
    let back = reverted;
    if (mixed.length) {
      const hunks = await compare(mixed);
      if (hunks.length) {
        const more = await requests.ask({ t: "revert", turn, hunks, mixed: true });
        back = [...back, ...readReverted(more).reverted];
      }
    }
    const left = mixed.filter(({ ordinal }) => !back.includes(ordinal)).length;
    const told = known.filter(({ ordinal }) => back.includes(ordinal));
    const paths = [...new Set(told.map(({ path }) => path))];
    const first = back.length || !left ? revertedText(back.length, paths) : "";
    say(inARow([first, left ? leftText(left) : ""]));
  }

  /** @param {string} turn @param {Which} which @returns {Hunk[]} */
  #hunks(turn, { hunks, file }) {
    return (this.#parts.project.turns.get(turn)?.hunks ?? []).filter(
      (one) => (!hunks || hunks.includes(one.ordinal)) && (!file || one.file === file),
    );
  }

  /** @param {Hunk[]} hunks */
  #paths(hunks) {
    return [...new Set(hunks.map((one) => this.#pathOf(one)))];
  }

  /** @param {Hunk} hunk */
  #pathOf({ file }) {
    return this.#parts.project.pathOf(file);
  }

  /** @param {unknown} refused */
  #refused(refused) {
    this.#parts.say(refused instanceof Error ? refused.message : String(refused));
  }
}

/** @param {any} result what `ok` carried @returns {Reverted} */
export function readReverted(result) {
  const { reverted, mixed } = result ?? {};
  return {
    reverted: Array.isArray(reverted) ? reverted : [],
    mixed: Array.isArray(mixed) ? mixed : [],
  };
}
