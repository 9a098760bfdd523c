/** The prompt of a turn that did not end well, back in the box. */

import { gettext } from "../lib/i18n.js";

/** @import { Project } from "../collab/project.js" */
/** @import { Prompt } from "./prompt.js" */

/**
 * Lets the button on a card fill the prompt box, for the person to send or change.
 * @param {object} parts
 * @param {HTMLElement} parts.list
 * @param {Project} parts.project
 * @param {Prompt} parts.prompt
 * @param {(message: string) => void} parts.say
 */
export function again({ list, project, prompt, say }) {
  list.addEventListener("click", ({ target }) => {
    const button = target instanceof Element ? target.closest(".turn-again") : null;
    const card = button?.closest("[data-turn]");
    const turn = card instanceof HTMLElement ? project.turns.get(card.dataset.turn ?? "") : null;
    if (!turn) return;
    if (prompt.draft && prompt.draft !== turn.prompt) {
      say(gettext("Another prompt stands in the box. Send it or clear the box first."));
    } else prompt.fill(turn.prompt);
  });
}
