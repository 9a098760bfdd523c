/** What may be done with a moment in a session: a checkpoint, restoring, a copy, a shared replay. */

import { confirmed } from "../lib/dialogs.js";
import { byId, h, setText } from "../lib/dom.js";
import { gettext, interpolate } from "../lib/i18n.js";
import { markWords, whenOf } from "./words.js";

/** @import { Requests } from "../net/requests.js" */
/** @import { Timeline } from "./timeline.js" */

/**
 * @typedef {object} Shared
 * @property {string} id
 * @property {string} label
 * @property {string} by
 * @property {string | null} expires
 */

/**
 * @param {object} parts
 * @param {Timeline} parts.timeline
 * @param {Requests} parts.requests
 * @param {string} parts.session the address of the session's page
 * @param {() => Promise<unknown>} parts.settled resolves when what was typed here is saved, or soon
 */
export function acts({ timeline, requests, session, settled }) {
  const on = (/** @type {string} */ id, /** @type {() => void} */ act) =>
    document.getElementById(id)?.addEventListener("click", act);
  const told = (/** @type {unknown} */ error) =>
    timeline.say(error instanceof Error ? error.message : String(error));

  const form = document.getElementById("checkpoint-form");
  const label = /** @type {HTMLInputElement} */ (byId("checkpoint-label"));
  const dialog = /** @type {HTMLDialogElement} */ (byId("checkpoint-dialog"));
  on("time-checkpoint", () => {
    label.value = "";
    dialog.showModal();
    label.focus();
  });
  form?.addEventListener("submit", async () => {
    await settled();
    try {
      await requests.ask({ t: "checkpoint", label: label.value.trim() });
      timeline.say(gettext("The checkpoint is made."));
    } catch (error) {
      told(error);
    }
  });

  on("time-restore", async () => {
    const { seq } = timeline;
    const sure = await confirmed({
      title: gettext("Restore the project to this moment?"),
      text: gettext(
        "All files become what they were then, for everybody here. A checkpoint of how they are now is made first, and restoring to it brings all of it back.",
      ),
      ok: gettext("Restore"),
    });
    if (!sure) return;
    timeline.say(gettext("Restoring…"));
    await settled();
    try {
      await requests.ask({ t: "restore", seq });
      await timeline.load();
      timeline.goTo(timeline.overview?.last ?? 0);
      timeline.say(gettext("Restored. A checkpoint from before is in the list."));
    } catch (error) {
      told(error);
    }
  });

  on("time-fork", async () => {
    const { seq } = timeline;
    const sure = await confirmed({
      title: gettext("Make a copy of this moment?"),
      text: gettext("A new session of your team begins with the files as they were then."),
      ok: gettext("Fork"),
    });
    if (!sure) return;
    try {
      const body = new FormData();
      body.set("seq", String(seq));
      const { location: address } = await post(`${session}fork/`, body);
      location.assign(address);
    } catch (error) {
      told(error);
    }
  });

  if (document.getElementById("share-dialog")) share({ timeline, session });
}

/** @param {{ timeline: Timeline, session: string }} parts */
function share({ timeline, session }) {
  const dialog = /** @type {HTMLDialogElement} */ (byId("share-dialog"));
  const form = /** @type {HTMLFormElement} */ (byId("share-form"));
  const from = /** @type {HTMLSelectElement} */ (byId("share-from"));
  const link = /** @type {HTMLInputElement} */ (byId("share-link"));
  const list = byId("share-list");
  const error = byId("share-error");
  let last = 0;

  const fill = async () => {
    const response = await fetch(`${session}replays/`, { headers: { Accept: "application/json" } });
    const { list: shared } = response.ok ? await response.json() : { list: [] };
    byId("share-list-title").hidden = !shared.length;
    list.replaceChildren(...shared.map(row));
  };
  /** @param {Shared} shared */
  const row = (shared) => {
    const name = shared.label || gettext("Replay");
    const until = shared.expires
      ? interpolate(gettext("until %(when)s"), { when: whenOf(Date.parse(shared.expires)) })
      : gettext("until it is revoked");
    const words = interpolate(gettext("Revoke the link %(name)s"), { name });
    return h(
      "li",
      {},
      h("span", {}, `${name} · ${shared.by} · ${until}`),
      h(
        "button",
        {
          type: "button",
          class: "btn small",
          "aria-label": words,
          onclick: () => revoke(shared.id),
        },
        gettext("Revoke"),
      ),
    );
  };
  /** @param {string} id */
  const revoke = async (id) => {
    try {
      await post(`${session}replays/${id}/revoke/`, new FormData());
    } catch (refused) {
      setText(error, refused instanceof Error ? refused.message : String(refused));
    }
    await fill();
    byId("share-ok").focus();
  };

  byId("time-share").addEventListener("click", () => {
    const { overview, seq } = timeline;
    if (!overview) return;
    last = seq;
    const turns = timeline.marks.filter((mark) => mark.seq <= seq);
    from.replaceChildren(
      h("option", { value: overview.first }, gettext("the beginning")),
      ...turns.map((mark) =>
        h("option", { value: mark.seq }, markWords(mark, overview).slice(0, 80)),
      ),
    );
    byId("share-made").hidden = true;
    setText(error, "");
    void fill();
    dialog.showModal();
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    setText(error, "");
    const body = new FormData(form);
    body.set("to", String(last));
    try {
      const made = await post(form.action, body);
      byId("share-made").hidden = false;
      link.value = made.link;
      link.focus();
      link.select();
      await fill();
    } catch (refused) {
      setText(error, refused instanceof Error ? refused.message : String(refused));
    }
  });
  byId("share-copy").addEventListener("click", async () => {
    await navigator.clipboard?.writeText(link.value).catch(() => {});
    link.focus();
    link.select();
  });
}

/**
 * @param {string} address
 * @param {FormData} body
 * @returns {Promise<any>}
 */
async function post(address, body) {
  const token = /** @type {HTMLInputElement | null} */ (
    document.querySelector("input[name=csrfmiddlewaretoken]")
  );
  if (token && !body.has("csrfmiddlewaretoken")) body.set("csrfmiddlewaretoken", token.value);
  const lost = gettext("The server did not do that. Nothing was changed; try again in a moment.");
  let response;
  try {
    response = await fetch(address, {
      method: "POST",
      body,
      headers: { Accept: "application/json" },
    });
  } catch {
    throw new Error(lost);
  }
  const told = await response.json().catch(() => ({}));
  if (!response.ok) throw new Error(told.message || lost);
  return told;
}
