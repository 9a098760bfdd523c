/** The list of turns, newest first. */

import { isRunning } from "../collab/project.js";
import { arrange } from "../lib/dom.js";
import { gettext } from "../lib/i18n.js";
import { asker } from "./answered.js";
import { Card } from "./card.js";

/** @import { Project } from "../collab/project.js" */
/** @import { Hunk, Turn, Withheld } from "../net/messages.js" */
/** @import { Requests } from "../net/requests.js" */
/** @import { Deciding } from "./deciding.js" */

/**
 * Which turns' places are marked in the texts; the editor's.
 * @typedef {object} Marking
 * @property {(turn: string) => boolean} has
 * @property {(turn: string) => boolean} always whatever this person wants
 * @property {(turn: string) => void} show
 * @property {(turn: string) => void} hide
 * @property {(name: "changed", listener: () => void) => void} on
 */

/**
 * @typedef {object} PanelParts
 * @property {HTMLElement} list
 * @property {HTMLElement} empty
 * @property {HTMLElement} count beside the pane's name on a narrow screen
 * @property {Project} project
 * @property {Requests} requests
 * @property {(hunk: Hunk) => number | null} lineOf the line a hunk starts in, if its file is open
 * @property {(hunk: Hunk) => void} goTo
 * @property {(withheld: Withheld) => void} goToWithheld
 * @property {Deciding} deciding
 * @property {Marking} marking
 * @property {(message: string) => void} say
 */

export class Panel {
  #parts;
  /** @type {Map<string, Card>} */
  #cards = new Map();

  /** @param {PanelParts} parts */
  constructor(parts) {
    this.#parts = parts;
    const { project } = parts;
    project.on("welcome", () => this.#all());
    project.on("turn", ({ turn }) => this.#one(turn));
    project.on("progress", (frame) => this.#cards.get(frame.turn)?.progress(frame));
    project.on("prose", ({ turn, html }) => this.#cards.get(turn)?.prose(html));
    project.on("hunk", (hunk) => {
      const turn = project.turns.get(hunk.turn);
      if (turn) this.#cards.get(turn.id)?.hunk(turn, hunk);
    });
    project.on("withheld", ({ withheld }) => {
      const turn = project.turns.get(withheld.turn);
      if (turn) this.#cards.get(turn.id)?.withheld(turn);
    });
    parts.marking.on("changed", () => {
      for (const card of this.#cards.values()) card.marks();
    });
    project.on("files", () => this.refresh());
    project.on("people", () => this.#around());
  }

  /** Shows again where the hunks stand, after lines moved or a file was opened. */
  refresh() {
    for (const card of this.#cards.values()) card.places();
  }

  /**
   * Adds to the receipt what the person waited who stopped the turn here.
   * @param {string} turn
   * @param {number} ms
   */
  stoppedHere(turn, ms) {
    const card = this.#cards.get(turn);
    if (card) card.roundTripMs = ms;
  }

  #all() {
    const { list, project } = this.#parts;
    for (const id of [...this.#cards.keys()]) {
      if (!project.turns.has(id)) this.#cards.delete(id);
    }
    const cards = [...project.turns.values()].map((turn) => this.#card(turn).element);
    arrange(list, cards.reverse());
    this.#around();
    for (const card of this.#cards.values()) card.rights();
    this.#counted();
  }

  /** Puts the keyboard on an edit that is not written. @param {Withheld} withheld */
  showWithheld({ turn, ordinal }) {
    const card = this.#cards.get(turn);
    if (card && !card.focusWithheld(ordinal)) card.focus();
  }

  /** What a card says of others, and which of them hang together. */
  #around() {
    for (const card of this.#cards.values()) card.around();
    for (const element of this.#parts.list.children) {
      if (!(element instanceof HTMLElement)) continue;
      const turn = this.#parts.project.turns.get(element.dataset.turn ?? "");
      const parent = turn?.repairs ?? turn?.parent;
      const below = element.nextElementSibling;
      const joins = below instanceof HTMLElement && below.dataset.turn === parent;
      element.toggleAttribute("data-joined", Boolean(parent) && joins);
    }
  }

  /** Shows a card, and puts the keyboard on it. @param {Turn} turn */
  #jump({ id }) {
    const card = this.#cards.get(id);
    if (!card) return;
    card.element.scrollIntoView({ block: "nearest" });
    card.focus();
  }

  /** @param {Turn} turn */
  #one(turn) {
    const { list } = this.#parts;
    const { element } = this.#card(turn);
    if (element.parentElement !== list) {
      list.prepend(element);
      this.#around();
    }
    this.#counted();
  }

  /** @param {Turn} turn */
  #card(turn) {
    const known = this.#cards.get(turn.id);
    if (known) {
      known.update(turn);
      return known;
    }
    const { project, lineOf, goTo, goToWithheld, deciding, marking } = this.#parts;
    const card = new Card(turn, {
      look: ({ author, name }) => {
        const person = [...project.people.values()].find(
          ({ user, name: other }) => user === author || (!author && other === name),
        );
        return person ? `p${person.color}` : "";
      },
      asker: (it) => asker(it, project.people.values(), project.you?.user ?? ""),
      kin: (it) => ({
        from: project.turns.get(it.repairs ?? it.parent ?? "") ?? null,
        next:
          [...project.turns.values()].find(
            ({ parent, repairs }) => parent === it.id || repairs === it.id,
          ) ?? null,
      }),
      jump: (it) => this.#jump(it),
      you: () => project.you?.name ?? "",
      pathOf: (file) => project.pathOf(file),
      placeOf: (hunk) => {
        const path = project.pathOf(hunk.file);
        // Its id says nothing to anybody.
        return path === hunk.file
          ? { path: gettext("a deleted file"), line: null }
          : { path, line: lineOf(hunk) };
      },
      folds: (it) => it.id !== project.latest?.id,
      goTo,
      goToWithheld,
      keep: (it, which) => void deciding.keep(it.id, which),
      revert: (it, which) =>
        void (which ? deciding.revert(it.id, which) : deciding.revertTurn(it.id)),
      mayDecide: () => deciding.allowed,
      marked: ({ id }) => ({ marked: marking.has(id), always: marking.always(id) }),
      mark: ({ id }) => (marking.has(id) ? marking.hide(id) : marking.show(id)),
      answer: (withheld, yes) => this.#answer(withheld, yes),
      mayAnswer: () => project.mayPrompt,
      has: (file) => file !== null && project.files.has(file),
    });
    this.#cards.set(turn.id, card);
    return card;
  }

  #counted() {
    const { empty, count, project } = this.#parts;
    empty.hidden = project.turns.size > 0;
    const running = [...project.turns.values()].filter(isRunning).length;
    count.hidden = !running;
    count.textContent = running ? String(running) : "";
  }

  /** @param {Withheld} withheld @param {boolean} yes */
  async #answer({ turn, ordinal }, yes) {
    const { requests, say } = this.#parts;
    try {
      await requests.ask({ t: "answer", turn, withheld: ordinal, yes });
      return true;
    } catch (refused) {
      say(refused instanceof Error ? refused.message : String(refused));
      return false;
    }
  }
}
