/** The files of a project in the order and the groups that the tree shows. Pure. */

/** @typedef {{ folder: string, files: { file: string, name: string, path: string }[] }} Group */

/**
 * Returns the files grouped by folder: folders first, in order, then what lies at the top.
 * @param {{ file: string, path: string }[]} files
 * @returns {Group[]}
 */
export function grouped(files) {
  /** @type {Map<string, Group>} */
  const groups = new Map();
  for (const { file, path } of files) {
    const cut = path.lastIndexOf("/");
    const folder = path.slice(0, Math.max(0, cut));
    const group = groups.get(folder) ?? { folder, files: [] };
    group.files.push({ file, path, name: path.slice(cut + 1) });
    groups.set(folder, group);
  }
  const order = (/** @type {string} */ one, /** @type {string} */ other) =>
    one.localeCompare(other, undefined, { numeric: true });
  for (const group of groups.values()) group.files.sort((a, b) => order(a.name, b.name));
  return [...groups.values()].sort(
    (a, b) => Number(!a.folder) - Number(!b.folder) || order(a.folder, b.folder),
  );
}
