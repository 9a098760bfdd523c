/** On a narrow screen: files, code and turns as tabs. On a wide one all show, and this changes nothing. */

/**
 * Makes the buttons switch; returns a function that shows a pane by name.
 * @param {HTMLElement} main
 * @param {HTMLElement} nav
 * @returns {(pane: string) => void}
 */
export function panes(main, nav) {
  const buttons = [...nav.querySelectorAll("button")];
  const show = (/** @type {string} */ pane) => {
    main.dataset.pane = pane;
    for (const button of buttons) {
      if (button.dataset.pane === pane) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    }
  };
  for (const button of buttons) {
    button.addEventListener("click", () => show(button.dataset.pane ?? "code"));
  }
  return show;
}
