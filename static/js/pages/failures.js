/** A request of htmx that failed says so; htmx itself would leave the page as it was, without a word. */

import { h } from "../lib/dom.js";
import { gettext } from "../lib/i18n.js";

/** Watches all requests that htmx makes in this page. */
export function failures() {
  /** @type {HTMLElement | null} */
  let shown = null;
  const clear = () => {
    shown?.remove();
    shown = null;
  };
  const failed = (/** @type {Event} */ event) => {
    clear();
    const { xhr } = /** @type {CustomEvent} */ (event).detail;
    const target = event.target instanceof Element ? event.target : null;
    const message = h(
      "div",
      { class: "message error failure", role: "alert" },
      failureText(xhr.status),
    );
    // What is behind an open dialog is neither seen nor read.
    (target?.closest("dialog[open]") ?? document.querySelector("main"))?.prepend(message);
    message.scrollIntoView({ block: "nearest" });
    shown = message;
  };
  for (const name of ["htmx:sendError", "htmx:responseError", "htmx:timeout"])
    document.addEventListener(name, failed);
  // Whatever is asked next shows by itself whether all is well again.
  document.addEventListener("htmx:beforeRequest", clear);
}

/** @param {number} status of the answer; 0 when there was none */
export function failureText(status) {
  if (status === 0)
    return gettext("The server cannot be reached. Nothing was changed; try again in a moment.");
  if (status === 404 || status === 410)
    return gettext("That is gone, or not for you any more. Reload the page to see what there is.");
  if (status === 401 || status === 403)
    return gettext(
      "You may not do that, or you are signed out. Nothing was changed; reload the page.",
    );
  if (status === 429)
    return gettext("That was asked too often. Nothing was changed; try again in a minute.");
  return gettext(
    "The server could not do that. Reload the page to see how things are, then try again.",
  );
}
