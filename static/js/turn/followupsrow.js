/**
 * One prompt that waits, as a row: who, what, for which model and about what; its buttons; and the box in which it
 * is edited. What somebody has typed there is theirs: it stays when the prompt is sent or removed meanwhile.
 */

import { find, fromTemplate, setText } from "../lib/dom.js";
import { gettext, interpolate } from "../lib/i18n.js";
import { isComposing } from "../lib/keys.js";
import { initials } from "../lib/names.js";
import { exact, relative } from "../lib/time.js";
import { aboutText, nowText } from "./followupswords.js";
import { short } from "./sentences.js";

/** @import { FollowUp } from "../net/messages.js" */

/** @typedef {{ look: string, model: string, place: number, count: number, may: boolean, running: boolean }} Shown */
/**
 * @typedef {object} RowActs
 * @property {(row: Row) => void} now
 * @property {(row: Row) => void} remove
 * @property {(row: Row, by: -1 | 1) => void} move
 * @property {(row: Row, text: string) => Promise<boolean>} save says whether the server has it
 * @property {(row: Row) => void} reuse puts what was typed into the prompt box, since the prompt is gone
 * @property {(row: Row) => void} left the row is no longer edited
 */

export class Row {
  #acts;
  #isEditing = false;
  /** Whether it waits no longer, and stays only for what is typed in it. */
  isOrphan = false;
  /** What stood there when the person began to edit. */
  #base = "";

  /**
   * @param {FollowUp} followup
   * @param {RowActs} acts
   */
  constructor(followup, acts) {
    this.followup = followup;
    this.#acts = acts;
    this.element = fromTemplate("tpl-followup");
    this.element.dataset.followup = followup.id;
    const press = (/** @type {string} */ selector, /** @type {() => void} */ act) =>
      this.part(selector).addEventListener("click", act);
    press(".followup-text", () => this.#toggle());
    press(".followup-now", () => acts.now(this));
    press(".followup-edit", () => this.edit());
    press(".followup-up", () => acts.move(this, -1));
    press(".followup-down", () => acts.move(this, 1));
    press(".followup-remove", () => acts.remove(this));
    press(".followup-cancel", () => this.#leave());
    this.part("form").addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#save();
    });
    this.#box.addEventListener("keydown", (event) => this.#boxKey(event));
    this.element.addEventListener("keydown", (event) => this.#key(event));
  }

  get #box() {
    return /** @type {HTMLTextAreaElement} */ (this.part("textarea"));
  }

  /** What stands in the box of one that is edited. */
  get draft() {
    return this.#box.value.trim();
  }

  /** Whether something is typed in it that nobody has yet. */
  get isDirty() {
    return this.#isEditing && this.draft !== this.#base.trim();
  }

  /**
   * Shows it as it is now.
   * @param {FollowUp} followup
   * @param {Shown} shown
   */
  update(followup, { look, model, place, count, may, running }) {
    this.followup = followup;
    const { name, prompt, focus, created_at } = followup;
    const face = this.part(".av");
    face.className = `av ${look}`;
    setText(face, initials(name));
    setText(this.part(".followup-name"), `${name}: `);
    setText(this.part(".followup-prompt"), prompt);
    const about = aboutText(focus);
    setText(this.part(".followup-where"), [model, about].filter(Boolean).join(" · "));
    const at = new Date(created_at);
    const dated = !Number.isNaN(at.getTime());
    const more = [name, dated ? relative(at) : "", model, about].filter(Boolean).join(" · ");
    setText(this.part(".followup-more"), more);
    this.part(".followup-more").title = dated ? exact(at) : "";
    this.part(".followup-acts").hidden = !may || this.#isEditing;
    this.part(".followup-grip").hidden = !may || count < 2;
    const label = short(prompt);
    const labels = {
      ".followup-now": gettext("Send now: %(prompt)s"),
      ".followup-edit": gettext("Edit: %(prompt)s"),
      ".followup-up": gettext("Move up: %(prompt)s"),
      ".followup-down": gettext("Move down: %(prompt)s"),
      ".followup-remove": gettext("Remove: %(prompt)s"),
    };
    for (const [selector, text] of Object.entries(labels)) {
      this.part(selector).setAttribute("aria-label", interpolate(text, { prompt: label }));
    }
    this.part(".followup-now").title = nowText(running);
    // Not disabled: a button that is switched off lets go of the keyboard.
    this.part(".followup-up").setAttribute("aria-disabled", String(place === 1));
    this.part(".followup-down").setAttribute("aria-disabled", String(place === count));
    this.#note();
  }

