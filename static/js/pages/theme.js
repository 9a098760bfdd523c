// Sets the colours before the first paint, hence a classic script in the head and no module, and
// keeps the buttons that choose them. The choice stays in this browser.
{
  const KEY = "flint-theme";
  const root = document.documentElement;

  /** @returns {string} light, dark or system */
  const chosen = () => {
    try {
      return localStorage.getItem(KEY) ?? "system";
    } catch {
      return "system"; // storage is off: the system decides
    }
  };

  /** @param {string} theme */
  const show = (theme) => {
    if (theme === "light" || theme === "dark") root.dataset.theme = theme;
    else delete root.dataset.theme;
    for (const button of document.querySelectorAll("[data-theme-choice]")) {
      const mine = button instanceof HTMLElement && button.dataset.themeChoice === theme;
      button.setAttribute("aria-pressed", String(mine));
    }
  };

  show(chosen());
  document.addEventListener("DOMContentLoaded", () => show(chosen()));
  addEventListener("storage", (event) => {
    if (event.key === KEY) show(chosen());
  });
  document.addEventListener("click", (event) => {
    const target = event.target instanceof Element ? event.target : null;
    const button = target?.closest("[data-theme-choice]");
    if (!(button instanceof HTMLElement)) return;
    const theme = button.dataset.themeChoice ?? "system";
    try {
      localStorage.setItem(KEY, theme);
    } catch {
      // storage is off: the choice lasts as long as the page
    }
    show(theme);
  });
}
