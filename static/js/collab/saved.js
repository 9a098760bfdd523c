/** Whether what was typed is safe, in one word or two. Pure. */

import { gettext, interpolate, ngettext } from "../lib/i18n.js";

/** @import { SocketState } from "../net/socket.js" */

/**
 * Returns what the page says about the connection and unsent edits.
 * @param {object} now
 * @param {SocketState} now.state of the socket
 * @param {number} now.pending edits that are not confirmed
 * @param {boolean} now.everLive whether there was a connection before
 * @param {boolean} [now.readOnly] whether this person may not type
 * @param {boolean} [now.kept] whether what is shown was kept from an earlier visit
 * @returns {{ state: "connecting" | "saved" | "saving" | "offline" | "reconnecting" | "closed", text: string }}
 */
export function savedState({ state, pending, everLive, readOnly = false, kept = false }) {
  if (state === "closed") return { state: "closed", text: gettext("Closed") };
  if (state === "live" && readOnly && !pending)
    return { state: "saved", text: gettext("Read only") };
  if (state === "live") {
    return pending
      ? { state: "saving", text: gettext("Saving…") }
      : { state: "saved", text: gettext("Saved") };
  }
  if (pending) {
    const text = ngettext(
      "Offline, %(count)s edit waiting",
      "Offline, %(count)s edits waiting",
      pending,
    );
    return { state: "offline", text: interpolate(text, { count: pending }) };
  }
  if (state === "offline" || kept) return { state: "offline", text: gettext("Offline") };
  return everLive
    ? { state: "reconnecting", text: gettext("Reconnecting…") }
    : { state: "connecting", text: gettext("Connecting…") };
}
