// What every page does: menus close when left, buttons open and close dialogs, failed requests say so, times stay fresh.

import { exact, relative } from "../lib/time.js";
import { failures } from "./failures.js";
import { signOut } from "./signout.js";

/** Closes each open menu that does not hold `inside`. @param {EventTarget | null} inside */
function closeMenus(inside) {
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    if (!(inside instanceof Node && menu.contains(inside))) menu.removeAttribute("open");
  }
}

/** @param {MouseEvent} event */
function onClick(event) {
  const target = event.target instanceof Element ? event.target : null;
  closeMenus(target);
  const opener = target?.closest("[data-opens]");
  if (opener instanceof HTMLElement) {
    const dialog = document.getElementById(opener.dataset.opens ?? "");
    if (dialog instanceof HTMLDialogElement && !dialog.open) dialog.showModal();
  }
  const closer = target?.closest("[data-closes]");
  const open = closer?.closest("dialog");
  if (open) {
    event.preventDefault(); // where there is no dialog, Cancel is a link
    open.close();
  }
}

/** A partial that htmx put into a dialog is meant to be seen. @param {Event} event */
function onSwap(event) {
  const dialog = event.target instanceof Element ? event.target.closest("dialog") : null;
  if (!dialog || dialog.open) return;
  dialog.showModal();
  const field = dialog.querySelector("input:not([type=hidden]), textarea");
  if (field instanceof HTMLInputElement) field.select();
  else if (field instanceof HTMLElement) field.focus();
}

/** Escape leaves a menu and nothing else. @param {KeyboardEvent} event */
function onEscape(event) {
  if (event.key !== "Escape") return;
  const menu = document.querySelector("details.menu[open]");
  if (!menu) return;
  menu.removeAttribute("open");
  menu.querySelector("summary")?.focus();
  event.stopPropagation();
}

/** Writes each relative time anew, in the page's language. */
function freshenTimes() {
  for (const element of document.querySelectorAll("time[data-ago]")) {
    if (element instanceof HTMLTimeElement) {
      const at = new Date(element.dateTime);
      element.textContent = relative(at);
      element.title = exact(at);
    }
  }
}

document.addEventListener("click", onClick);
document.addEventListener("htmx:afterSwap", onSwap);
document.addEventListener("keydown", onEscape, { capture: true });
document.addEventListener("focusin", (event) => closeMenus(event.target));
failures();
signOut();
freshenTimes();
setInterval(freshenTimes, 30_000);
