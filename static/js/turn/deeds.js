/** The commands that this page has by itself. */

import { isRunning } from "../collab/project.js";
import { gettext } from "../lib/i18n.js";
import { newId } from "../lib/ids.js";

/** @import { Project } from "../collab/project.js" */
/** @import { Requests } from "../net/requests.js" */
/** @import { Commands } from "./commands.js" */
/** @import { Deciding } from "./deciding.js" */
/** @import { Tiers } from "./tiers.js" */

/**
 * Returns the last turn of a person that can be taken back, or undefined.
 * @param {Project} project
 */
export function undoable({ turns, you }) {
  return [...turns.values()].findLast(
    (turn) => turn.author === you?.user && turn.revertable && !turn.reverted_by && !isRunning(turn),
  );
}

/**
 * Adds them.
 * @param {object} parts
 * @param {Commands} parts.commands
 * @param {Project} parts.project
 * @param {Requests} parts.requests
 * @param {Tiers} parts.tiers
 * @param {() => boolean} parts.stop
 * @param {() => void} parts.help
 * @param {() => void} parts.newFile asks for a name
 * @param {Deciding} parts.deciding
 */
export function deeds({ commands, project, requests, tiers, stop, help, newFile, deciding }) {
  commands.add({
    name: "undo",
    about: gettext("Take back everything your last turn changed"),
    ready: () => project.mayEdit && undoable(project) !== undefined,
    run: async () => {
      const turn = undoable(project);
      if (!turn) return;
      await deciding.revert(turn.id);
    },
  });
  commands.add({
    name: "stop",
    about: gettext("End the running turn"),
    ready: () => project.mayPrompt && project.running !== null,
    run: () => void stop(),
  });
  commands.add({
    name: "new",
    takes: gettext("path"),
    about: gettext("Make a file"),
    ready: () => project.mayEdit,
    run: async (path) => {
      if (!path) return newFile();
      await requests.ask({ t: "tree", op: "create", file: newId(), path, text: "" });
    },
  });
  for (const tier of ["preview", "standard"]) {
    commands.add({
      name: tier,
      about:
        tier === "preview"
          ? gettext("Ask the fast model from now on")
          : gettext("Ask the deeper model from now on"),
      ready: () => tiers.has(tier) && tiers.tier !== tier,
      run: () => tiers.choose(tier),
    });
  }
  commands.add({
    name: "model",
    about: gettext("Choose the model that answers"),
    run: () => tiers.open(),
  });
  commands.add({
    name: "help",
    about: gettext("Show all keys"),
    run: () => help(),
  });
  commands.add({
    name: "clear",
    about: gettext("Empty the box, and with it the files it mentions"),
    run: () => "",
  });
}
