/**
 * The buttons beside the box. Send becomes Redirect while a turn runs, in the same place, so a hand that is there
 * need not move; what a redirect keeps is chosen beside it and remembered for the person.
 */

import { find, setText } from "../lib/dom.js";
import { gettext } from "../lib/i18n.js";
import { Menu } from "./menu.js";
import { actText, insteadText, KEEPS, keepOf, keepText, manner, redirectText } from "./redirect.js";

/** @import { Project } from "../collab/project.js" */
/** @import { Kept } from "../lib/kept.js" */

export class Buttons {
  #parts;
  #menu;
  #sending = false;

  /**
   * @param {object} parts
   * @param {HTMLTextAreaElement} parts.box
   * @param {HTMLButtonElement} parts.send
   * @param {HTMLButtonElement} parts.queue
   * @param {HTMLButtonElement} parts.keepButton
   * @param {HTMLElement} parts.keepList
   * @param {Project} parts.project
   * @param {Kept} parts.kept
   */
  constructor(parts) {
    this.#parts = parts;
    const { box, keepButton, keepList, project } = parts;
    this.#menu = new Menu({
      button: keepButton,
      list: keepList,
      items: () => this.#items(),
      done: () => box.focus(),
    });
    project.on("welcome", () => this.#draw());
    project.on("turn", () => this.#draw());
    this.#draw();
  }

  /** What a redirect keeps. */
  get keep() {
    return keepOf(this.#parts.kept.get());
  }

  /** Shows whether a prompt is on its way. @param {boolean} sending */
  sending(sending) {
    this.#sending = sending;
    this.#draw();
  }

  #items() {
    return KEEPS.map((keep) => ({
      id: keep,
      label: keepText(keep),
      checked: keep === this.keep,
      act: () => {
        this.#parts.kept.set(keep);
        this.#draw();
      },
    }));
  }

  #draw() {
    const { box, send, queue, keepButton, project } = this.#parts;
    const barred = project.you !== null && !project.mayPrompt;
    const how = manner({ running: project.running, queue: false, keep: this.keep });
    const redirects = how.t === "redirect" && !barred;
    // Not while it sends: a disabled button lets go of the keyboard, and the box takes one at a time anyway.
    send.disabled = barred;
    send.classList.toggle("pressed", this.#sending);
    send.dataset.flint = redirects ? "redirect" : "send";
    send.title = redirects ? redirectText(this.keep) : "";
    setText(find(send, ".btn-text"), redirects ? actText(this.keep) : gettext("Send"));
    if (!redirects) this.#menu.close();
    for (const button of [queue, keepButton]) {
      // What goes away under the keyboard hands it on.
      if (!redirects && document.activeElement === button) box.focus();
      button.hidden = !redirects;
    }
    box.placeholder = barred
      ? gettext("You can watch here; your role does not allow prompts")
      : redirects
        ? insteadText(this.keep)
        : gettext("Ask Flint to change something…");
  }
}
