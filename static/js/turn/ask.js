/** Puts the prompt box together: its parts, and how they hear of each other. */

import { byId, setText } from "../lib/dom.js";
import { Kept } from "../lib/kept.js";
import { Buttons } from "./buttons.js";
import { Chips } from "./chips.js";
import { Commands } from "./commands.js";
import { Completion } from "./complete.js";
import { deeds } from "./deeds.js";
import { Drafts } from "./drafts.js";
import { Past } from "./history.js";
import { OutlineView } from "./outline.js";
import { Prompt } from "./prompt.js";
import { Recall } from "./recall.js";
import { Repair } from "./repair.js";
import { suggestions } from "./suggestions.js";
import { Tiers } from "./tiers.js";
import { WaitingList } from "./waiting.js";

/** @import { Project } from "../collab/project.js" */
/** @import { Dispatcher } from "../net/dispatcher.js" */
/** @import { Requests } from "../net/requests.js" */
/** @import { Socket } from "../net/socket.js" */
/** @import { Say } from "../pages/notices.js" */
/** @import { FocusPlace } from "./chips.js" */
/** @import { Deciding } from "./deciding.js" */

/**
 * Makes the box work; returns the prompt, the choice of models and the registry of commands.
 * @param {object} parts
 * @param {Project} parts.project
 * @param {Requests} parts.requests
 * @param {Socket} parts.socket
 * @param {Dispatcher} parts.dispatcher
 * @param {string} parts.user
 * @param {string} parts.slug
 * @param {() => FocusPlace | null} parts.place where this person is in the text
 * @param {() => Promise<void>} parts.settled when what was typed into the text is with the server
 * @param {() => boolean} parts.stop
 * @param {() => void} parts.help
 * @param {Deciding} parts.deciding
 * @param {Say} parts.say
 */
export function ask(parts) {
  const { project, requests, socket, dispatcher, user, slug, place, settled, stop, help, say } =
    parts;
  const { deciding } = parts;
  const box = /** @type {HTMLTextAreaElement} */ (byId("prompt"));
  const button = (/** @type {string} */ id) => /** @type {HTMLButtonElement} */ (byId(id));
  const kept = (/** @type {string} */ what) => new Kept(`${what}.${user}.${slug}`);
  const live = byId("ask-live");
  const tell = (/** @type {string} */ sentence) => setText(live, sentence);
  const toBox = () => box.focus();

  const repair = new Repair(new Kept(`repair.${user}`));
  const tiers = new Tiers({
    button: button("tier"),
    name: byId("tier-name"),
    list: byId("tier-menu"),
    project,
    requests,
    kept: kept("tier"),
    say,
    done: toBox,
    more: () => [repair.item],
  });
  const commands = new Commands();
  const newFile = () => byId("new-file").click();
  deeds({ commands, project, requests, tiers, stop, help, newFile, deciding });

  const buttons = new Buttons({
    box,
    send: button("send"),
    queue: button("queue"),
    keepButton: button("keep"),
    keepList: byId("keep-menu"),
    project,
    kept: new Kept(`keep.${user}`),
  });
  const completion = new Completion({
    box,
    list: byId("complete"),
    options: (token) =>
      suggestions(token, {
        files: [...project.files.values()],
        people: [...project.people.values()],
        commands: commands.usable,
        you: project.you?.user ?? "",
      }),
    changed: () => prompt.changed(),
    run: () => prompt.submit(),
    tell,
  });
  const chips = new Chips({
    chip: byId("focus-chip"),
    chipText: byId("focus-text"),
    chipClear: byId("focus-clear"),
    list: byId("mentions"),
    box,
    project,
    place,
    changed: () => prompt.changed(),
  });
  const waiting = new WaitingList({
    list: byId("waiting"),
    kept: kept("waiting"),
    online: () => socket.state === "live",
    deliver: (frame) => prompt.deliver(frame),
    edit: (frame) => prompt.offer(frame.text),
    say,
    tell,
    leave: toBox,
  });
  const prompt = new Prompt({
    form: /** @type {HTMLFormElement} */ (byId("ask")),
    box,
    queue: button("queue"),
    project,
    requests,
    chips,
    commands,
    completion,
    recall: new Recall({ box, project, past: new Past(kept("history")) }),
    drafts: new Drafts(kept("draft")),
    waiting,
    keep: () => buttons.keep,
    answers: () => tiers.frame,
    repair,
    settled,
    say,
    tell,
  });
  const outline = new OutlineView({
    button: button("meter-context"),
    panel: byId("outline"),
    over: byId("meter-over"),
    project,
    requests,
    draft: () => prompt.preview,
  });
  dispatcher.on("ok", ({ id, message }) => {
    if (message) prompt.heard(id, message);
  });
  prompt.on("changed", () => outline.touch());
  prompt.on("sending", (sending) => buttons.sending(sending));
  tiers.on("changed", () => outline.touch());
  // Requests without an answer are sent again on a welcome; what is sent only now must not be among them.
  project.on("welcome", () => {
    if (!project.kept) queueMicrotask(() => waiting.back());
  });
  socket.on("state", () => waiting.draw());
  // The person is about to ask: a model of this installation may begin to read.
  box.addEventListener("focus", () => {
    if (project.mayPrompt) socket.send({ t: "warm", ...tiers.frame, ...chips.where });
  });
  return { prompt, tiers, commands };
}
