/** The timeline on the session page: opened over the editor, which goes on beneath it. */

import { languageOf } from "../editor/languages.js";
import { theme } from "../editor/theme.js";
import { byId } from "../lib/dom.js";
import { isComposing } from "../lib/keys.js";
import { acts } from "../time/acts.js";
import { Source } from "../time/source.js";
import { Timeline } from "../time/timeline.js";

/** @import { Project } from "../collab/project.js" */
/** @import { Dispatcher } from "../net/dispatcher.js" */
/** @import { Requests } from "../net/requests.js" */

const SOON_MS = 1500;
/** What people type changes the track little, and reading all of it anew costs the server. */
const LATER_MS = 15_000;

/**
 * @param {object} parts
 * @param {HTMLElement} parts.main
 * @param {string} parts.nonce
 * @param {string} parts.session the address of the page
 * @param {Project} parts.project
 * @param {Dispatcher} parts.dispatcher
 * @param {Requests} parts.requests
 * @param {() => Promise<unknown>} parts.settled
 * @param {(pane: string) => void} parts.showPane
 * @param {() => void} parts.left puts the focus back
 */
export function timeline(parts) {
  const { main, nonce, session, project, dispatcher, requests, settled, showPane, left } = parts;
  const root = byId("timeline");
  const button = byId("time-open");
  /** @type {Timeline | null} */
  let shown = null;
  const begin = () => {
    const source = new Source(`${session}history/`);
    shown = new Timeline({ source, nonce, theme, language: languageOf });
    acts({ timeline: shown, requests, session, settled });
    return shown;
  };
  const isOpen = () => !root.hidden;
  const open = async () => {
    root.hidden = false;
    main.dataset.time = "true";
    button.setAttribute("aria-expanded", "true");
    showPane("code");
    const time = shown ?? begin();
    await time.load();
    time.focus();
  };
  const close = () => {
    if (!isOpen()) return;
    shown?.pause();
    root.hidden = true;
    delete main.dataset.time;
    button.setAttribute("aria-expanded", "false");
  };
  const leave = () => {
    close();
    left();
  };
  button.addEventListener("click", () => (isOpen() ? leave() : void open()));
  byId("time-close").addEventListener("click", leave);
  // Whoever chooses a file wants to see it as it is.
  byId("tree-list").addEventListener("click", close);
  document.addEventListener(
    "keydown",
    (event) => {
      if (isComposing(event) || document.querySelector("dialog[open]")) return;
      if (event.code === "KeyT" && event.altKey && !event.ctrlKey && !event.metaKey) {
        event.preventDefault();
        if (isOpen()) leave();
        else void open();
      } else if (
        event.key === "Escape" &&
        isOpen() &&
        root.contains(/** @type {Node} */ (event.target))
      ) {
        event.preventDefault();
        event.stopPropagation();
        leave();
      }
    },
    { capture: true },
  );
  /** @type {Set<number>} */
  const waits = new Set();
  const refresh = (/** @type {number} */ ms) => {
    if (waits.has(ms) || !isOpen()) return;
    waits.add(ms);
    setTimeout(() => {
      waits.delete(ms);
      if (isOpen()) void shown?.load();
    }, ms);
  };
  dispatcher.on("checkpoint", () => refresh(SOON_MS));
  dispatcher.on("entry", () => refresh(LATER_MS));
  project.on("turn", () => refresh(SOON_MS));
}
