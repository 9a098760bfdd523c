/** What keyboards differ in. */

/** Whether commands are given with ⌘ here. */
export const IS_MAC = /Mac|iPhone|iPad/.test(globalThis.navigator?.platform ?? "");

/**
 * Whether a key belongs to an input method that is composing; 229 is what some browsers say instead.
 * @param {KeyboardEvent} event
 */
export function isComposing(event) {
  return event.isComposing || event.keyCode === 229;
}
