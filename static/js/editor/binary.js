/** Stands where a text would, for a file that is not one. */

import { byId, setText } from "../lib/dom.js";
import { gettext, interpolate, numberFormat } from "../lib/i18n.js";

/** @import { Project } from "../collab/project.js" */
/** @import { Workspace } from "./workspace.js" */

/**
 * @param {{ workspace: Workspace, project: Project }} parts
 * @returns {() => boolean} puts the keyboard there; says whether it stands there now
 */
export function binary({ workspace, project }) {
  const place = byId("editor-binary");
  workspace.on("binary", ({ file }) => {
    const info = project.files.get(file);
    if (!info) return;
    const size = sized(info.size);
    setText(byId("editor-binary-name"), info.path);
    const text = gettext("This file is binary (%(size)s). It is kept and comes with the download.");
    setText(byId("editor-binary-text"), interpolate(text, { size }));
    byId("editor-empty").hidden = true;
    place.hidden = false;
  });
  workspace.on("changed", () => {
    place.hidden = true;
    byId("editor-empty").hidden = workspace.active !== null;
  });
  return () => {
    place.focus();
    return !place.hidden;
  };
}

/** @param {number} bytes */
function sized(bytes) {
  const [unit, value] =
    bytes < 1000
      ? ["byte", bytes]
      : bytes < 1e6
        ? ["kilobyte", bytes / 1000]
        : ["megabyte", bytes / 1e6];
  const digits = value < 10 && unit !== "byte" ? 1 : 0;
  return numberFormat({
    style: "unit",
    unit: String(unit),
    maximumFractionDigits: digits,
  }).format(Number(value));
}
