/** Web Locks: what belongs to one living page at a time. */

/**
 * Takes a lock for as long as this page lives; returns how to give it back, or null when another page has it.
 * @param {LockManager} locks
 * @param {string} name
 * @param {number} [waitMs] how long to wait for a page that is about to go
 * @returns {Promise<(() => void) | null>}
 */
export function hold(locks, name, waitMs = 0) {
  const options = waitMs ? { signal: AbortSignal.timeout(waitMs) } : { ifAvailable: true };
  return new Promise((resolve) => {
    const held = locks.request(name, options, (lock) => {
      if (!lock) return void resolve(null);
      // Held for as long as this promise is open: until it is released, or the page is gone.
      return new Promise((release) => resolve(() => release(undefined)));
    });
    held.catch(() => resolve(null));
  });
}

/** @param {string} client the lock of a client id */
export const clientLock = (client) => `flint-client-${client}`;

/** @param {string} id the lock of something set aside */
export const asideLock = (id) => `flint-aside-${id}`;
