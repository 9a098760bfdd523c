/** Work once an animation frame, also while the tab is hidden and there are none. */

/** Milliseconds between runs in a hidden tab; browsers stretch it to a second. */
const HIDDEN_MS = 250;

/**
 * Returns a function that asks for one run of `work`, soon: before the next paint, or on a timer in a hidden
 * tab. Asking again before it ran changes nothing. When the tab hides in between, the timer takes over.
 * @param {() => void} work
 * @returns {() => void}
 */
export function oncePerFrame(work) {
  let asked = false;
  /** @type {number} */
  let frame = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const run = () => {
    globalThis.cancelAnimationFrame?.(frame);
    clearTimeout(timer);
    asked = false;
    work();
  };
  return () => {
    if (asked) return;
    asked = true;
    // Both are asked for: an animation frame that was requested before the tab hid never comes.
    frame = globalThis.requestAnimationFrame?.(run) ?? 0;
    timer = setTimeout(run, HIDDEN_MS);
  };
}
