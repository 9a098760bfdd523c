/**
 * A session page without a connection: shows what this browser kept, so that one can go on reading and typing. What
 * was never open here says so.
 */

import { Shelf } from "../collab/shelf.js";
import { byId, h } from "../lib/dom.js";
import { gettext, interpolate } from "../lib/i18n.js";
import { isFrame } from "../net/dispatcher.js";

/** @import { Documents } from "../collab/documents.js" */
/** @import { Project } from "../collab/project.js" */
/** @import { Store } from "../collab/store.js" */
/** @import { Pane } from "../editor/pane.js" */
/** @import { Workspace } from "../editor/workspace.js" */
/** @import { Socket } from "../net/socket.js" */

/** A connection that is not there by then is not waited for. */
const WAIT_MS = 1_000;

/**
 * Keeps the session as it is seen, and shows it when there is no connection to show another. Call it when the socket was
 * started.
 * @param {object} parts
 * @param {Socket} parts.socket
 * @param {Store} parts.store
 * @param {Documents} parts.documents
 * @param {Project} parts.project
 * @param {Workspace} parts.workspace
 * @param {Pane} parts.pane
 */
export function away({ socket, store, documents, project, workspace, pane }) {
  const title = () => document.getElementById("session-title")?.textContent ?? "";
  const shelf = new Shelf({ store, documents, project, title });
  const opening = shelf.open();
  let begun = false;
  const begin = async () => {
    if (begun || project.you || socket.state === "live" || socket.state === "closed") return;
    begun = true;
    const [state] = await Promise.all([store.session(), opening]);
    // A welcome that came meanwhile knows better.
    // A page of an older version may have kept less than this one needs.
    // What says which session it is was left out.
    if (state && isFrame("welcome", { session: {}, ...state }) && !project.you)
      project.begin(state, true);
  };
  setTimeout(begin, WAIT_MS);
  socket.on("state", ({ state }) => {
    if (state !== "connecting") void begin();
  });
  addEventListener("pagehide", () => void shelf.now());
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "hidden") void shelf.now();
  });

  const code = byId("code");
  const note = h("p", { id: "editor-away", class: "editor-away", role: "status" });
  byId("editor").after(note);
  const draw = () => {
    const isAway = project.you !== null && socket.state !== "live";
    const { file } = pane;
    const missing = isAway && file !== null && !documents.get(file);
    const path = file ? project.pathOf(file) : "";
    code.toggleAttribute("data-away", missing);
    const words = gettext(
      "%(path)s was never open in this browser, so it is not kept here. It comes with the connection.",
    );
    note.textContent = missing ? interpolate(words, { path }) : "";
    mark(isAway ? (it) => !shelf.has(it) : () => false);
  };
  // Behind those who draw the list and open the file, which begin with the same events.
  let drawing = false;
  const soon = () => {
    if (drawing) return;
    drawing = true;
    setTimeout(() => {
      drawing = false;
      draw();
    });
  };
  socket.on("state", soon);
  project.on("welcome", soon);
  project.on("files", soon);
  pane.on("shown", soon);
  pane.on("displayed", soon);
  workspace.on("changed", soon);
}

/** Marks the files in the list that are not here. @param {(file: string) => boolean} isMissing */
function mark(isMissing) {
  const label = gettext("Not kept in this browser");
  for (const row of byId("tree-list").querySelectorAll("li[data-file]")) {
    if (!(row instanceof HTMLElement)) continue;
    const missing = isMissing(row.dataset.file ?? "");
    row.toggleAttribute("data-away", missing);
    const open = row.querySelector(".tree-open");
    if (missing) open?.setAttribute("aria-description", label);
    else open?.removeAttribute("aria-description");
  }
}
