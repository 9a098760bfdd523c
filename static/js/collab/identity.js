/**
 * Who this page is to the log: a client id, and how far its counter is.
 *
 * An id belongs to one living page at a time, held by a Web Lock of its name. After a reload the page that had
 * not sent everything takes its old id back, and its edits with it; a second tab finds the lock held and gets
 * an id of its own. A page that had sent everything starts anew: an id that is not reused cannot be misused.
 * Where there are no locks (an insecure origin) every page is new, since nothing tells a reload from a second
 * tab, and two pages under one id would confirm each other's edits.
 */

import { newId } from "../lib/ids.js";

/** @import { Store, StoredFile } from "./store.js" */

/**
 * @typedef {object} Identity
 * @property {string} client
 * @property {number} counter the last counter that was given
 * @property {StoredFile[]} files what the page had not sent
 * @property {StoredFile[]} orphans what other pages, gone for good, had not sent
 */

const REMEMBERED = "flint.client";

/**
 * Returns the identity of this page, and holds it until the page is gone.
 * @param {object} options
 * @param {Store} options.store
 * @param {LockManager | undefined} [options.locks]
 * @param {Pick<Storage, "getItem" | "setItem"> | null} [options.memory] survives a reload of this tab
 * @returns {Promise<Identity>}
 */
export async function claim({ store, locks = globalThis.navigator?.locks, memory = tabMemory() }) {
  if (!locks) return fresh();
  const remembered = memory?.getItem(REMEMBERED);
  const rows = await store.clients();
  rows.sort(
    (one, other) => Number(other.client === remembered) - Number(one.client === remembered),
  );
  /** @type {Identity | null} */
  let identity = null;
  /** @type {StoredFile[]} */
  const orphans = [];
  for (const row of rows) {
    const release = await hold(locks, row.client);
    if (!release) continue;
    const files = await store.files(row.client);
    if (!identity && files.length) {
      identity = { client: row.client, counter: row.counter, files, orphans };
      continue;
    }
    orphans.push(...files);
    await store.forget(row.client);
    release();
  }
  if (!identity) {
    identity = { ...fresh(), orphans };
    await hold(locks, identity.client);
  }
  memory?.setItem(REMEMBERED, identity.client);
  return identity;
}

/** Returns an identity that no page ever had. @returns {Identity} */
export function fresh() {
  return { client: newId(), counter: 0, files: [], orphans: [] };
}

/**
 * Takes the lock of a client id if it is free; returns how to give it back, or null.
 * @param {LockManager} locks
 * @param {string} client
 * @returns {Promise<(() => void) | null>}
 */
export function hold(locks, client) {
  return new Promise((resolve) => {
    void locks.request(`flint-client-${client}`, { ifAvailable: true }, (lock) => {
      if (!lock) return void resolve(null);
      // Held for as long as this promise is open: until it is released, or the page is gone.
      return new Promise((release) => resolve(() => release(undefined)));
    });
  });
}

/** @returns {Storage | null} */
function tabMemory() {
  try {
    return globalThis.sessionStorage ?? null;
  } catch {
    return null;
  }
}
