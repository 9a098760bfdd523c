/**
 * The keys for going through what a turn changed. Alt goes with them, on a Mac Control, where Option types
 * characters; but Enter, which Control gives to the system there. None of them is CodeMirror's or a browser's.
 */

import { IS_MAC, isComposing } from "../lib/keys.js";

/**
 * @typedef {object} HunkActs
 * @property {(step: 1 | -1) => void} go to the next undecided hunk, or the one before
 * @property {(all: boolean) => void} keep the hunk at the caret, or all of the file
 * @property {(all: boolean) => void} revert
 * @property {() => boolean} question goes to what waits for an answer; says whether there is one
 */

/**
 * Returns what a key means, or null.
 * @param {Pick<KeyboardEvent, "key" | "code" | "altKey" | "ctrlKey" | "metaKey" | "shiftKey">} event
 * @param {boolean} [isMac]
 * @returns {{ act: "go" | "keep" | "revert" | "question", shift: boolean } | null}
 */
export function hunkKey({ key, code, altKey, ctrlKey, metaKey, shiftKey: shift }, isMac = IS_MAC) {
  const alt = altKey && !ctrlKey && !metaKey;
  const mine = isMac ? ctrlKey && !altKey && !metaKey : alt;
  if (alt && key === "Enter") return { act: "keep", shift };
  if (mine && key === "Backspace") return { act: "revert", shift };
  if (mine && code === "KeyJ") return { act: "go", shift };
  if (mine && code === "KeyG" && !shift) return { act: "question", shift };
  return null;
}

/** The keys of a question, as this keyboard names them. */
export const questionKeys = () => (IS_MAC ? "⌃G" : "Alt+G");

/**
 * Listens for them. To keep and to revert, the keyboard must be in the text or on a place of a turn's card.
 * @param {HTMLElement} editor
 * @param {HunkActs} acts
 */
export function hunkKeys(editor, acts) {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || isComposing(event)) return;
    if (document.querySelector("dialog[open]")) return;
    const meant = hunkKey(event);
    if (!meant) return;
    const { act, shift } = meant;
    const { target } = event;
    if (act === "go") acts.go(shift ? -1 : 1);
    else if (act === "question") {
      if (!acts.question()) return;
    } else if (target instanceof Node && editor.contains(target)) acts[act](shift);
    else if (target instanceof Element && target.closest(".hunk") && !shift) press(target, act);
    else return;
    event.preventDefault();
  });
}

/** @param {Element} target @param {"keep" | "revert"} act */
function press(target, act) {
  const button = target.closest(".hunk")?.querySelector(`.hunk-${act}`);
  if (button instanceof HTMLElement && !button.hidden) button.click();
}
