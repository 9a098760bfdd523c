/**
 * The prompt box. What is in it is never lost: it is cleared only when the server has the prompt or it waits above
 * the box for a connection, and kept as a draft until then.
 */

import { Emitter } from "../lib/emitter.js";
import { gettext } from "../lib/i18n.js";
import { newId } from "../lib/ids.js";
import { isComposing } from "../lib/keys.js";
import { unsent } from "./drafts.js";
import { emptyText, faultOf, isOffline, MOST, MOST_FILES, whyNot } from "./faults.js";
import { manner, told } from "./redirect.js";

/** @import { Project } from "../collab/project.js" */
/** @import { Requests } from "../net/requests.js" */
/** @import { Say } from "../pages/notices.js" */
/** @import { Chips } from "./chips.js" */
/** @import { Command, Commands } from "./commands.js" */
/** @import { Completion } from "./complete.js" */
/** @import { Drafts } from "./drafts.js" */
/** @import { Recall } from "./recall.js" */
/** @import { Keep } from "./redirect.js" */
/** @import { Repair } from "./repair.js" */
/** @import { PromptFrame, WaitingList } from "./waiting.js" */

/**
 * @typedef {object} PromptParts
 * @property {HTMLFormElement} form
 * @property {HTMLTextAreaElement} box
 * @property {HTMLButtonElement} queue
 * @property {Project} project
 * @property {Requests} requests
 * @property {Chips} chips
 * @property {Commands} commands
 * @property {Completion} completion
 * @property {Recall} recall
 * @property {Drafts} drafts
 * @property {WaitingList} waiting
 * @property {() => Keep} keep
 * @property {() => { tier: string, endpoint?: string }} answers which model is asked
 * @property {Repair} repair whether edits that could not be applied are asked for once more
 * @property {() => Promise<void>} settled when what was typed into the text is with the server
 * @property {Say} say
 * @property {(sentence: string) => void} tell for those who listen
 */

/** @extends {Emitter<{ asked: string, changed: null, sending: boolean }>} */
export class Prompt extends Emitter {
  #parts;
  #sending = false;
  /** What the server said of a prompt besides what became of it. */
  #heard = { id: "", message: "" };

