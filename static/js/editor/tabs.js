/** The row of open files. */

import { find, fromTemplate, setText } from "../lib/dom.js";

/** @import { Project } from "../collab/project.js" */
/** @import { Live } from "./live.js" */
/** @import { Workspace } from "./workspace.js" */

/**
 * Keeps the tabs in step with the open files. Alt+W closes the shown one, Alt+1 to Alt+9 show one.
 * @param {object} options
 * @param {HTMLElement} options.list
 * @param {Workspace} options.workspace
 * @param {Project} options.project
 * @param {Live} options.live
 * @param {() => void} options.focus puts the keyboard into the editor
 */
export function tabs({ list, workspace, project, live, focus }) {
  /** @type {Map<string, HTMLElement>} */
  const items = new Map();

  /** @param {string} file */
  const create = (file) => {
    const item = fromTemplate("tpl-tab");
    find(item, ".tab-open")?.addEventListener("click", () => {
      workspace.open(file);
      focus();
    });
    find(item, ".tab-close")?.addEventListener("click", () => workspace.close(file));
    item.addEventListener("auxclick", (event) => {
      if (event.button === 1) workspace.close(file);
    });
    items.set(file, item);
    return item;
  };

  const draw = () => {
    const open = workspace.files;
    const paths = open.map((file) => project.pathOf(file));
    for (const [file, item] of [...items]) {
      if (open.includes(file)) continue;
      item.remove();
      items.delete(file);
    }
    for (const [index, file] of open.entries()) {
      const item = items.get(file) ?? create(file);
      if (list.children[index] !== item) list.insertBefore(item, list.children[index] ?? null);
      const button = /** @type {HTMLElement} */ (find(item, ".tab-open"));
      setText(find(item, ".tab-name"), shortName(paths[index], paths));
      setText(find(item, ".tab-what"), paths[index]);
      button.title = paths[index];
      const dot = find(item, ".dot");
      if (dot) dot.hidden = !live.has(file);
      if (file === workspace.active) {
        if (!button.hasAttribute("aria-current")) item.scrollIntoView({ block: "nearest" });
        button.setAttribute("aria-current", "true");
      } else button.removeAttribute("aria-current");
    }
  };

  workspace.on("changed", draw);
  project.on("files", draw);
  project.on("welcome", draw);
  live.on("changed", draw);
  document.addEventListener("keydown", (event) => {
    if (!event.altKey || event.ctrlKey || event.metaKey || event.isComposing) return;
    const digit = /^Digit([1-9])$/.exec(event.code)?.[1];
    if (event.code === "KeyW" && workspace.active) workspace.close(workspace.active);
    else if (digit) workspace.showAt(Number(digit) - 1);
    else return;
    event.preventDefault();
  });
}

/**
 * Returns a file's name, with its folder where another open file has the same name.
 * @param {string} path
 * @param {string[]} paths
 */
function shortName(path, paths) {
  const name = nameOf(path);
  const twins = paths.filter((other) => nameOf(other) === name);
  return twins.length > 1 ? path : name;
}

/** @param {string} path */
const nameOf = (path) => path.slice(path.lastIndexOf("/") + 1);
