/**
 * Which turns' places are marked in the texts: those of the last turn that nobody has decided yet, with those of
 * the turn it repairs, and of whichever older turns this person wants to see. A person who comes back after ten
 * turns wants to read the code, not all that ever happened to it.
 */

import { Emitter } from "../lib/emitter.js";
import { onlyTurns, setHunk } from "./edits.js";

/** @import { Documents } from "../collab/documents.js" */
/** @import { Project } from "../collab/project.js" */
/** @import { Hunk } from "../net/messages.js" */

const STANDS = new Set(["open", "applied", "yielded"]);

/** @param {Hunk} hunk whether it stands in the text and nobody has kept it */
export const isUndecided = ({ status }) => STANDS.has(status);

/** @extends {Emitter<{ changed: null }>} */
export class Shown extends Emitter {
  #documents;
  #project;
  /** @type {Set<string>} */
  #wanted = new Set();
  /** By file, those whose frames came in this moment: hundreds make one transaction. @type {Map<string, Hunk[]>} */
  #fresh = new Map();
  #count = 0;

  /** @param {{ documents: Documents, project: Project }} parts */
  constructor({ documents, project }) {
    super();
    this.#documents = documents;
    this.#project = project;
    project.on("welcome", () => this.#all());
    project.on("turn", ({ before }) => {
      if (!before) this.#all();
    });
    project.on("hunk", (hunk) => {
      if (this.has(hunk.turn)) this.#soon(hunk);
    });
    documents.on("opened", ({ replica }) => this.#file(replica.file));
  }

  /** Whether the places of a turn are marked. @param {string} turn */
  has(turn) {
    return this.#wanted.has(turn) || this.#last().includes(turn);
  }

  /** Whether they are whatever this person wants. @param {string} turn */
  always(turn) {
    return this.#last().includes(turn);
  }

  /** Marks the places of a turn, also of an older one. @param {string} turn */
  show(turn) {
    if (this.has(turn)) return;
    this.#wanted.add(turn);
    this.#all();
  }

  /** Marks them no longer. @param {string} turn */
  hide(turn) {
    if (this.#wanted.delete(turn)) this.#all();
  }

  /** The last turn and those it repairs. */
  #last() {
    const { latest, turns } = this.#project;
    /** @type {string[]} */
    const found = [];
    for (let turn = latest; turn && !found.includes(turn.id); ) {
      found.push(turn.id);
      turn = turns.get(turn.repairs ?? "") ?? null;
    }
    return found;
  }

  #all() {
    for (const { file } of this.#project.files.values()) {
      if (this.#documents.get(file)) this.#file(file);
    }
    this.emit("changed", null);
  }

  /** @param {string} file */
  #file(file) {
    const turns = new Set([...this.#last(), ...this.#wanted]);
    this.#documents.mark(file, { key: "turns", run: () => [onlyTurns.of(turns)] });
    for (const id of turns) {
      for (const hunk of this.#project.turns.get(id)?.hunks ?? []) {
        if (hunk.file === file) this.#soon(hunk);
      }
    }
  }

  /** @param {Hunk} hunk */
  #soon(hunk) {
    if (!this.#fresh.size) queueMicrotask(() => this.#mark());
    const there = this.#fresh.get(hunk.file);
    if (there) there.push(hunk);
    else this.#fresh.set(hunk.file, [hunk]);
  }

  #mark() {
    const fresh = this.#fresh;
    this.#fresh = new Map();
    for (const [file, hunks] of fresh) {
      this.#documents.mark(file, {
        v: Math.max(...hunks.map(({ v }) => v)),
        // Each its own: none of them is said again.
        key: `hunks ${this.#count++}`,
        run: (replica) =>
          hunks.flatMap(({ turn, ordinal, v, start, end, old, status }) => {
            const from = replica.place(v, start, 1);
            const to = replica.place(v, end, -1);
            if (from === null || to === null) return [];
            const stands = STANDS.has(status);
            const said = { turn, hunk: ordinal, from, to: Math.max(from, to), old, stands };
            return [setHunk.of(said)];
          }),
      });
    }
  }
}
