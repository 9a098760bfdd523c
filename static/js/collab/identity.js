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
import { clientLock, hold } from "./locks.js";

/** @import { Store, StoredFile } from "./store.js" */

/**
 * @typedef {object} Identity
 * @property {string} client
 * @property {number} counter the last counter that was given
 * @property {StoredFile[]} files what the page had not sent
 * @property {StoredFile[]} orphans what other pages, gone for good, had not sent
 * @property {() => Promise<void>} settle forgets what those pages left, once it is kept elsewhere
 */

const REMEMBERED = "flint.client";
/** The page that was here before a reload may still be going when the next one comes. */
const GOING_MS = 1_000;

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
  /** @type {{ client: string, release: () => void }[]} */
  const gone = [];
  for (const { client } of rows) {
    const waits = client === remembered && (await store.files(client)).length;
    const release = await hold(locks, clientLock(client), waits ? GOING_MS : 0);
    if (!release) continue;
    // Read now, when the page that wrote it is gone for sure: a counter that is given twice loses an edit.
    const counter = (await store.clients()).find((row) => row.client === client)?.counter ?? 0;
    const files = await store.files(client);
    if (!identity && files.length) identity = { ...fresh(), client, counter, files, orphans };
    else {
      orphans.push(...files);
      gone.push({ client, release });
    }
  }
  if (!identity) {
    identity = { ...fresh(), orphans };
    await hold(locks, clientLock(identity.client));
  }
  identity.settle = async () => {
    for (const { client, release } of gone.splice(0)) {
      await store.forget(client);
      release();
    }
  };
  remember(identity.client, memory);
  return identity;
}

/** Returns an identity that no page ever had. @returns {Identity} */
export function fresh() {
  return { client: newId(), counter: 0, files: [], orphans: [], settle: async () => {} };
}

/**
 * Remembers an id for a reload of this tab.
 * @param {string} client
 * @param {Pick<Storage, "setItem"> | null} [memory]
 */
export function remember(client, memory = tabMemory()) {
  try {
    memory?.setItem(REMEMBERED, client);
  } catch {
    // Full: after a reload this page is new, and finds what it had not sent as another's that is gone.
  }
}

/** @returns {Storage | null} */
function tabMemory() {
  try {
    return globalThis.sessionStorage ?? null;
  } catch {
    return null;
  }
}
