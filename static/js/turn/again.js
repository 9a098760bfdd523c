/** The prompt of a turn that did not end well, back in the box, for the model that it was meant for. */

import { gettext } from "../lib/i18n.js";

/** @import { Project } from "../collab/project.js" */
/** @import { Endpoint, Turn } from "../net/messages.js" */
/** @import { Prompt } from "./prompt.js" */
/** @import { Tiers } from "./tiers.js" */

/**
 * Lets the button on a card fill the prompt box, for the person to send or change.
 * @param {object} parts
 * @param {HTMLElement} parts.list
 * @param {Project} parts.project
 * @param {Prompt} parts.prompt
 * @param {Tiers} parts.tiers
 * @param {(message: string) => void} parts.say
 */
export function again({ list, project, prompt, tiers, say }) {
  list.addEventListener("click", ({ target }) => {
    const button = target instanceof Element ? target.closest(".turn-again") : null;
    const card = button?.closest("[data-turn]");
    const turn = card instanceof HTMLElement ? project.turns.get(card.dataset.turn ?? "") : null;
    if (!turn) return;
    if (prompt.draft && prompt.draft !== turn.prompt) {
      say(gettext("Another prompt stands in the box. Send it or clear the box first."));
      return;
    }
    if (tiers.has(turn.tier)) tiers.choose(turn.tier, choiceOf(turn, project.endpoints));
    prompt.fill(turn.prompt);
  });
}

/**
 * Returns the endpoint to choose so that the same model answers: "" for the tier's default, or one that is gone.
 * @param {Turn} turn
 * @param {Endpoint[]} endpoints
 */
export function choiceOf({ tier, endpoint }, endpoints) {
  const found = endpoints.find((one) => one.tier === tier && one.id === endpoint);
  return found && !found.default ? found.id : "";
}
