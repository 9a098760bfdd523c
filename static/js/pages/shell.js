/**
 * Has this page's shell kept by the service worker, for the person who is signed in. Where a browser gives none
 * (plain http other than on this machine) the page works as ever, and needs the network to be loaded.
 */

import { forgetOldest, forgetOthers } from "../collab/holdings.js";
import { gettext } from "../lib/i18n.js";
import { onSignOut } from "./signout.js";

/** @import { Store } from "../collab/store.js" */
/** @import { Socket } from "../net/socket.js" */

/** As many sessions keep their texts here as the worker keeps pages. */
const SESSIONS = 20;

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
    if (data?.t === "kept") document.documentElement.dataset.kept = data.path;
  });
  const end = socket.on("state", ({ state }) => {
    if (state !== "live") return;
    end();
    void forgetOthers(user).catch(() => {});
    void forgetOldest(user, SESSIONS).catch(() => {});
    void register(user);
  });
  onSignOut(() => {
    store.close();
    socket.stop();
    location.assign("/");
  });
}

/** @param {string} user */
async function register(user) {
  try {
    await navigator.serviceWorker?.register("/sw.js", { scope: "/", updateViaCache: "none" });
    const { active } = (await navigator.serviceWorker?.ready) ?? {};
    const { lang: language } = document.documentElement;
    active?.postMessage({ t: "keep", user, path: location.pathname, language });
  } catch {
    // A browser may forbid it (private windows do); the page only needs the network then.
  }
}
