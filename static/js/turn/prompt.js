/**
 * The prompt box. What is in it is never lost: it is cleared only when the server has the prompt, and kept for
 * a reload until then.
 */

import { Emitter } from "../lib/emitter.js";
import { formatNumber, gettext, interpolate } from "../lib/i18n.js";
import { newId } from "../lib/ids.js";
import { isComposing } from "../lib/keys.js";
import { Refusal } from "../net/requests.js";

/** @import { Project } from "../collab/project.js" */
/** @import { Selection } from "../net/messages.js" */
/** @import { Requests } from "../net/requests.js" */
/** @import { Cause, Say } from "../pages/notices.js" */

/** The server reads no longer prompt. */
const MOST = 32_000;

/** @typedef {{ file: string, v: number, sel: Selection, path: string, fromLine: number, toLine: number, empty: boolean }} FocusPlace */

/**
 * @typedef {object} PromptParts
 * @property {HTMLFormElement} form
 * @property {HTMLTextAreaElement} box
 * @property {HTMLButtonElement} send
 * @property {HTMLElement} chip
 * @property {HTMLElement} chipText
 * @property {HTMLElement} chipClear
 * @property {Project} project
 * @property {Requests} requests
 * @property {() => FocusPlace | null} place where this person is in the text
 * @property {() => Promise<void>} settled when what was typed into the text is with the server
 * @property {Say} say
 * @property {string} slug
 */

/** @extends {Emitter<{ asked: string }>} */
export class Prompt extends Emitter {
  #parts;
  #memoryKey;
  #sending = false;
  /** The selection the person said not to send, until they make another. */
  #dropped = "";

  /** @param {PromptParts} parts */
  constructor(parts) {
    super();
    this.#parts = parts;
    this.#memoryKey = `flint.prompt.${parts.slug}`;
    const { form, box, chipClear, project } = parts;
    const kept = this.#remembered();
    if (!box.value && kept) box.value = kept;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#submit();
    });
    box.addEventListener("input", () => this.#typed());
    box.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.shiftKey || isComposing(event)) return;
      event.preventDefault();
      void this.#submit();
    });
    chipClear.addEventListener("click", () => {
      this.#dropped = keyOf(parts.place());
      this.refresh();
      box.focus();
    });
    project.on("welcome", () => this.#draw());
    project.on("turn", () => this.#draw());
    this.#grow();
    this.#draw();
  }

  /** Puts the keyboard into the box. */
  focus() {
    this.#parts.box.focus();
  }

  /** What stands in the box. */
  get draft() {
    return this.#parts.box.value.trim();
  }

  /** Puts a text into the box, for the person to send or change. @param {string} text */
  fill(text) {
    const { box } = this.#parts;
    box.value = text;
    this.#typed();
    box.focus();
    box.setSelectionRange(text.length, text.length);
  }

  /** Shows which selection would go with the prompt. */
  refresh() {
    const { chip, chipText } = this.#parts;
    const place = this.#selected();
    chip.hidden = !place;
    if (!place) return;
    const { path, fromLine, toLine } = place;
    chipText.textContent =
      fromLine === toLine
        ? interpolate(gettext("%(path)s, line %(from)s"), { path, from: fromLine })
        : interpolate(gettext("%(path)s, lines %(from)s to %(to)s"), {
            path,
            from: fromLine,
            to: toLine,
          });
  }

  #selected() {
    const place = this.#parts.place();
    return place && !place.empty && keyOf(place) !== this.#dropped ? place : null;
  }

  async #submit() {
    const { box, requests, project, say } = this.#parts;
    const whole = box.value;
    const text = whole.trim();
    if (!text || this.#sending) return;
    if (text.length > MOST) return say(tooLong(text.length));
    if (project.you && !project.mayPrompt)
      return say(gettext("Your role here does not allow prompts."));
    if (this.#waits) return say(waitText(), "busy");
    const id = newId();
    this.#sending = true;
    this.#draw();
    try {
      await this.#parts.settled();
      const place = this.#selected() ?? this.#parts.place();
      const where = place && { file: place.file, v: place.v, sel: place.sel };
      await requests.ask({ t: "prompt", id, text, ...where });
      // Whatever was typed while the answer was on its way is the next prompt.
      if (box.value.startsWith(whole)) {
        box.value = box.value.slice(whole.length).trimStart();
        this.#typed();
      }
      this.emit("asked", id);
    } catch (refused) {
      const { message, cause } = whyNot(refused);
      say(message, cause);
    } finally {
      this.#sending = false;
      this.#draw();
    }
  }

  /** Whether another turn has to end first. One that is stopping may be over before the prompt is there. */
  get #waits() {
    const { running } = this.#parts.project;
    return running !== null && running.state !== "stopping";
  }

  #typed() {
    this.#grow();
    this.#draw();
    try {
      const { value } = this.#parts.box;
      if (value) sessionStorage.setItem(this.#memoryKey, value);
      else sessionStorage.removeItem(this.#memoryKey);
    } catch {
      // The box itself still has it.
    }
  }

  #remembered() {
    try {
      return sessionStorage.getItem(this.#memoryKey) ?? "";
    } catch {
      return "";
    }
  }

  /** Where CSS cannot size the box by its content, rows do. */
  #grow() {
    const { box } = this.#parts;
    if (CSS.supports("field-sizing", "content")) return;
    box.rows = Math.min(8, box.value.split("\n").length);
  }

  #draw() {
    const { box, send, project } = this.#parts;
    const barred = project.you !== null && !project.mayPrompt;
    const waits = this.#waits;
    // Not while it sends: a disabled button lets go of the keyboard, and #submit takes one at a time anyway.
    send.disabled = barred;
    send.classList.toggle("pressed", this.#sending);
    // Not disabled: pressed, it says why; and what one wants to press in a running turn is Stop.
    send.classList.toggle("primary", !waits);
    send.setAttribute("aria-disabled", String(waits));
    send.title = waits && !barred ? waitText() : "";
    box.placeholder = barred
      ? gettext("You can watch here; your role does not allow prompts")
      : gettext("Ask Flint to change something…");
  }
}

/** @param {number} length */
const tooLong = (length) =>
  interpolate(
    gettext(
      "The prompt has %(length)s characters, and at most %(most)s can be sent. It is kept; shorten it, or put a part of it into a file.",
    ),
    { length: formatNumber(length), most: formatNumber(MOST) },
  );

const waitText = () =>
  gettext(
    "Flint is still at work. Your prompt is kept; send it when that turn has ended, or stop it first.",
  );

/** @param {unknown} refused @returns {{ message: string, cause: Cause }} */
function whyNot(refused) {
  const message = refused instanceof Error ? refused.message : String(refused);
  const code = refused instanceof Refusal ? refused.code : "";
  if (code === "offline") {
    const kept = gettext(
      "There is no connection just now. Your prompt is kept; send it when the bar above says that there is one.",
    );
    return { message: kept, cause: "offline" };
  }
  return { message, cause: code === "busy" || code === "model" ? code : "" };
}

/** @param {FocusPlace | null} place */
function keyOf(place) {
  return place ? `${place.file} ${place.fromLine} ${place.toLine}` : "";
}
