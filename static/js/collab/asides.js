/**
 * Text that was set aside, kept until the person has dealt with it: it survives the page, and one tab shows it
 * at a time.
 */

import { asideLock, hold } from "./locks.js";
import { pack, unpack } from "./setaside.js";

/** @import { SetAside } from "./setaside.js" */
/** @import { Store } from "./store.js" */

export class Asides {
  #store;
  #locks;

  /**
   * @param {Store} store
   * @param {LockManager | undefined} [locks]
   */
  constructor(store, locks = globalThis.navigator?.locks) {
    this.#store = store;
    this.#locks = locks;
  }

  /**
   * Returns what earlier pages left here, oldest first, but what another tab shows.
   * @returns {Promise<SetAside[]>}
   */
  async left() {
    const mine = [];
    for (const row of await this.#store.asides()) {
      if (!this.#locks || (await hold(this.#locks, asideLock(row.id)))) mine.push(unpack(row));
    }
    return mine;
  }

  /** Makes it durable; resolves when it is. @param {SetAside} aside */
  keep(aside) {
    if (this.#locks) void hold(this.#locks, asideLock(aside.id));
    return this.#store.keepAside(pack(aside));
  }

  /** The person has copied it, applied it or let it go. @param {SetAside} aside */
  drop({ id }) {
    return this.#store.dropAside(id);
  }
}
