/**
 * What this browser keeps: the sessions that can be opened without the network, and what was typed and never sent, also in
 * sessions that are gone.
 */

import { discard, holdings } from "../collab/holdings.js";
import { byId, find, fromTemplate, setText } from "../lib/dom.js";
import { formatNumber, gettext, interpolate, ngettext } from "../lib/i18n.js";
import { exact, relative } from "../lib/time.js";
import { keptPages } from "./keptpages.js";

/** @import { Holding, Unsent } from "../collab/holdings.js" */

/** @param {Holding} holding */
const titleOf = ({ title }) => title || gettext("A session that is gone");

/** @param {Holding} holding @param {boolean} openable */
function sessionRow(holding, openable) {
  const row = fromTemplate("tpl-kept");
  const link = /** @type {HTMLAnchorElement} */ (find(row, "a"));
  setText(link, titleOf(holding));
  if (openable) link.href = `/s/${holding.slug}/`;
  const time = /** @type {HTMLTimeElement} */ (find(row, "time"));
  const at = new Date(holding.at);
  time.dateTime = at.toISOString();
  time.title = exact(at);
  setText(time, relative(at));
  const { edits: count } = holding;
  const words = ngettext("%(count)s edit waiting", "%(count)s edits waiting", count);
  setText(
    find(row, ".kept-edits"),
    count ? interpolate(words, { count: formatNumber(count) }) : "",
  );
  return row;
}

/** @param {Holding} holding @param {Unsent} unsent @param {() => void} changed */
function unsentRow(holding, unsent, changed) {
  const row = fromTemplate("tpl-unsent");
  const words = gettext("%(path)s in “%(title)s”");
  setText(find(row, "h3"), interpolate(words, { path: unsent.path, title: titleOf(holding) }));
  const text = /** @type {HTMLElement} */ (find(row, "pre"));
  setText(text, unsent.text || gettext("Nothing was added, only removed."));
  const copy = /** @type {HTMLElement} */ (find(row, ".unsent-copy"));
  copy.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(unsent.text);
      setText(copy, gettext("Copied"));
    } catch {
      getSelection()?.selectAllChildren(text);
    }
  });
  find(row, ".unsent-discard")?.addEventListener("click", async () => {
    if (await discard(unsent)) {
      row.remove();
      changed();
    } else {
      setText(
        find(row, ".unsent-open"),
        gettext("The session is open in another tab. Deal with it there, or close that tab first."),
      );
    }
  });
  return row;
}

async function draw() {
  const { user = "" } = byId("offline").dataset;
  const slugs = await keptPages(user).catch(() => new Set());
  // A browser without a database has kept nothing.
  const all = user ? await holdings(user).catch(() => []) : [];
  const rows = all.filter(({ slug }) => slugs.has(slug));
  byId("kept-list").replaceChildren(...rows.map((one) => sessionRow(one, true)));
  byId("kept").hidden = !rows.length;
  byId("kept-none").hidden = rows.length > 0;
  const list = byId("unsent-list");
  const changed = () => {
    byId("unsent").hidden = !list.childElementCount;
  };
  const texts = all.flatMap((one) => one.unsent.map((unsent) => unsentRow(one, unsent, changed)));
  list.replaceChildren(...texts);
  changed();
  byId("offline").dataset.ready = "true";
}

// The address is that of the page that was asked for, when this one stands in for it.
byId("offline-again").hidden = location.pathname === "/offline/";
byId("offline-again").addEventListener("click", () => location.reload());
addEventListener("online", () => {
  if (location.pathname !== "/offline/") location.reload();
});
await draw();
