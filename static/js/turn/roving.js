/**
 * A list of rows with buttons that is one stop of the Tab key, so that a turn with hundreds of places is passed with
 * one press: up and down go between rows, left and right between the buttons of one, Home and End to the ends.
 */

/** The rows are elements with data-row; their buttons come with tabindex -1. */
const ROW = "[data-row]";

/** @param {Element} row the buttons that can be reached now */
const stopsOf = (row) =>
  [...row.querySelectorAll("button")].filter((button) => !button.closest("[hidden]"));

/**
 * Makes a list such; returns what to call when its rows have changed.
 * @param {HTMLElement} list
 * @returns {() => void}
 */
export function roving(list) {
  /** @type {HTMLButtonElement | null} */
  let stop = null;
  const make = (/** @type {HTMLButtonElement | undefined} */ button) => {
    if (stop && stop !== button) stop.tabIndex = -1;
    stop = button ?? null;
    if (stop) stop.tabIndex = 0;
  };
  list.addEventListener("focusin", ({ target }) => {
    if (target instanceof HTMLButtonElement && target.closest(ROW)) make(target);
  });
  list.addEventListener("keydown", (event) => {
    const { target } = event;
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const row = target instanceof Element ? target.closest(ROW) : null;
    if (!row) return;
    const rows = [...list.querySelectorAll(ROW)];
    const stops = stopsOf(row);
    const at = stops.indexOf(/** @type {HTMLButtonElement} */ (target));
    const inRow = (/** @type {number} */ step) => stops[at + step];
    const atRow = (/** @type {number} */ index) => {
      const others = rows[index] ? stopsOf(rows[index]) : [];
      return others[Math.min(at, others.length - 1)];
    };
    const goals = /** @type {Record<string, () => HTMLButtonElement | undefined>} */ ({
      ArrowDown: () => atRow(rows.indexOf(row) + 1),
      ArrowUp: () => atRow(rows.indexOf(row) - 1),
      ArrowRight: () => inRow(1),
      ArrowLeft: () => inRow(-1),
      Home: () => atRow(0),
      End: () => atRow(rows.length - 1),
    });
    if (!Object.hasOwn(goals, event.key)) return;
    event.preventDefault();
    goals[event.key]()?.focus();
  });
  return () => {
    if (stop?.isConnected && list.contains(stop) && !stop.closest("[hidden]")) return;
    const first = list.querySelector(ROW);
    make(first ? stopsOf(first)[0] : undefined);
  };
}
