/**
 * Three hints for a first visit, each at the moment it is of use and each shown once to a person, ever: what has
 * been shown, done or put away is kept in this browser. They stand in the page's flow above the prompt box, so they
 * cover nothing, and they never take the keyboard.
 *
 * What is remembered is two words and no more, and signing out leaves it where it is (its key does not begin as
 * those do that are taken away then): a hint that has been read is not to come back with the next sign-in.
 */

import { isRunning } from "../collab/project.js";
import { find, fromTemplate, setText } from "../lib/dom.js";
import { gettext, interpolate } from "../lib/i18n.js";

/** @import { Project } from "../collab/project.js" */
/** @import { Prompt } from "../turn/prompt.js" */

/** @typedef {"prompt" | "running" | "finished"} Hint */
/** @typedef {{ off: boolean, seen: Hint[] }} Memory */

/** @type {Hint[]} */
const HINTS = ["prompt", "running", "finished"];

/** @param {unknown} value @returns {Memory} what is kept, whoever wrote it */
export function memoryOf(value) {
  const { off, seen } = /** @type {Partial<Memory>} */ (value ?? {});
  return {
    off: off === true,
    seen: Array.isArray(seen) ? HINTS.filter((hint) => seen.includes(hint)) : [],
  };
}

/** What this browser remembers for one person; without storage, until the page is closed. */
export class Memories {
  #key;
  #storage;
  /** @type {unknown} */
  #value = null;

  /** @param {string} user @param {() => Storage} [storage] asked for each time, since a browser may refuse it */
  constructor(user, storage = () => localStorage) {
    this.#key = `flint-hints.${user}`;
    this.#storage = storage;
  }

  /** @returns {Memory} */
  get() {
    try {
      this.#value = JSON.parse(this.#storage().getItem(this.#key) ?? "null");
    } catch {
      // What this page knows still holds.
    }
    return memoryOf(this.#value);
  }

  /** @param {Memory} memory */
  set(memory) {
    this.#value = memory;
    try {
      this.#storage().setItem(this.#key, JSON.stringify(memory));
    } catch {
      // Full or forbidden: it lasts until the page is closed.
    }
  }
}

/** @param {Hint} hint */
export function hintText(hint) {
  switch (hint) {
    case "prompt":
      return gettext(
        "Say what Flint should change and press Enter. @ adds a file, / lists commands, and /help shows all keys.",
      );
    case "running":
      return gettext(
        "Flint is writing. Type to redirect it: Enter sends the new direction, Alt Enter lets a prompt wait, and Esc stops.",
      );
    case "finished":
      return gettext(
        "Each place that Flint changed is listed in Turns. Press one to go there; Keep and Revert decide for one, or for the whole turn.",
      );
  }
}

/**
 * Shows them when their time comes.
 * @param {object} parts
 * @param {HTMLElement} parts.root
 * @param {HTMLElement} parts.turns the list of turns
 * @param {Project} parts.project
 * @param {Prompt} parts.prompt
 * @param {string} parts.user
 * @param {(sentence: string) => void} parts.speak
 * @param {() => void} parts.leave puts the keyboard into the prompt box
 */
export function hints({ root, turns, project, prompt, user, speak, leave }) {
  const store = new Memories(user);
  /** @type {Hint | null} */
  let shown = null;

  const remember = (/** @type {Hint} */ hint) => {
    const { off, seen } = store.get();
    if (!seen.includes(hint)) store.set({ off, seen: [...seen, hint] });
  };
  const close = () => {
    const held = root.contains(document.activeElement);
    root.replaceChildren();
    shown = null;
    if (held) leave();
  };
  const show = (/** @type {Hint} */ hint) => {
    const { off, seen } = store.get();
    if (off || seen.includes(hint)) return;
    // Whoever may not prompt is told nothing about prompts.
    if (!project.mayPrompt || project.kept) return;
    remember(hint);
    close();
    shown = hint;
    const element = fromTemplate("tpl-tip");
    const text = hintText(hint);
    setText(find(element, ".tip-text"), text);
    find(element, ".tip-done")?.addEventListener("click", close);
    find(element, ".tip-off")?.addEventListener("click", () => {
      store.set({ ...store.get(), off: true });
      close();
    });
    root.replaceChildren(element);
    speak(interpolate(gettext("Hint: %(text)s"), { text }));
  };
  /** The person did it, and needs no hint for it any more. */
  const done = (/** @type {Hint} */ hint) => {
    remember(hint);
    if (shown === hint) close();
  };

  project.on("welcome", () => {
    const mine = [...project.turns.values()].some(({ author }) => author === project.you?.user);
    if (mine) done("prompt");
    else if (!project.running) show("prompt");
  });
  prompt.on("asked", () => done("prompt"));
  project.on("turn", ({ turn, before }) => {
    if (isRunning(turn)) {
      if (turn.state === "streaming") show("running");
      return;
    }
    const me = project.you?.name;
    const mine = ["stopped", "redirected"].includes(turn.state) && turn.ended_by === me;
    if (mine) done("running");
    else if (shown === "running") close();
    if (turn.state === "finished" && before && isRunning(before) && turn.hunks.length)
      show("finished");
  });
  turns.addEventListener("click", ({ target }) => {
    const used = target instanceof Element && target.closest(".hunk-go, .turn-revert");
    if (used) done("finished");
  });
}
