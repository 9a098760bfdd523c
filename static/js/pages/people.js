/** The faces of who is here, this person first, and the model. A press on a face follows that person. */

import { arrange, fromTemplate, h } from "../lib/dom.js";
import { formatNumber, gettext, interpolate, listed } from "../lib/i18n.js";
import { initials } from "../lib/names.js";

/** @import { Project } from "../collab/project.js" */
/** @import { Companion } from "../editor/companion.js" */

/** How many faces there is room for; who is more than that is a number with names on hover. */
const MOST = { narrow: 2, wide: 5 };

/**
 * Keeps the list of people in step. A person with several tabs is one face.
 * @param {object} parts
 * @param {HTMLElement} parts.list
 * @param {Project} parts.project
 * @param {Companion} parts.companion
 * @param {(words: string) => void} parts.announce
 */
export function people({ list, project, companion, announce }) {
  const narrow = matchMedia("(max-width: 520px)");
  /** By what it shows, so that a face keeps the keyboard while others come and go. @type {Map<string, HTMLElement>} */
  const faces = new Map();
  const face = (/** @type {string} */ key, /** @type {() => HTMLElement} */ make) => {
    const known = faces.get(key) ?? make();
    faces.set(key, known);
    return known;
  };
  const draw = () => {
    const byUser = new Map([...project.people.values()].map((person) => [person.user, person]));
    const mine = project.you?.user;
    const all = [...byUser.values()].sort(
      (one, other) => Number(other.user === mine) - Number(one.user === mine),
    );
    const most = narrow.matches ? MOST.narrow : MOST.wide;
    // One more face takes no more room than the number that would stand for it.
    const count = all.length > most + 1 ? most : all.length;
    // Whoever is followed has a face, so that it can be stopped.
    const followed = all.findIndex(({ user }) => user === companion.user);
    if (followed >= count) all.splice(count - 1, 0, ...all.splice(followed, 1));
    const shown = all.slice(0, count).map(({ user, name, color }) => {
      const element = face(`${user} p${color} ${name}`, () =>
        user === mine
          ? mark(`p${color}`, `${name} (${gettext("you")})`, initials(name))
          : person({ user, name, color, companion }),
      );
      const button = element.querySelector("button");
      if (button) press(button, name, companion.user === user);
      return element;
    });
    const rest = all.slice(count).map(({ name }) => name);
    if (rest.length) {
      const words = interpolate(gettext("+%(count)s"), { count: formatNumber(rest.length) });
      shown.push(mark("more", listed(rest), words));
    }
    const bolt = () => document.querySelector(".brand svg")?.cloneNode(true) ?? "F";
    shown.push(face("model", () => mark("model", gettext("Flint, the model"), bolt())));
    arrange(list, shown);
    for (const [key, element] of faces) if (!element.isConnected) faces.delete(key);
  };
  narrow.addEventListener("change", draw);
  project.on("welcome", draw);
  project.on("people", draw);
  let last = companion.user;
  companion.on("changed", () => {
    draw();
    const { user } = companion;
    const named = [...project.people.values()].find((one) => one.user === (user ?? last));
    last = user;
    if (!named) return;
    const words = user ? gettext("Following %(name)s") : gettext("No longer following %(name)s");
    announce(interpolate(words, { name: named.name }));
  });
}

/** @param {string} look @param {string} label @param {Node | string} sign */
function mark(look, label, sign) {
  const item = fromTemplate("tpl-person");
  item.classList.add("av", look);
  item.title = label;
  item.replaceChildren(
    h("span", { "aria-hidden": "true" }, sign),
    h("span", { class: "sr" }, label),
  );
  return item;
}

/** @param {{ user: string, name: string, color: number, companion: Companion }} options */
function person({ user, name, color, companion }) {
  const item = fromTemplate("tpl-person");
  item.replaceChildren(
    h(
      "button",
      { type: "button", class: `av p${color}`, onclick: () => companion.toggle(user) },
      h("span", { "aria-hidden": "true" }, initials(name)),
      // Its name is text and no aria-label: that would have to contain the initials.
      h("span", { class: "sr" }, interpolate(gettext("Follow %(name)s"), { name })),
    ),
  );
  return item;
}

/** @param {HTMLButtonElement} button @param {string} name @param {boolean} followed */
function press(button, name, followed) {
  button.setAttribute("aria-pressed", String(followed));
  const words = followed
    ? gettext("Following %(name)s. Press to stop.")
    : gettext("%(name)s. Press to follow.");
  button.title = interpolate(words, { name });
}
