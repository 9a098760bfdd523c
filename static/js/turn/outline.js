/**
 * What the model will see of the next prompt, and how large that is: asked of the server when the person pauses,
 * shown as one figure on the meter and, on demand, part by part. An answer to an older question counts no more.
 */

import { find, h, setText } from "../lib/dom.js";
import { formatNumber, formatPercent, gettext, interpolate } from "../lib/i18n.js";

/** @import { Project } from "../collab/project.js" */
/** @import { Outline, OutlinePart } from "../net/messages.js" */
/** @import { Requests } from "../net/requests.js" */

/** So long nothing may change before the server is asked. */
const PAUSE_MS = 300;

/**
 * Returns how full a window is, such as "context 18% of 32k".
 * @param {{ used: number, window: number }} context
 */
export function contextText({ used, window }) {
  return interpolate(gettext("context %(percent)s of %(window)s"), {
    percent: formatPercent(used / window),
    window: thousands(window),
  });
}

/** @param {number} tokens */
export const thousands = (tokens) =>
  tokens >= 1024 ? `${formatNumber(Math.round(tokens / 1024))}k` : formatNumber(tokens);

/** @param {OutlinePart["kind"]} kind */
export function kindText(kind) {
  switch (kind) {
    case "rules":
      return gettext("Instructions");
    case "file":
      return gettext("File");
    case "region":
      return gettext("Part of the file");
    case "selection":
      return gettext("Selection");
    case "mention":
      return gettext("Mentioned file");
    case "history":
      return gettext("Earlier turns");
    case "redirect":
      return gettext("The turn that is redirected");
    case "paths":
      return gettext("Names of the files");
    case "prompt":
      return gettext("Your prompt");
    default:
      return kind;
  }
}

/**
 * Returns where each part stands on a bar of 100, in order. What is more than the window is squeezed into it.
 * @param {OutlinePart[]} parts
 * @param {number} window
 */
export function spans(parts, window) {
  const all = parts.reduce((sum, { tokens }) => sum + tokens, 0);
  const whole = Math.max(window, all, 1);
  let at = 0;
  return parts.map(({ kind, tokens }) => {
    const width = (100 * tokens) / whole;
    at += width;
    return { kind, x: at - width, width };
  });
}

/**
 * @typedef {object} OutlineParts
 * @property {HTMLButtonElement} button on the meter
 * @property {HTMLElement} panel
 * @property {HTMLElement} over where it is said that a prompt does not fit, or what is left out of it
 * @property {Project} project
 * @property {Requests} requests
 * @property {() => (Record<string, unknown> & { text: string }) | null} draft what would be sent now, without id; null when there is none
 */

export class OutlineView {
  #parts;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #asked = 0;
  /** @type {Outline | null} */
  #outline = null;

  /** @param {OutlineParts} parts */
  constructor(parts) {
    this.#parts = parts;
    const { button, panel, project } = parts;
    button.addEventListener("click", () => this.#show(Boolean(panel.hidden)));
    panel.addEventListener("keydown", (event) => this.#key(event));
    button.addEventListener("keydown", (event) => this.#key(event));
    document.addEventListener("pointerdown", ({ target }) => {
      const mine = target instanceof Node && (panel.contains(target) || button.contains(target));
      if (!mine) this.#show(false);
    });
    find(panel, ".outline-close")?.addEventListener("click", () => {
      this.#show(false);
      button.focus();
    });
    project.on("welcome", () => this.touch());
    project.on("turn", () => this.touch());
    this.#draw();
  }

  /** Something that a prompt would carry is another: asks anew after a pause. */
  touch() {
    clearTimeout(this.#timer);
    if (!this.#parts.draft()) {
      this.#asked++;
      this.#outline = null;
      return this.#draw();
    }
    this.#timer = setTimeout(() => void this.#ask(), PAUSE_MS);
  }

  async #ask() {
    const draft = this.#parts.draft();
    if (!draft) return this.touch();
    const mine = ++this.#asked;
    /** @type {Outline | null} */
    let answer = null;
    try {
      answer = await this.#parts.requests.ask({ ...draft, t: "outline" });
    } catch {
      // Offline, or no model to ask: the prompt itself will say so.
    }
    if (mine !== this.#asked) return;
    this.#outline = answer?.window ? answer : null;
    this.#draw();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.key !== "Escape" || this.#parts.panel.hidden) return;
    event.preventDefault();
    this.#show(false);
    this.#parts.button.focus();
  }

  /** @param {boolean} open */
  #show(open) {
    const { button, panel } = this.#parts;
    if (Boolean(panel.hidden) !== open) return;
    panel.hidden = !open;
    button.setAttribute("aria-expanded", String(open));
  }

  #draw() {
    const { button, panel, over, project } = this.#parts;
    const outline = this.#outline;
    const context = outline ?? project.latest?.context;
    button.hidden = !context?.window;
    if (button.hidden) this.#show(false);
    setText(find(button, ".context-text"), context?.window ? contextText(context) : "");
    const fits = outline?.fits !== false;
    button.classList.toggle("over", !fits);
    const note = outline?.message || (fits ? "" : tooLarge());
    setText(over, note);
    over.classList.toggle("over", !fits);
    over.hidden = !note;
    const parts = outline?.parts ?? [];
    setText(find(panel, ".outline-lead"), leadText(outline));
    find(panel, ".outline-parts")?.replaceChildren(...parts.map(rowOf));
    const bar = panel.querySelector(".outline-bar");
    bar?.toggleAttribute("hidden", !outline);
    bar?.replaceChildren(...spans(parts, outline?.window ?? 0).map(blockOf));
  }
}

/** @param {Outline | null} outline */
function leadText(outline) {
  if (!outline) {
    return gettext(
      "This is what the last turn took. Type a prompt to see what the next one takes.",
    );
  }
  const { label, used, window, answer } = outline;
  return interpolate(
    gettext(
      "%(model)s sees about %(used)s of at most %(window)s tokens; %(answer)s of them are kept free for the answer.",
    ),
    {
      model: label,
      used: formatNumber(used),
      window: formatNumber(window),
      answer: formatNumber(answer),
    },
  );
}

const tooLarge = () =>
  gettext(
    "That is more than the model can read. Select a smaller place, mention fewer files, or shorten the prompt.",
  );

/** @param {OutlinePart} part */
function rowOf({ kind, label, tokens }) {
  return h(
    "li",
    { class: "outline-part" },
    h("span", { class: `swatch k-${kind}`, "aria-hidden": "true" }),
    h("span", { class: "outline-kind" }, kindText(kind)),
    h("span", { class: "outline-label" }, label),
    h(
      "span",
      { class: "outline-size num" },
      interpolate(gettext("≈ %(count)s tokens"), { count: formatNumber(tokens) }),
    ),
  );
}

/** @param {{ kind: string, x: number, width: number }} span */
function blockOf({ kind, x, width }) {
  const block = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  for (const [name, value] of Object.entries({ x, width, y: 0, height: 4 })) {
    block.setAttribute(name, String(value));
  }
  block.setAttribute("class", `k-${kind}`);
  return block;
}
