/** The faces of who is here, this person first, and the model. */

import { fromTemplate, h } from "../lib/dom.js";
import { formatNumber, gettext, interpolate } from "../lib/i18n.js";
import { initials } from "../lib/names.js";

/** @import { Project } from "../collab/project.js" */

/** How many faces there is room for; who is more than that is a number with names on hover. */
const MOST = { narrow: 2, wide: 5 };

/**
 * Keeps the list of people in step. A person with several tabs is one face.
 * @param {HTMLElement} list
 * @param {Project} project
 */
export function people(list, project) {
  const narrow = matchMedia("(max-width: 520px)");
  const draw = () => {
    const byUser = new Map([...project.people.values()].map((person) => [person.user, person]));
    const mine = project.you?.user;
    const all = [...byUser.values()].sort(
      (one, other) => Number(other.user === mine) - Number(one.user === mine),
    );
    const most = narrow.matches ? MOST.narrow : MOST.wide;
    // One more face takes no more room than the number that would stand for it.
    const shown = all.length > most + 1 ? all.slice(0, most) : all;
    const faces = shown.map(({ user, name, color }) => {
      const you = user === mine;
      const label = you ? `${name} (${gettext("you")})` : name;
      return face(`p${color}`, label, initials(name));
    });
    const rest = all.slice(shown.length).map(({ name }) => name);
    if (rest.length) {
      const count = interpolate(gettext("+%(count)s"), { count: formatNumber(rest.length) });
      faces.push(face("more", rest.join(", "), count));
    }
    const bolt = document.querySelector(".brand svg")?.cloneNode(true) ?? "F";
    list.replaceChildren(...faces, face("model", gettext("Flint, the model"), bolt));
  };
  narrow.addEventListener("change", draw);
  project.on("welcome", draw);
  project.on("people", draw);
}

/** @param {string} look @param {string} label @param {Node | string} mark */
function face(look, label, mark) {
  const item = fromTemplate("tpl-person");
  item.classList.add(look);
  item.title = label;
  item.replaceChildren(
    h("span", { "aria-hidden": "true" }, mark),
    h("span", { class: "sr" }, label),
  );
  return item;
}
