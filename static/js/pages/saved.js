/**
 * The bar's word on the connection and unsent edits. It changes with every key, so screen readers are told of it
 * only when the connection goes, comes back or ends.
 */

import { savedState } from "../collab/saved.js";
import { find, setText } from "../lib/dom.js";

/** @import { Documents } from "../collab/documents.js" */
/** @import { Project } from "../collab/project.js" */
/** @import { Socket } from "../net/socket.js" */

/** States in which nothing is wrong. */
const WELL = new Set(["connecting", "saved", "saving"]);

/**
 * Keeps the word in step.
 * @param {object} parts
 * @param {HTMLElement} parts.word
 * @param {HTMLElement} parts.live where screen readers are told
 * @param {Socket} parts.socket
 * @param {Documents} parts.documents
 * @param {Project} parts.project
 */
export function saved({ word, live, socket, documents, project }) {
  let everLive = false;
  let wasWell = true;
  word.setAttribute("aria-live", "off");
  const draw = () => {
    everLive ||= socket.state === "live";
    const { state, text } = savedState({
      state: socket.state,
      pending: documents.pending,
      everLive,
      readOnly: project.you !== null && !project.mayEdit,
      kept: project.kept,
    });
    word.dataset.state = state;
    word.title = text;
    setText(find(word, ".saved-text"), text);
    const well = WELL.has(state);
    if (well !== wasWell) live.textContent = text;
    wasWell = well;
  };
  socket.on("state", draw);
  documents.on("pending", draw);
  project.on("welcome", draw);
}
