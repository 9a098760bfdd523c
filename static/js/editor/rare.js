/** Loads the language of a file that is opened or renamed, when it is not one of those that come with the editor. */

import { loadLanguage } from "./languages.js";
import { renamed } from "./setup.js";

/** @import { Documents } from "../collab/documents.js" */
/** @import { Project } from "../collab/project.js" */

/**
 * @param {object} parts
 * @param {Documents} parts.documents
 * @param {Project} parts.project
 * @param {(file: string) => string} parts.pathOf
 */
export function rareLanguages({ documents, project, pathOf }) {
  const look = async (/** @type {string} */ file) => {
    if (!(await loadLanguage(pathOf(file)))) return;
    // Whatever came meanwhile may be in this language, too.
    for (const known of project.files.keys())
      if (documents.get(known))
        documents.mark(known, { key: "name", run: () => [renamed(pathOf(known))] });
  };
  documents.on("opened", ({ replica }) => void look(replica.file));
  project.on("renamed", ({ file }) => void look(file));
}
