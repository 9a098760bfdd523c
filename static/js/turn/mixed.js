/**
 * The dialog for places where a person's text and the model's share a line: as it is now, and as it would be with the
 * model's part taken back, beside each other. The person chooses for each; what nobody chose stays.
 */

import { find, fromTemplate, setText } from "../lib/dom.js";
import { gettext, interpolate } from "../lib/i18n.js";
import { twoColumns } from "./diffview.js";

/** @import { Mixed } from "../net/messages.js" */

/**
 * Returns what asks: it shows the dialog and gives the ordinals of those that are to be taken back.
 * @param {HTMLDialogElement} dialog
 * @param {HTMLElement} list
 * @returns {(mixed: Mixed[]) => Promise<number[]>}
 */
export function comparison(dialog, list) {
  return (mixed) => {
    if (dialog.open) return Promise.resolve([]);
    list.replaceChildren(...mixed.map(place));
    dialog.returnValue = "";
    dialog.showModal();
    list.querySelector("input")?.focus();
    return new Promise((resolve) => {
      dialog.addEventListener(
        "close",
        () => {
          const taken = dialog.returnValue === "ok" ? [...list.querySelectorAll("input")] : [];
          list.replaceChildren();
          resolve(
            taken
              .filter(({ checked, value }) => checked && value)
              .map(({ value }) => Number(value)),
          );
        },
        { once: true },
      );
    });
  };
}

/** @param {Mixed} mixed @param {number} index */
function place({ ordinal, path, now, then }, index) {
  const element = fromTemplate("tpl-mixed");
  const part = (/** @type {string} */ selector) =>
    /** @type {HTMLElement} */ (find(element, selector));
  const words = { path, number: index + 1 };
  setText(part("legend"), interpolate(gettext("Place %(number)s, in %(path)s"), words));
  const [left, right] = twoColumns(now, then, [
    interpolate(gettext("Place %(number)s as it is now"), words),
    interpolate(gettext("Place %(number)s with Flint's change taken back"), words),
  ]);
  part(".mixed-now").append(left);
  part(".mixed-then").append(right);
  for (const input of element.querySelectorAll("input")) {
    input.name = `mixed-${ordinal}`;
    if (input.value) input.value = String(ordinal);
  }
  // What belongs together scrolls together.
  for (const [one, other] of [
    [left, right],
    [right, left],
  ]) {
    one.addEventListener("scroll", () => {
      if (other.scrollTop !== one.scrollTop) other.scrollTop = one.scrollTop;
    });
  }
  return element;
}
