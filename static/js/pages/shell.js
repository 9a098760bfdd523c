/**
 * Has this page's shell kept by the service worker, for the person who is signed in. Where a browser gives none
 * (plain http other than on this machine) the page works as ever, and needs the network to be loaded.
 */

import { forgetBut, forgetOthers, holdings } from "../collab/holdings.js";
import { gettext } from "../lib/i18n.js";
import { dropPage, keptPages } from "./keptpages.js";
import { onSignOut } from "./signout.js";

/** @import { Store } from "../collab/store.js" */
/** @import { Socket } from "../net/socket.js" */

/** Where no worker keeps pages, so many sessions keep their texts: for the connection that is lost and comes back. */
const SESSIONS = 20;
const HOUR_MS = 3_600_000;
/** Keeping a page fetches some hundred files; that comes after the first things a person does here. */
const LATER_MS = 2_000;

/**
 * Keeps it from the first welcome on.
 * @param {{ socket: Socket, store: Store, user: string, say: (message: string) => void }} parts
 */
export function keepShell({ socket, store, user, say }) {
  let said = false;
  const full = () => {
    if (said) return;
    said = true;
    say(
      gettext(
        "This browser has no room left to keep the page for when the network is away. What you type is kept as long as the page is open.",
      ),
    );
  };
  store.on("full", full);
  const { serviceWorker } = navigator;
  serviceWorker?.addEventListener("message", ({ data }) => {
    if (data?.t === "full") full();
    if (data?.t !== "kept") return;
    if (data.path === location.pathname) document.documentElement.dataset.kept = data.path;
    // A session without a page is one that is gone, or was not seen for long.
    void keptPages(user)
      .then((slugs) => tidy(user, slugs))
      .catch(() => {});
  });
  let begun = false;
  socket.on("state", ({ state }) => {
    // Closed for good: this person may not see the session any more, or is nobody.
    if (state === "closed") void dropPage(user, location.pathname).catch(() => {});
    if (state !== "live" || begun) return;
    begun = true;
    void forgetOthers(user).catch(() => {});
    if (serviceWorker) setTimeout(() => void register(user), LATER_MS);
    else
      void latest(user)
        .then((slugs) => tidy(user, slugs))
        .catch(() => {});
  });
  onSignOut(() => {
    store.close();
    socket.stop();
  });
}

/** The sessions seen last. @param {string} user */
async function latest(user) {
  const all = await holdings(user);
  return new Set(all.slice(0, SESSIONS).map(({ slug }) => slug));
}

/** @param {string} user @param {Set<string>} slugs */
async function tidy(user, slugs) {
  await forgetBut(user, slugs, Date.now() - HOUR_MS).catch(() => {});
}

/** @param {string} user */
async function register(user) {
  try {
    await navigator.serviceWorker.register("/sw.js", { scope: "/", updateViaCache: "none" });
    const { active } = await navigator.serviceWorker.ready;
    const { lang: language } = document.documentElement;
    active?.postMessage({ t: "keep", user, path: location.pathname, language });
  } catch {
    // A browser may forbid it (private windows do); the page only needs the network then.
  }
}
