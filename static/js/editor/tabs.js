/** The row of open files, as the tabs pattern has it: one stop for Tab, arrows between them, Delete closes. */

import { arrange, find, fromTemplate, setText } from "../lib/dom.js";
import { gettext, interpolate } from "../lib/i18n.js";
import { IS_MAC } from "../lib/keys.js";

/** @import { Project } from "../collab/project.js" */
/** @import { Live } from "./live.js" */
/** @import { Workspace } from "./workspace.js" */

/**
 * @typedef {object} TabParts
 * @property {HTMLElement} list
 * @property {Workspace} workspace
 * @property {Project} project
 * @property {Live} live
 * @property {() => void} focus puts the keyboard into the editor
 */

/**
 * Keeps the tabs in step with the open files. Alt+W closes the shown one, Alt+1 to Alt+9 show one; on a Mac it is
 * Ctrl.
 * @param {TabParts} parts
 */
export function tabs({ list, workspace, project, live, focus }) {
  /** @type {Map<string, HTMLElement>} */
  const items = new Map();

  /** @param {string} file */
  const create = (file) => {
    const tab = fromTemplate("tpl-tab");
    tab.addEventListener("click", (event) => {
      const close = event.target instanceof Element && event.target.closest(".tab-close");
      if (close) {
        workspace.close(file);
        return focus();
      }
      workspace.open(file);
      // A click that the keyboard made leaves the keyboard where it is.
      if (event.detail) focus();
    });
    tab.addEventListener("auxclick", (event) => {
      if (event.button === 1) workspace.close(file);
    });
    tab.addEventListener("keydown", (event) => move(event, file));
    items.set(file, tab);
    return tab;
  };

  /** @param {KeyboardEvent} event @param {string} file */
  const move = (event, file) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const { files } = workspace;
    const at = files.indexOf(file);
    const last = files.length - 1;
    /** @type {Record<string, number>} */
    const goals = {
      ArrowRight: at === last ? 0 : at + 1,
      ArrowLeft: at === 0 ? last : at - 1,
      Home: 0,
      End: last,
    };
    if (event.key === "Delete") workspace.close(file);
    else if (event.key in goals) workspace.showAt(goals[event.key]);
    else return;
    event.preventDefault();
    items.get(workspace.active ?? "")?.focus();
  };

  const draw = () => {
    const open = workspace.files;
    const paths = open.map((file) => project.pathOf(file));
    for (const file of [...items.keys()]) {
      if (open.includes(file)) continue;
      items.delete(file);
    }
    arrange(
      list,
      open.map((file) => items.get(file) ?? create(file)),
    );
    for (const [index, file] of open.entries()) {
      const tab = /** @type {HTMLElement} */ (items.get(file));
      setText(find(tab, ".tab-name"), shortName(paths[index], paths));
      const asks = project.questions.some((one) => one.file === file);
      const waits = gettext("%(path)s: Flint waits for a word on it");
      tab.title = asks ? interpolate(waits, { path: paths[index] }) : paths[index];
      const dot = find(tab, ".dot");
      if (dot) dot.hidden = !asks && !live.has(file);
      dot?.classList.toggle("asks", asks);
      const active = file === workspace.active;
      if (active && tab.tabIndex !== 0) tab.scrollIntoView({ block: "nearest" });
      tab.setAttribute("aria-selected", String(active));
      tab.tabIndex = active ? 0 : -1;
    }
  };

  // The row gets narrower when the preview opens, and has no width at all while another pane shows.
  new ResizeObserver(() => {
    items.get(workspace.active ?? "")?.scrollIntoView({ block: "nearest" });
  }).observe(list);
  workspace.on("changed", draw);
  project.on("files", draw);
  project.on("welcome", draw);
  project.on("withheld", draw);
  live.on("changed", draw);
  document.addEventListener("keydown", (event) => {
    // On a Mac, Option with a digit types a character; on a German one it types brackets.
    const mine = IS_MAC ? event.ctrlKey && !event.altKey : event.altKey && !event.ctrlKey;
    if (!mine || event.metaKey || event.shiftKey || event.isComposing) return;
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
