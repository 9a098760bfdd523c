/**
 * Moving a row of a list with the pointer, by its grip. The keyboard has its own way (Alt with an arrow); here a
 * mark shows where the row would go, and Escape lets it be.
 */

/**
 * @param {HTMLElement} list
 * @param {object} parts
 * @param {string} parts.grip the selector of what one drags by, within a row
 * @param {(row: HTMLElement, before: HTMLElement | null) => void} parts.drop
 */
export function dragging(list, { grip, drop }) {
  list.addEventListener("pointerdown", (event) => {
    const handle = event.target instanceof Element ? event.target.closest(grip) : null;
    const row = handle?.closest("li");
    if (!(handle instanceof HTMLElement) || !(row instanceof HTMLElement) || event.button) return;
    event.preventDefault();
    handle.setPointerCapture(event.pointerId);
    const over = new AbortController();
    const { signal } = over;
    /** @type {HTMLElement | null} */
    let before = row;
    row.dataset.dragged = "";

    const end = (/** @type {boolean} */ drops) => {
      over.abort();
      delete row.dataset.dragged;
      mark(list, null);
      if (drops && before !== row && before !== row.nextElementSibling) drop(row, before);
    };
    handle.addEventListener(
      "pointermove",
      ({ clientY }) => {
        before = beforeAt(rows(list), clientY);
        mark(list, before === row || before === row.nextElementSibling ? null : { before });
      },
      { signal },
    );
    handle.addEventListener("pointerup", () => end(true), { signal });
    handle.addEventListener("pointercancel", () => end(false), { signal });
    document.addEventListener(
      "keydown",
      (pressed) => {
        if (pressed.key !== "Escape") return;
        pressed.preventDefault();
        pressed.stopPropagation();
        end(false);
      },
      { signal, capture: true },
    );
  });
}

/** @param {HTMLElement} list */
const rows = (list) =>
  /** @type {HTMLElement[]} */ ([...list.children]).filter((row) => !row.hidden);

/**
 * Returns the row that what is dropped at this height goes before, or null at the end.
 * @template {{ getBoundingClientRect(): { top: number, height: number } }} Box
 * @param {Box[]} all
 * @param {number} y
 * @returns {Box | null}
 */
export function beforeAt(all, y) {
  return (
    all.find((row) => {
      const { top, height } = row.getBoundingClientRect();
      return y < top + height / 2;
    }) ?? null
  );
}

/** @param {HTMLElement} list @param {{ before: HTMLElement | null } | null} where */
function mark(list, where) {
  for (const row of rows(list)) delete row.dataset.drop;
  if (!where) return;
  const last = rows(list).at(-1);
  if (where.before) where.before.dataset.drop = "before";
  else if (last) last.dataset.drop = "after";
}
