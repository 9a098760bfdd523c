/**
 * The files of a project as the tree shows them: folders first, in the order of their names, a folder that holds
 * nothing but one folder in one row with it. Pure.
 */

import { match } from "../lib/fuzzy.js";

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
 * Returns the files that every word of the filter names, as few letters name a path everywhere on the page, best
 * first.
 * @param {Iterable<Listed>} files
 * @param {string} filter
 * @returns {Row[]}
 */
export function matching(files, filter) {
  const words = filter.split(/\s+/).filter(Boolean);
  const found = [];
  for (const { file, path } of files) {
    const fits = words.map((word) => match(word, path)?.score ?? Number.NEGATIVE_INFINITY);
    const score = fits.reduce((sum, one) => sum + one, 0);
    if (score > Number.NEGATIVE_INFINITY) found.push({ file, path, score });
  }
  found.sort((one, other) => other.score - one.score || collator.compare(one.path, other.path));
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
