/** Whether edits that could not be applied are asked for once more; remembered for the person, and on at first. */

import { gettext } from "../lib/i18n.js";

/** @import { Kept } from "../lib/kept.js" */
/** @import { Item } from "./menu.js" */

export class Repair {
  #kept;

  /** @param {Kept} kept */
  constructor(kept) {
    this.#kept = kept;
  }

  /** @returns {boolean} */
  get on() {
    return this.#kept.get() !== false;
  }

  /** What a prompt says of it; nothing, where it is as usual. @returns {{ repair?: false }} */
  get frame() {
    return this.on ? {} : { repair: false };
  }

  /** What a menu shows. @returns {Item} */
  get item() {
    return {
      id: "repair",
      label: gettext("Ask once more for edits that could not be applied"),
      checked: this.on,
      several: true,
      group: gettext("Options"),
      act: () => this.#kept.set(this.on ? false : null),
    };
  }
}
