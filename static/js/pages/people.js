/** The faces of who is here, and the model. */

import { fromTemplate, h } from "../lib/dom.js";
import { gettext } from "../lib/i18n.js";
import { initials } from "../lib/names.js";

/** @import { Project } from "../collab/project.js" */

/**
 * Keeps the list of people in step. A person with several tabs is one face.
 * @param {HTMLElement} list
 * @param {Project} project
 */
export function people(list, project) {
  const draw = () => {
    const byUser = new Map([...project.people.values()].map((person) => [person.user, person]));
    const faces = [...byUser.values()].map(({ user, name, color }) => {
      const you = user === project.you?.user;
      const label = you ? `${name} (${gettext("you")})` : name;
      return face(`p${color}`, label, initials(name));
    });
    const bolt = document.querySelector(".brand svg")?.cloneNode(true) ?? "F";
    list.replaceChildren(...faces, face("model", gettext("Flint, the model"), bolt));
  };
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
