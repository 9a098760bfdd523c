/** Sends files with a form's fields, and says how far it is; `fetch` cannot. */

import { gettext } from "../lib/i18n.js";

/** @import { Picked } from "./picking.js" */

/**
 * @typedef {object} Answer what the server said, as JSON; `message` is a sentence when it refused
 * @property {number} status
 * @property {string} [message]
 * @property {string} [location]
 * @property {string[]} [exists]
 * @property {string[]} [added]
 * @property {string[]} [replaced]
 * @property {string[]} [skipped]
 */

/**
 * @param {string} address
 * @param {Iterable<[string, string]>} fields
 * @param {Picked[]} picked
 * @param {(part: number) => void} progress is told how much is sent, from 0 to 1
 * @returns {Promise<Answer>} never rejects
 */
export function sendFiles(address, fields, picked, progress) {
  const form = new FormData();
  for (const [name, value] of fields) form.append(name, value);
  for (const { path, file } of picked) form.append("files", file, path);
  const request = new XMLHttpRequest();
  request.open("POST", address);
  request.setRequestHeader("Accept", "application/json");
  request.upload.addEventListener("progress", ({ loaded, total }) => {
    if (total) progress(loaded / total);
  });
  return new Promise((resolve) => {
    const failed = () =>
      resolve({
        status: 0,
        message: gettext("The files did not reach the server. Look at the network and try again."),
      });
    request.addEventListener("error", failed);
    request.addEventListener("abort", failed);
    request.addEventListener("load", () => resolve(answerOf(request)));
    request.send(form);
  });
}

/** @param {XMLHttpRequest} request @returns {Answer} */
function answerOf(request) {
  const { status } = request;
  try {
    return { ...JSON.parse(request.responseText), status };
  } catch {
    const message =
      status === 413
        ? gettext("That is more than this server takes at once. Send less.")
        : gettext("The server did not take the files. Reload the page and try again.");
    return { status: status || 500, message };
  }
}
