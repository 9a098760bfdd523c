/** When what was typed here stands on the server. */

/** @import { Documents } from "./documents.js" */

/**
 * Resolves once everything typed here is confirmed, and after `mostMs` in any case: a prompt asks about the text
 * as the person sees it, but does not wait for a connection that is gone.
 * @param {Documents} documents
 * @param {number} mostMs
 * @returns {Promise<void>}
 */
export function settled(documents, mostMs) {
  if (!documents.pending) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(done, mostMs);
    const end = documents.on("pending", (pending) => {
      if (!pending) done();
    });
    function done() {
      clearTimeout(timer);
      end();
      resolve();
    }
  });
}
