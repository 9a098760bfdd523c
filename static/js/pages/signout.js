/**
 * Signing out takes everything of the person out of this browser: pages, texts, edits, drafts. Edits that were never
 * sent are asked about first, and without a connection nothing happens, since nobody would be signed out.
 */

import { forgetPerson, holdings } from "../collab/holdings.js";
import { find } from "../lib/dom.js";
import { keptFor, PREFIX } from "../lib/kept.js";
import { dropPages } from "./keptpages.js";

/** Between the pages of this browser; one object, since a second one in this page would hear it, too. */
const channel =
  typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel("flint-signed-out");

/** What else is to be done in this page. @type {(() => void)[]} */
const listeners = [];

/** Calls back when the person signs out, here or in another page of this browser. @param {() => void} gone */
export function onSignOut(gone) {
  listeners.push(gone);
}

function goneHere() {
  for (const gone of listeners) gone();
}

/** Watches the form that signs out, if this page has one, and what other pages say of it. */
export function signOut() {
  const form = find(document, "[data-sign-out]");
  const dialog = find(document, "#sign-out-dialog");
  if (!(form instanceof HTMLFormElement) || !(dialog instanceof HTMLDialogElement)) return;
  channel?.addEventListener("message", () => {
    goneHere();
    location.assign("/");
  });
  const user = form.dataset.signOut ?? "";
  const say = (/** @type {string} */ what) => {
    dialog.dataset.say = what;
    if (!dialog.open) dialog.showModal();
  };
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (await hasUnsent(user)) say("unsent");
    else await leave(form, user, say);
  });
  find(dialog, "[data-sign-out-anyway]")?.addEventListener("click", async () => {
    dialog.close();
    await leave(form, user, say);
  });
}

/** @param {string} user */
async function hasUnsent(user) {
  if (hasWaiting(user)) return true;
  try {
    return (await holdings(user)).some(({ unsent }) => unsent.length);
  } catch {
    return false;
  }
}

/** Whether a prompt waits for a connection. @param {string} user */
function hasWaiting(user) {
  try {
    return keptFor(localStorage, user).some((key) => key.startsWith(`${PREFIX}waiting.`));
  } catch {
    return false;
  }
}

/** @param {HTMLFormElement} form @param {string} user @param {(what: string) => void} say */
async function leave(form, user, say) {
  let answer;
  try {
    const body = new FormData(form);
    answer = await fetch(form.action, { method: "POST", body, redirect: "manual" });
  } catch {
    return say("away");
  }
  // Not the redirect of somebody who is signed out now: the server has something to show.
  if (answer.type !== "opaqueredirect") return form.submit();
  // Pages that are open must not keep anything once it is forgotten, nor this one leave before it is.
  goneHere();
  channel?.postMessage(null);
  await forget(user);
  location.assign("/");
}

/** @param {string} user */
async function forget(user) {
  await Promise.allSettled([forgetPerson(user), dropPages()]);
  for (const name of /** @type {const} */ (["localStorage", "sessionStorage"])) {
    try {
      const storage = globalThis[name];
      for (const key of keptFor(storage, user)) storage.removeItem(key);
    } catch {
      // Storage is off, so there is nothing in it.
    }
  }
}
