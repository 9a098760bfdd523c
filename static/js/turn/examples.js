/** The prompts that a session without turns offers to click. */

import { newId } from "../lib/ids.js";
import { boxFullText } from "./faults.js";

/** @import { Project } from "../collab/project.js" */
/** @import { Requests } from "../net/requests.js" */
/** @import { Prompt } from "./prompt.js" */

/**
 * Puts the prompt that was clicked into the box, for the person to send. In a session without files the one it
 * is about is made first, since a prompt needs a file.
 * @param {object} parts
 * @param {HTMLElement} parts.root
 * @param {Project} parts.project
 * @param {Requests} parts.requests
 * @param {Prompt} parts.prompt
 * @param {(message: string) => void} parts.say
 */
export function examples({ root, project, requests, prompt, say }) {
  /** @param {HTMLElement} button */
  const choose = async ({ dataset: { prompt: text = "", path } }) => {
    if (!prompt.offer(text)) return say(boxFullText());
    if (!path || project.files.size || !project.mayEdit) return;
    try {
      await requests.ask({ t: "tree", op: "create", file: newId(), path, text: "" });
    } catch (refused) {
      say(refused instanceof Error ? refused.message : String(refused));
    }
  };
  for (const button of root.querySelectorAll("button.example")) {
    if (button instanceof HTMLElement) button.addEventListener("click", () => void choose(button));
  }
}
