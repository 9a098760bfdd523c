/** What a change of this person's role does to a page that is open. */

import { setReadOnly } from "../editor/access.js";
import { gettext } from "../lib/i18n.js";

/** @import { Documents } from "../collab/documents.js" */
/** @import { Project } from "../collab/project.js" */

/**
 * Keeps the open texts as writable as the role allows, and says so when that changes. Each welcome brings the
 * role; a change of it brings a welcome.
 * @param {{ documents: Documents, project: Project, say: (message: string) => void }} parts
 */
export function rights({ documents, project, say }) {
  let before = "";
  project.on("welcome", () => {
    for (const { file } of project.files.values()) {
      documents.mark(file, { run: () => [setReadOnly.of(!project.mayEdit)] });
    }
    const role = project.you?.role ?? "";
    if (before && before !== role) say(roleText(project));
    before = role;
  });
}

/** @param {Project} project */
function roleText({ mayEdit, mayPrompt }) {
  if (mayPrompt) return gettext("Your role has changed: you may type and prompt here now.");
  if (mayEdit) return gettext("Your role has changed: you may type here, but not prompt any more.");
  return gettext(
    "Your role has changed: you may read here, but not type any more. What was saved is kept.",
  );
}