  /** It waits no longer, but somebody types in it here. */
  orphan() {
    this.isOrphan = true;
    this.part(".followup-grip").hidden = true;
    setText(this.part(".followup-save"), gettext("Put into the prompt box"));
    this.#note();
  }

  /** Lets the person change the text, in place. */
  edit() {
    if (this.#isEditing) return;
    this.#base = this.followup.prompt;
    this.#box.value = this.#base;
    this.#show(true);
    this.#box.focus();
    this.#box.setSelectionRange(this.#base.length, this.#base.length);
  }

  /** Puts the keyboard on it. */
  focus() {
    (this.#isEditing ? this.#box : this.part(".followup-text")).focus();
  }

  /** @param {string} selector */
  part(selector) {
    const found = find(this.element, selector);
    if (!found) throw new RangeError(`A row of the follow-ups has no ${selector}.`);
    return found;
  }

  /** @param {boolean} editing */
  #show(editing) {
    this.#isEditing = editing;
    this.part("form").hidden = !editing;
    this.part(".followup-line").hidden = editing;
    this.part(".followup-acts").hidden = editing;
    this.part(".followup-more").hidden = editing || !this.element.hasAttribute("data-open");
    this.#note();
  }

  /** Says what became of the prompt while somebody types in it here. */
  #note() {
    const { prompt } = this.followup;
    let text = "";
    if (this.isOrphan) {
      text = gettext(
        "This prompt waits no longer: it was sent or removed. What you typed is kept here.",
      );
    } else if (this.#isEditing && prompt !== this.#base) {
      const now = gettext("Somebody changed it meanwhile to: %(prompt)s. Saving replaces that.");
      text = interpolate(now, { prompt: short(prompt) });
    }
    const note = this.part(".followup-note");
    setText(note, text);
    note.hidden = !text;
  }

  #toggle() {
    const open = this.element.toggleAttribute("data-open");
    this.part(".followup-text").setAttribute("aria-expanded", String(open));
    this.part(".followup-more").hidden = !open;
  }

  #leave() {
    this.#show(false);
    const stays = !this.isOrphan;
    if (stays) this.part(".followup-text").focus();
    this.#acts.left(this);
  }

  async #save() {
    const text = this.draft;
    if (this.isOrphan) return this.#acts.reuse(this);
    // Without a text there is nothing to ask; the button beside it removes it.
    if (!text || text === this.followup.prompt) return this.#leave();
    if (await this.#acts.save(this, text)) this.#leave();
  }

  /** @param {KeyboardEvent} event */
  #boxKey(event) {
    if (isComposing(event) || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "Escape") this.#leave();
    else if (event.key === "Enter" && !event.shiftKey) void this.#save();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const { key, altKey, ctrlKey, metaKey, shiftKey } = event;
    if (this.#isEditing || ctrlKey || metaKey || shiftKey || isComposing(event)) return;
    if (this.part(".followup-acts").hidden) return;
    if (altKey && key === "ArrowUp") this.#acts.move(this, -1);
    else if (altKey && key === "ArrowDown") this.#acts.move(this, 1);
    else if (!altKey && key === "F2") this.edit();
    else if (!altKey && key === "Delete") this.#acts.remove(this);
    else return;
    event.preventDefault();
  }
}
