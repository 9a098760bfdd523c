/**
 * What a screen reader hears of turns and of prompts that wait: when one begins, moves and how it ended, never a
 * token. One moment often brings several sentences (a turn ends, the next one begins), and a live region that is
 * written twice is heard once; so what comes together is said together.
 */

import { isRunning } from "../collab/project.js";
import { gettext, inARow, interpolate } from "../lib/i18n.js";
import { changes, removedText } from "./followupswords.js";
import { beganText, endText } from "./sentences.js";

/** @import { Project } from "../collab/project.js" */
/** @import { FollowUp } from "../net/messages.js" */

/** What comes within it is one announcement. */
const TOGETHER_MS = 100;
/** A prompt that left the list is a turn by then, or was removed. */
const BEGINS_MS = 1_500;

/**
 * Returns a function that says sentences through a live region.
 * @param {{ textContent: string | null }} region
 * @returns {(sentence: string) => void}
 */
export function speaker(region) {
  /** @type {string[]} */
  let waiting = [];
  return (sentence) => {
    if (!sentence) return;
    if (!waiting.length) {
      setTimeout(() => {
        region.textContent = inARow(waiting.map(ended));
        waiting = [];
      }, TOGETHER_MS);
    }
    waiting.push(sentence);
  };
}

/** A sentence that ends with somebody's words is ended, so that the next one begins. @param {string} sentence */
const ended = (sentence) => (/[\p{P}]$/u.test(sentence) ? sentence : `${sentence}.`);

/**
 * Speaks of what happens in a project.
 * @param {(sentence: string) => void} speak
 * @param {Project} project
 * @param {() => string} [mine] the waiting prompt that this person moved last
 */
export function announce(speak, project, mine = () => "") {
  let { followups } = project;
  /** Those that left the list and are no turn yet. @type {Map<string, ReturnType<typeof setTimeout>>} */
  const left = new Map();
  const you = () => project.you?.user ?? "";

  const leave = (/** @type {FollowUp} */ one) => {
    const removed = () => {
      left.delete(one.id);
      if (!project.turns.has(one.id)) speak(removedText(one, you()));
    };
    left.set(one.id, setTimeout(removed, BEGINS_MS));
  };

  project.on("welcome", () => {
    followups = project.followups;
  });
  project.on("followups", (now) => {
    for (const sentence of changes(followups, now, you(), mine())) speak(sentence);
    for (const one of followups.list) {
      if (now.list.some(({ id }) => id === one.id)) clearTimeout(left.get(one.id));
      else if (!project.turns.has(one.id)) leave(one);
    }
    followups = now;
  });
  project.on("turn", ({ turn, before }) => {
    if (!before && isRunning(turn)) {
      clearTimeout(left.get(turn.id));
      speak(beganText(turn, left.delete(turn.id)));
    } else if (before && isRunning(before) && !isRunning(turn)) {
      const files = turn.hunks
        .filter(({ status }) => ["applied", "kept", "yielded"].includes(status))
        .map(({ file }) => project.pathOf(file));
      speak(endText(turn, [...new Set(files)], project.you?.name));
    } else if (before && !before.reverted_by && turn.reverted_by) {
      speak(interpolate(gettext("%(name)s reverted the turn."), { name: turn.reverted_by }));
    }
  });
}
