/** What can be done with a file of the project, each with its question: make, rename, delete. */

import { askName, confirmed } from "../lib/dialogs.js";
import { gettext, interpolate } from "../lib/i18n.js";
import { newId } from "../lib/ids.js";

/** @import { Project } from "../collab/project.js" */
/** @import { Requests } from "../net/requests.js" */

/**
 * @param {object} parts
 * @param {Project} parts.project
 * @param {Requests} parts.requests
 * @param {() => string | null} parts.active the file in the editor
 * @param {(message: string) => void} parts.say shows a sentence that is no answer to a dialog
 * @param {() => void} parts.made after a file was made here
 */
export function fileActs({ project, requests, active, say, made }) {
  /** Ends the question that is open for a new file's name. */
  let end = () => {};
  // The file is here with this frame; what is typed next belongs into it, not into the dialog.
  project.on("created", ({ by }) => {
    if ("conn" in by && by.conn === project.you?.conn) end();
  });
  return {
    /** Asks for a path and makes an empty file there. @param {string} [folder] with a slash at its end */
    create(folder) {
      const near = active() ? project.pathOf(active() ?? "") : "";
      end = askName({
        title: gettext("New file"),
        ok: gettext("Create"),
        value: folder ?? near.slice(0, near.lastIndexOf("/") + 1),
        act: (path) => requests.ask({ t: "tree", op: "create", file: newId(), path, text: "" }),
        done: made,
      });
    },

    /** @param {string} file */
    rename(file) {
      askName({
        title: gettext("Rename"),
        ok: gettext("Rename"),
        value: project.pathOf(file),
        act: async (path) => {
          if (path !== project.pathOf(file))
            await requests.ask({ t: "tree", op: "rename", file, path });
        },
      });
    },

    /** @param {string} file @returns {Promise<boolean>} whether it is gone */
    async remove(file) {
      const path = project.pathOf(file);
      const sure = await confirmed({
        title: interpolate(gettext("Delete %(path)s?"), { path }),
        text: gettext("It goes away for everybody in this session."),
        ok: gettext("Delete"),
      });
      if (!sure) return false;
      try {
        await requests.ask({ t: "tree", op: "delete", file });
        return true;
      } catch (refused) {
        say(refused instanceof Error ? refused.message : String(refused));
        return false;
      }
    },
  };
}
