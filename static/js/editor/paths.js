/**
 * The files of a project as the tree shows them: folders first, in the order of their names, a folder that holds
 * nothing but one folder in one row with it. Pure.
 */

/** @typedef {{ file: string, path: string }} Listed */
/**
 * @typedef {object} Row
 * @property {"folder" | "file"} kind
 * @property {string} key the folder's path with a slash at its end, or the file's id
 * @property {string} path
 * @property {string} name
 * @property {number} depth from 0
 * @property {boolean} open whether a folder shows what is in it
 * @property {number} count how many files a folder holds, at any depth
 */

const collator = new Intl.Collator(undefined, { numeric: true });

/** @typedef {{ folders: Map<string, Folder>, files: Listed[], count: number }} Folder */

/** @returns {Folder} */
const empty = () => ({ folders: new Map(), files: [], count: 0 });

/** @param {Iterable<Listed>} files @returns {Folder} */
function nested(files) {
  const root = empty();
  for (const listed of files) {
    let at = root;
    const parts = listed.path.split("/");
    for (const part of parts.slice(0, -1)) {
      at.count += 1;
      const inner = at.folders.get(part) ?? empty();
      at.folders.set(part, inner);
      at = inner;
    }
    at.count += 1;
    at.files.push(listed);
  }
  return root;
}

/**
 * Returns the rows to show, in order.
 * @param {Iterable<Listed>} files
 * @param {(folder: string) => boolean} isOpen asked with a folder's path that ends with a slash
 * @returns {Row[]}
 */
export function rowsOf(files, isOpen) {
  /** @type {Row[]} */
  const rows = [];
  const walk = (
    /** @type {Folder} */ folder,
    /** @type {string} */ path,
    /** @type {number} */ depth,
  ) => {
    const names = [...folder.folders.keys()].sort(collator.compare);
    for (const name of names) {
      let inner = /** @type {Folder} */ (folder.folders.get(name));
      let label = name;
      while (inner.folders.size === 1 && !inner.files.length) {
        const [[next, deeper]] = inner.folders;
        label += `/${next}`;
        inner = deeper;
      }
      const key = `${path}${label}/`;
      const open = isOpen(key);
      const { count } = inner;
      rows.push({ kind: "folder", key, path: key, name: label, depth, open, count });
      if (open) walk(inner, key, depth + 1);
    }
    const here = folder.files
      .map(({ file, path: of }) => ({ file, of, name: of.slice(of.lastIndexOf("/") + 1) }))
      .sort((one, other) => collator.compare(one.name, other.name));
    for (const { file, of, name } of here)
      rows.push({ kind: "file", key: file, path: of, name, depth, open: false, count: 1 });
  };
  walk(nested(files), "", 0);
  return rows;
}

/**
 * Returns the files whose path has every word of the filter in it, in any case; the name alone counts before the
 * folder, a short path before a long one.
 * @param {Iterable<Listed>} files
 * @param {string} filter
 * @returns {Row[]}
 */
export function matching(files, filter) {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const found = [];
  for (const { file, path } of files) {
    const lower = path.toLowerCase();
    if (!words.every((word) => lower.includes(word))) continue;
    const name = lower.slice(lower.lastIndexOf("/") + 1);
    const rank = words.every((word) => name.includes(word)) ? 0 : 1;
    found.push({ file, path, rank });
  }
  found.sort(
    (one, other) =>
      one.rank - other.rank ||
      one.path.length - other.path.length ||
      collator.compare(one.path, other.path),
  );
  return found.map(({ file, path }) => ({
    kind: "file",
    key: file,
    path,
    name: path,
    depth: 0,
    open: false,
    count: 1,
  }));
}

/** Returns the folders that hold a path, the outermost first, each with a slash at its end. @param {string} path */
export function foldersOf(path) {
  const parts = path.split("/").slice(0, -1);
  return parts.map((_, index) => `${parts.slice(0, index + 1).join("/")}/`);
}
