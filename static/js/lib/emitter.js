/** Named events between parts of the page that must not know each other. */

/**
 * Calls listeners in the order they were added. A listener that throws does not keep the others from
 * hearing; its error is reported as if it were uncaught.
 * @template {Record<string, any>} Events the payload of each event's name
 */
export class Emitter {
  /** @type {Map<keyof Events, Set<(payload: any) => void>>} */
  #listeners = new Map();

  /**
   * Calls `listener` with each payload of `name`; returns a function that ends this.
   * @template {keyof Events} Name
   * @param {Name} name
   * @param {(payload: Events[Name]) => void} listener
   * @returns {() => void}
   */
  on(name, listener) {
    let set = this.#listeners.get(name);
    if (!set) {
      set = new Set();
      this.#listeners.set(name, set);
    }
    set.add(listener);
    return () => void set.delete(listener);
  }

  /**
   * Tells everybody who listens to `name`.
   * @template {keyof Events} Name
   * @param {Name} name
   * @param {Events[Name]} payload
   */
  emit(name, payload) {
    for (const listener of [...(this.#listeners.get(name) ?? [])]) {
      try {
        listener(payload);
      } catch (error) {
        reportError(error);
      }
    }
  }
}
