/** What is said of moments. */

import { gettext, interpolate, language, ngettext } from "../lib/i18n.js";

/** @import { Shown } from "./player.js" */
/** @import { Moment, Overview, Who } from "./source.js" */

/** @param {Who | null | undefined} who */
export function nameOf(who) {
  return who?.model ? "Flint" : who?.name || gettext("Somebody");
}

/** A moment's date and time. @param {number} at */
export function whenOf(at) {
  const format = new Intl.DateTimeFormat(language(), { dateStyle: "medium", timeStyle: "medium" });
  return format.format(new Date(at));
}

/** What the last entry before a moment did. @param {Shown} shown */
export function doneBy({ entry, who, files, file }) {
  if (!entry) return gettext("The beginning");
  const name = nameOf(who);
  const known = files.find((each) => each.file === entry.file) ?? file;
  const path = entry.path ?? known?.path ?? "";
  const values = { name, path };
  if (entry.restore) return interpolate(gettext("%(name)s restored the project"), values);
  if (entry.kind === "create") return interpolate(gettext("%(name)s created %(path)s"), values);
  if (entry.kind === "delete") return interpolate(gettext("%(name)s deleted a file"), values);
  if (entry.kind === "rename")
    return interpolate(gettext("%(name)s renamed a file to %(path)s"), values);
  if (entry.kind === "revert")
    return interpolate(gettext("%(name)s took back a change in %(path)s"), values);
  return interpolate(gettext("%(name)s edited %(path)s"), values);
}

/** A mark on the track. @param {Moment} moment @param {Overview} overview */
export function markWords(moment, { people, moments }) {
  const { kind, text = "", count = 1, path = "" } = moment;
  const name = moment.name ?? nameOf(people[moment.by ?? -1]);
  if (kind === "turn") return interpolate(gettext("%(name)s asked: %(text)s"), { name, text });
  if (kind === "restore") return interpolate(gettext("%(name)s restored the project"), { name });
  if (kind === "checkpoint") {
    if (text) return interpolate(gettext("Checkpoint: %(text)s"), { text });
    const restored = moments.some(({ kind, seq }) => kind === "restore" && seq === moment.seq + 1);
    if (restored) return gettext("Checkpoint before a restore");
    return name ? interpolate(gettext("Checkpoint by %(name)s"), { name }) : gettext("The start");
  }
  if (count > 1) {
    return interpolate(ngettext("%(count)s file", "%(count)s files", count), { count });
  }
  return path;
}
