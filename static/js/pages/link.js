// The page of a one-time sign-in link. Its secret stands behind # in the address; it goes into the
// form only when the person presses the button.

import { byId } from "../lib/dom.js";

/** @type {HTMLInputElement} */
const field = byId("link-secret");
const secret = () => location.hash.slice(1);

/** Shows the button, or what is wrong with the address. */
function show() {
  const complete = secret() !== "";
  byId("link-ready").hidden = !complete;
  byId("link-button").hidden = !complete;
  byId("link-missing").hidden = complete;
}

byId("link-form").addEventListener("submit", () => {
  field.value = secret();
});
addEventListener("hashchange", show);
show();
