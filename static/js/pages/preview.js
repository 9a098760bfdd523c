/** Where the preview stands on the session page, and what opens and closes it. */

import { byId } from "../lib/dom.js";
import { Preview } from "../preview/preview.js";

/** @import { Documents } from "../collab/documents.js" */
/** @import { Project } from "../collab/project.js" */
/** @import { Kept } from "../lib/kept.js" */

/**
 * @param {object} parts
 * @param {HTMLElement} parts.main
 * @param {string} parts.slug
 * @param {Kept} parts.kept
 * @param {Documents} parts.documents
 * @param {Project} parts.project
 * @param {{ files: readonly string[], active: string | null }} parts.workspace
 * @param {(file: string, line: number) => void} parts.goTo
 * @param {(prompt: string) => void} parts.ask
 * @param {(pane: string) => void} parts.showPane
 */
export function preview({ main, workspace, showPane, ...rest }) {
  const opener = byId("preview-open");
  const pane = byId("preview");
  const shown = new Preview({
    pane,
    holder: byId("preview-holder"),
    choice: /** @type {HTMLSelectElement} */ (byId("preview-choice")),
    again: byId("preview-again"),
    note: byId("preview-note"),
    logBox: /** @type {HTMLDetailsElement} */ (byId("preview-log")),
    logTitle: byId("preview-log-title"),
    logList: byId("preview-log-list"),
    logAsk: byId("preview-log-ask"),
    held: () => workspace.files,
    active: () => workspace.active,
    ...rest,
  });
  const toggle = (/** @type {boolean} */ open) => {
    const held = pane.contains(document.activeElement);
    pane.hidden = !open;
    main.toggleAttribute("data-preview", open);
    opener.setAttribute("aria-expanded", String(open));
    if (open) shown.open();
    else {
      shown.close();
      if (main.dataset.pane === "preview") showPane("code");
      if (held) opener.focus();
    }
  };
  opener.addEventListener("click", () => toggle(!shown.isOpen));
  byId("preview-close").addEventListener("click", () => toggle(false));
  // On a narrow screen it is one of the panes, and runs while it is looked at.
  new MutationObserver(() => {
    if (main.dataset.pane === "preview" && !shown.isOpen) toggle(true);
  }).observe(main, { attributeFilter: ["data-pane"] });
  document.addEventListener("keydown", (event) => {
    if (event.code !== "KeyP" || !event.altKey || event.ctrlKey || event.metaKey || event.shiftKey)
      return;
    if (event.defaultPrevented || document.querySelector("dialog[open]")) return;
    event.preventDefault();
    toggle(!shown.isOpen);
    if (shown.isOpen) showPane("preview");
  });
}
