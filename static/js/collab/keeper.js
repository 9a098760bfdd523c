/** When unconfirmed edits are stored: soon after they were made, and at once before a push. */

/** @import { Replica } from "./replica.js" */
/** @import { Store } from "./store.js" */

/** What is typed within this time is stored together; a page that dies in between loses no more than that. */
const SAVE_MS = 250;

export class Keeper {
  #store;
  #state;
  #pathOf;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #saving;

  /**
   * @param {Store} store
   * @param {() => { client: string, counter: number, replicas: Iterable<Replica> }} state what there is to store
   * @param {(file: string) => string} pathOf
   */
  constructor(store, state, pathOf) {
    this.#store = store;
    this.#state = state;
    this.#pathOf = pathOf;
  }

  /** Stores within a moment. */
  soon() {
    this.#saving ??= setTimeout(() => void this.now(), SAVE_MS);
  }

  /** Stores; resolves when it is done. */
  now() {
    clearTimeout(this.#saving);
    this.#saving = undefined;
    const { client, counter, replicas } = this.#state();
    const files = [...replicas]
      .filter((replica) => replica.pending)
      .map((replica) => ({
        file: replica.file,
        path: this.#pathOf(replica.file),
        ...replica.keep(),
      }));
    return this.#store.save(client, counter, files);
  }

  /** Removes what was stored under a client id that is given up. @param {string} client */
  forget(client) {
    return this.#store.forget(client);
  }
}
