// The page where a session starts: lists what was chosen or dropped, and sends it with progress. Without this
// script the page is a plain form that does the same.

import { byId, setText } from "../lib/dom.js";
import { formatNumber, gettext, interpolate, ngettext } from "../lib/i18n.js";
import {
  chosen,
  isTooMuch,
  keepPage,
  leftOutText,
  listPaths,
  onDrop,
  unreadableText,
} from "./picking.js";
import { sendFiles } from "./sending.js";

/** @import { Pick, Picked } from "./picking.js" */

const form = document.getElementById("new-session");
if (form instanceof HTMLFormElement) start(form);

/** @param {HTMLFormElement} form */
function start(form) {
  const files = /** @type {HTMLInputElement} */ (byId("new-files"));
  const folder = /** @type {HTMLInputElement} */ (byId("new-folder"));
  const progress = /** @type {HTMLProgressElement} */ (byId("new-progress"));
  const button = /** @type {HTMLButtonElement} */ (byId("new-send"));
  const problem = byId("new-problem");
  /** @type {Picked[]} */
  let picked = [];

  const show = (/** @type {Pick} */ pick) => {
    picked = pick.picked;
    const { length } = picked;
    byId("new-chosen").hidden = !length && !pick.left.length;
    setText(
      byId("new-count"),
      interpolate(ngettext("%(count)s file", "%(count)s files", length), {
        count: formatNumber(length),
      }),
    );
    const left = byId("new-left-out");
    left.hidden = !pick.left.length;
    setText(left, leftOutText(pick.left));
    listPaths(
      byId("new-names"),
      picked.map(({ path }) => path),
    );
    refuse(isTooMuch(picked) ? gettext("That is more than 20 MB or 2,000 files.") : "");
  };
  const refuse = (/** @type {string} */ message) => {
    const nothing = gettext("Nothing was created.");
    setText(problem, message && `${message} ${nothing}`);
    if (message) problem.scrollIntoView({ block: "nearest" });
  };

  for (const input of [files, folder])
    input.addEventListener("change", () => show(chosen(files, folder)));
  // Chosen while this script was on its way, or given back by the browser.
  if (files.files?.length || folder.files?.length) show(chosen(files, folder));
  keepPage();
  onDrop(byId("new-drop"), async (pick) => {
    files.value = "";
    folder.value = "";
    try {
      show(await pick);
    } catch {
      show({ picked: [], left: [] });
      refuse(unreadableText());
    }
    button.focus();
  });
  form.addEventListener("submit", async (event) => {
    const { submitter } = event;
    if (!(submitter instanceof HTMLButtonElement) || submitter.value !== "files") return;
    if (!picked.length) return;
    event.preventDefault();
    if (isTooMuch(picked) || button.disabled) return;
    button.disabled = true;
    progress.hidden = false;
    refuse("");
    const data = new FormData(form);
    /** @type {[string, string][]} */
    const fields = [["from", "files"]];
    for (const name of ["csrfmiddlewaretoken", "team", "title"])
      fields.push([name, String(data.get(name) ?? "")]);
    const answer = await sendFiles(form.action || location.href, fields, picked, (part) => {
      progress.value = part;
    });
    progress.hidden = true;
    button.disabled = false;
    if (answer.location) location.assign(answer.location);
    else refuse(answer.message ?? "");
  });
}
