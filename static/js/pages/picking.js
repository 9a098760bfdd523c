/** Files that a person chose or dropped, with their paths, before anything is sent. */

import { gettext, interpolate, listed } from "../lib/i18n.js";

/** @typedef {{ path: string, file: File }} Picked */
/** @typedef {{ picked: Picked[], left: string[] }} Pick `left` names the folders that were left out */

const MAX_FILES = 2000;
const MAX_BYTES = 20 * 1024 * 1024;
const SHOWN = 50;

/** What version control and tools keep in a folder for themselves; a server would refuse or drown in it. */
const LEFT_OUT = new Set([
  ".git",
  ".hg",
  ".svn",
  ".bzr",
  ".jj",
  "node_modules",
  "__pycache__",
  ".venv",
  ".tox",
  ".mypy_cache",
  ".pytest_cache",
  ".ruff_cache",
]);

/** Returns what the file fields hold. @param {...HTMLInputElement} inputs @returns {Pick} */
export function chosen(...inputs) {
  /** @type {Set<string>} */
  const left = new Set();
  /** @type {Picked[]} */
  const picked = [];
  for (const input of inputs) {
    for (const file of input.files ?? []) {
      const path = file.webkitRelativePath || file.name;
      const folder = path.split("/").find((name) => LEFT_OUT.has(name));
      if (folder) left.add(folder);
      else picked.push({ path, file });
    }
  }
  return { picked, left: [...left] };
}

/**
 * Returns what was dropped, folders with all that is in them.
 * @param {DataTransfer} transfer
 * @returns {Promise<Pick>} rejects when the browser cannot read one of them
 */
export async function dropped(transfer) {
  // The list is empty as soon as the event is over.
  const items = [...transfer.items].filter(({ kind }) => kind === "file");
  const found = items.map((item) => ({ entry: item.webkitGetAsEntry(), file: item.getAsFile() }));
  /** @type {Pick} */
  const pick = { picked: [], left: [] };
  for (const { entry, file } of found) {
    if (entry) await walk(entry, "", pick);
    // What a page or another program made has no place on a disk.
    else if (file) pick.picked.push({ path: file.name, file });
  }
  return pick;
}

/** @param {FileSystemEntry} entry @param {string} folder @param {Pick} pick */
async function walk(entry, folder, pick) {
  const path = folder + entry.name;
  if (LEFT_OUT.has(entry.name)) {
    if (!pick.left.includes(entry.name)) pick.left.push(entry.name);
  } else if (entry.isFile) {
    pick.picked.push({ path, file: await fileOf(/** @type {FileSystemFileEntry} */ (entry)) });
  } else if (pick.picked.length <= MAX_FILES) {
    for (const inner of await entriesOf(/** @type {FileSystemDirectoryEntry} */ (entry)))
      await walk(inner, `${path}/`, pick);
  }
}

/** @param {FileSystemFileEntry} entry @returns {Promise<File>} */
const fileOf = (entry) => new Promise((resolve, reject) => entry.file(resolve, reject));

/** @param {FileSystemDirectoryEntry} folder */
async function entriesOf(folder) {
  const reader = folder.createReader();
  /** @type {FileSystemEntry[]} */
  const all = [];
  // A browser gives a hundred at a time.
  for (;;) {
    const some = await /** @type {Promise<FileSystemEntry[]>} */ (
      new Promise((resolve, reject) => reader.readEntries(resolve, reject))
    );
    if (!some.length) return all;
    all.push(...some);
  }
}

/** Whether these are more than the server takes. @param {Picked[]} picked */
export function isTooMuch(picked) {
  const bytes = picked.reduce((sum, { file }) => sum + file.size, 0);
  return picked.length > MAX_FILES || bytes > MAX_BYTES;
}

/** Lists paths, the first of them when there are many. @param {HTMLElement} list @param {string[]} paths */
export function listPaths(list, paths) {
  const shown = paths.slice(0, SHOWN).map((path) => {
    const item = document.createElement("li");
    item.textContent = path;
    return item;
  });
  if (paths.length > SHOWN) {
    const more = document.createElement("li");
    more.textContent = "…";
    shown.push(more);
  }
  list.replaceChildren(...shown);
}

/** What is said when something that was dropped cannot be read. */
export const unreadableText = () =>
  gettext("This browser could not read all of what was dropped. Choose the files instead.");

/** Returns which folders were left out, as a sentence. @param {string[]} folders */
export const leftOutText = (folders) =>
  interpolate(gettext("Left out, as no part of the project: %(folders)s."), {
    folders: listed(folders),
  });

/**
 * Marks an element while files are dragged over it, and hands over what is dropped there.
 * @param {HTMLElement} element
 * @param {(pick: Promise<Pick>) => void} take
 */
export function onDrop(element, take) {
  const holdsFiles = (/** @type {DragEvent} */ event) =>
    event.dataTransfer?.types.includes("Files") ?? false;
  element.addEventListener("dragover", (event) => {
    if (!holdsFiles(event)) return;
    event.preventDefault();
    element.classList.add("dropping");
  });
  element.addEventListener("dragleave", ({ relatedTarget }) => {
    // Into a child is not away.
    if (!(relatedTarget instanceof Node && element.contains(relatedTarget)))
      element.classList.remove("dropping");
  });
  element.addEventListener("drop", () => element.classList.remove("dropping"));
  element.addEventListener("drop", (event) => {
    if (!event.dataTransfer || !holdsFiles(event)) return;
    event.preventDefault();
    take(dropped(event.dataTransfer));
  });
}

/** Files that are dropped beside the place for them are let be: a browser would show them in place of the page. */
export function keepPage() {
  for (const name of /** @type {const} */ (["dragover", "drop"])) {
    addEventListener(name, (event) => {
      const { dataTransfer } = event;
      if (event.defaultPrevented || !dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      dataTransfer.dropEffect = "none";
    });
  }
}
