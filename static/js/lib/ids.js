/** Ids that the page makes itself: 20 characters of a-z2-7, 100 random bits. */

const ALPHABET = "abcdefghijklmnopqrstuvwxyz234567";

/** Returns a new id in the form that the server's own ids have. */
export function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(20));
  return Array.from(bytes, (byte) => ALPHABET[byte & 31]).join("");
}
