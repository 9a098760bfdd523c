/** What a screen reader hears of turns: when one begins and how it ended, never a token. */

import { isRunning } from "../collab/project.js";
import { gettext, interpolate } from "../lib/i18n.js";
import { endText } from "./sentences.js";

/** @import { Project } from "../collab/project.js" */

/**
 * Speaks through a live region.
 * @param {HTMLElement} region
 * @param {Project} project
 */
export function announce(region, project) {
  project.on("turn", ({ turn, before }) => {
    if (!before && isRunning(turn)) {
      region.textContent = interpolate(gettext("%(name)s asked: %(prompt)s"), {
        name: turn.name,
        prompt: turn.prompt,
      });
    } else if (before && isRunning(before) && !isRunning(turn)) {
      const files = turn.hunks
        .filter(({ status }) => ["applied", "yielded"].includes(status))
        .map(({ file }) => project.pathOf(file));
      region.textContent = endText(turn, [...new Set(files)]);
    } else if (before && !before.reverted_by && turn.reverted_by) {
      region.textContent = interpolate(gettext("%(name)s reverted the turn."), {
        name: turn.reverted_by,
      });
    }
  });
}