  /** @param {PromptParts} parts */
  constructor(parts) {
    super();
    this.#parts = parts;
    const { form, box, queue, project, drafts } = parts;
    const draft = drafts.get();
    if (!box.value) box.value = draft.text;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#submit(false);
    });
    queue.addEventListener("click", () => {
      box.focus();
      void this.#submit(true);
    });
    box.addEventListener("input", (event) => {
      parts.recall.leave();
      this.changed();
      if (event instanceof InputEvent && event.isComposing) parts.completion.close();
      else parts.completion.typed();
    });
    // In some browsers the last input of a composition still belongs to it.
    box.addEventListener("compositionend", () => parts.completion.typed());
    box.addEventListener("keydown", (event) => this.#key(event));
    const off = project.on("welcome", () => {
      // What this browser kept cannot know of it.
      if (project.kept) return;
      off();
      this.#arrived(draft);
    });
    this.#grow();
  }

  /** Puts the keyboard into the box. */
  focus() {
    this.#parts.box.focus();
  }

  /** What stands in the box. */
  get draft() {
    return this.#parts.box.value.trim();
  }

  /** What to ask of the server to see what the model would see of the box; null when there is no prompt in it. */
  get preview() {
    const text = this.draft;
    if (!text || text.length > MOST || this.#command) return null;
    const { project, keep } = this.#parts;
    const how = manner({ running: project.running, queue: false, keep: keep() });
    const turn = how.t === "redirect" ? { turn: how.turn } : {};
    return { text, ...turn, ...this.#company };
  }

  /** What goes with the text. */
  get #company() {
    const { chips, answers } = this.#parts;
    const files = chips.files.map(({ file }) => file).slice(0, MOST_FILES);
    return { ...answers(), ...chips.where, ...(files.length ? { files } : {}) };
  }

  /** Puts a text into the box if nothing else stands there; says whether it did. @param {string} text */
  offer(text) {
    if (this.draft && this.draft !== text) return false;
    this.fill(text);
    return true;
  }

  /** Puts a text behind what stands in the box. @param {string} text */
  add(text) {
    this.fill(this.draft ? `${this.draft}\n\n${text}` : text);
  }

  /** Puts a text into the box, for the person to send or change. @param {string} text */
  fill(text) {
    const { box } = this.#parts;
    box.value = text;
    this.changed();
    box.focus();
    box.setSelectionRange(text.length, text.length);
  }

  /** Shows what would go with the prompt. */
  refresh() {
    this.#parts.chips.draw();
    this.emit("changed", null);
  }

  /** Shows the place in the text that the prompt is about, and puts the keyboard into the box. */
  askHere() {
    this.#parts.chips.pin();
    this.refresh();
    this.focus();
  }

  /** The text is another. */
  changed() {
    const { box, chips, drafts } = this.#parts;
    this.#grow();
    if (!this.#sending) drafts.set(box.value);
    chips.draw();
    this.emit("changed", null);
  }

  /** Does what the box says, as Enter does. */
  submit() {
    void this.#submit(false);
  }

  /**
   * Sends a prompt that waited for a connection; says whether it is with the server.
   * @param {PromptFrame} frame
   */
  async deliver(frame) {
    try {
      this.#answered(frame, await this.#parts.requests.ask(frame));
      return true;
    } catch (refused) {
      if (!isOffline(refused)) this.#refused(refused);
      return false;
    }
  }

  /** The server has a sentence about one that it took. @param {string} id @param {string} message */
  heard(id, message) {
    this.#heard = { id, message };
  }

  get #command() {
    return this.#parts.commands.find(this.draft);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const { completion, recall } = this.#parts;
    if (isComposing(event) || completion.key(event)) return;
    if (recall.key(event)) return this.changed();
    if (event.key !== "Enter" || event.shiftKey) return;
    event.preventDefault();
    void this.#submit(event.altKey);
  }

  /** @param {boolean} queue whether it is to wait for the running turn */
  async #submit(queue) {
    const { project, say, chips } = this.#parts;
    if (this.#sending) return;
    const text = this.draft;
    const command = this.#command;
    if (command) return this.#run(command);
    if (!text) {
      if (project.running && project.mayPrompt) say(emptyText(), "busy");
      return;
    }
    const fault = faultOf(text, chips.files.length);
    if (fault) return say(fault);
    if (project.you && !project.mayPrompt)
      return say(gettext("Your role here does not allow prompts."));
    await this.#send(queue);
  }

  /** @param {boolean} queue */
  async #send(queue) {
    const { box, project, keep, drafts, settled, repair } = this.#parts;
    const whole = box.value;
    const id = newId();
    const how = manner({ running: project.running, queue, keep: keep() });
    this.#setSending(true);
    drafts.set(whole, id);
    try {
      await settled();
      // Whatever is typed from here on is the next prompt.
      /** @type {PromptFrame} */
      const frame = { ...how, id, text: whole.trim(), ...this.#company, ...repair.frame };
      const result = await this.#ask(frame);
      this.#parts.recall.add(frame.text);
      if (box.value.startsWith(whole)) box.value = box.value.slice(whole.length).trimStart();
      this.#parts.chips.unpin();
      if (result !== null) this.#answered(frame, result.outcome);
    } catch (refused) {
      this.#refused(refused);
    } finally {
      this.#setSending(false);
      this.changed();
    }
  }

  /**
   * Returns what became of it, or null when it waits for a connection.
   * @param {PromptFrame} frame
   */
  async #ask(frame) {
    try {
      return { outcome: await this.#parts.requests.ask(frame) };
    } catch (refused) {
      if (!isOffline(refused)) throw refused;
      this.#parts.waiting.add(frame);
      return null;
    }
  }

  /** @param {PromptFrame} frame @param {unknown} outcome */
  #answered(frame, outcome) {
    const { project, say, tell } = this.#parts;
    if (outcome !== "waits") this.emit("asked", frame.id);
    const place = project.followups.list.findIndex(({ id }) => id === frame.id) + 1;
    const why = this.#heard.id === frame.id ? this.#heard.message : "";
    const { spoken, shown } = told(frame.t, outcome, place, why);
    if (spoken) tell(spoken);
    if (shown) say(shown);
    else if (outcome === "waits") say("");
  }

  /** @param {unknown} refused */
  #refused(refused) {
    const { message, cause } = whyNot(refused);
    this.#parts.say(message, cause);
  }

  /** @param {{ command: Command, rest: string }} found */
  async #run({ command, rest }) {
    const { box, completion, say } = this.#parts;
    const whole = box.value;
    completion.close();
    try {
      const leaves = await command.run(rest);
      if (box.value === whole) box.value = leaves ?? (command.takes ? "" : rest);
    } catch (refused) {
      say(whyNot(refused).message);
    }
    this.changed();
  }

  /** What the last page sent and did not hear of is no draft any more if it arrived. @param {import("./drafts.js").Draft} draft */
  #arrived(draft) {
    const { box, project } = this.#parts;
    const has = (/** @type {string} */ id) =>
      project.turns.has(id) || project.followups.list.some((one) => one.id === id);
    if (box.value !== draft.text || unsent(draft, has) === draft.text) return;
    box.value = "";
    this.changed();
  }

  /** @param {boolean} sending */
  #setSending(sending) {
    this.#sending = sending;
    this.emit("sending", sending);
  }

  /** Where CSS cannot size the box by its content, rows do. */
  #grow() {
    const { box } = this.#parts;
    if (CSS.supports("field-sizing", "content")) return;
    box.rows = Math.min(8, box.value.split("\n").length);
  }
}
