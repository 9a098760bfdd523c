/** People's names, in little room. */

/**
 * Returns up to two letters that stand for a name: of its first and last word, or the first two.
 * @param {string} name
 */
export function initials(name) {
  const words = name
    .trim()
    .split(/[\s._@-]+/u)
    .filter(Boolean);
  const first = [...(words[0] ?? "?")];
  const last = words.length > 1 ? [...words[words.length - 1]] : [];
  return (last.length ? first[0] + last[0] : first.slice(0, 2).join("")).toUpperCase();
}
