/** Files into the session that is open: chosen, or dropped on the list of files. */

import { byId } from "../lib/dom.js";
import { formatNumber, formatPercent, gettext, interpolate, ngettext } from "../lib/i18n.js";
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

/** @import { Project } from "../collab/project.js" */
/** @import { Pick, Picked } from "./picking.js" */

/**
 * @param {object} parts
 * @param {Project} parts.project
 * @param {(message: string) => void} parts.say
 */
export function upload({ project, say }) {
  keepPage();
  const link = document.getElementById("upload");
  if (!(link instanceof HTMLAnchorElement)) return; // this person may only look
  const form = /** @type {HTMLFormElement} */ (byId("upload-form"));
  const input = /** @type {HTMLInputElement} */ (byId("upload-input"));
  let busy = false;

  const send = async (/** @type {Picked[]} */ picked, /** @type {string} */ conflicts) => {
    const token = String(new FormData(form).get("csrfmiddlewaretoken") ?? "");
    /** @type {[string, string][]} */
    const fields = [
      ["csrfmiddlewaretoken", token],
      ["conflicts", conflicts],
    ];
    return sendFiles(link.href, fields, picked, (part) => {
      // In steps, since each is read out.
      const percent = formatPercent(Math.floor(part * 4) / 4);
      say(interpolate(gettext("Uploading… %(percent)s"), { percent }));
    });
  };
  const take = async (/** @type {Pick} */ { picked, left }) => {
    if (!project.mayEdit) return;
    if (busy) return say(gettext("The last files are still on their way. Add these after them."));
    if (!picked.length) {
      if (left.length) say(leftOutText(left));
      return;
    }
    if (isTooMuch(picked)) {
      say(gettext("That is more than 20 MB or 2,000 files. Nothing was added."));
      return;
    }
    busy = true;
    try {
      let answer = await send(picked, "ask");
      if (answer.status === 409 && answer.exists) {
        const conflicts = await asked(answer.exists);
        if (!conflicts) {
          say(gettext("Nothing was added."));
          return;
        }
        answer = await send(picked, conflicts);
      }
      say(answer.message ?? outcome(answer));
    } finally {
      busy = false;
    }
  };

  link.addEventListener("click", (event) => {
    event.preventDefault();
    input.click();
  });
  input.addEventListener("change", async () => {
    await take(chosen(input));
    input.value = "";
  });
  onDrop(byId("tree"), async (dropping) => {
    const pick = await dropping.catch(() => null);
    if (pick) await take(pick);
    else say(unreadableText());
  });
  project.on("welcome", () => {
    link.hidden = !project.mayEdit;
  });
}

/** @param {import("./sending.js").Answer} answer */
function outcome({ added = [], replaced = [], skipped = [] }) {
  const came = added.length + replaced.length;
  if (!came) return gettext("Nothing was added: all of these files were there already.");
  const values = { count: formatNumber(came), skipped: formatNumber(skipped.length) };
  return skipped.length
    ? interpolate(
        ngettext(
          "%(count)s file came in. Kept as they were: %(skipped)s.",
          "%(count)s files came in. Kept as they were: %(skipped)s.",
          came,
        ),
        values,
      )
    : interpolate(ngettext("%(count)s file came in.", "%(count)s files came in.", came), values);
}

/** Asks what becomes of files that are there already; "" for nothing. @param {string[]} paths @returns {Promise<string>} */
function asked(paths) {
  const dialog = /** @type {HTMLDialogElement} */ (byId("upload-dialog"));
  listPaths(byId("upload-names"), paths);
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => resolve(dialog.returnValue), { once: true });
  });
}
