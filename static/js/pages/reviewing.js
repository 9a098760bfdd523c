/** Puts together what people do with a turn's changes: their marks, keeping and reverting, and the questions. */

import { Review } from "../editor/review.js";
import { Shown } from "../editor/shown.js";
import { byId } from "../lib/dom.js";
import { Deciding } from "../turn/deciding.js";
import { comparison } from "../turn/mixed.js";
import { Questions } from "../turn/questions.js";
import { hunkKeys, questionKeys } from "./hunkkeys.js";
import { goToHunk, goToLine } from "./places.js";

/** @import { Documents } from "../collab/documents.js" */
/** @import { Project } from "../collab/project.js" */
/** @import { Pane } from "../editor/pane.js" */
/** @import { Workspace } from "../editor/workspace.js" */
/** @import { Hunk, Withheld } from "../net/messages.js" */
/** @import { Requests } from "../net/requests.js" */

/**
 * @param {object} parts
 * @param {Documents} parts.documents
 * @param {Project} parts.project
 * @param {Requests} parts.requests
 * @param {Workspace} parts.workspace
 * @param {Pane} parts.pane
 * @param {(pane: string) => void} parts.showPane
 * @param {(withheld: Withheld) => void} parts.showWithheld puts the keyboard on its card
 * @param {(sentence: string) => void} parts.say
 * @param {(sentence: string) => void} parts.speak
 * @param {() => void} parts.leave puts the keyboard where one goes on
 */
export function reviewing(parts) {
  const { documents, project, requests, workspace, pane, showPane, say, speak } = parts;
  const shown = new Shown({ documents, project });
  const deciding = new Deciding({
    project,
    requests,
    compare: comparison(/** @type {HTMLDialogElement} */ (byId("mixed")), byId("mixed-list")),
    say,
    speak,
  });
  const goTo = (/** @type {Hunk} */ hunk) => {
    showPane("code");
    shown.show(hunk.turn);
    goToHunk({ documents, workspace, pane }, hunk);
  };
  const goToWithheld = (/** @type {Withheld} */ { file, first }) => {
    if (!file) return;
    showPane("code");
    goToLine({ documents, workspace, pane }, file, first ?? 1);
  };
  const editor = byId("editor");
  const review = new Review({
    parent: editor,
    documents,
    project,
    pane,
    shown,
    goTo,
    keep: (turn, which) => deciding.keep(turn, which),
    revert: (turn, which) => deciding.revert(turn, which),
    speak,
  });
  const questions = new Questions({
    list: byId("questions"),
    project,
    show: (withheld) => {
      showPane("turns");
      parts.showWithheld(withheld);
    },
    keys: questionKeys(),
    speak,
    leave: parts.leave,
  });
  hunkKeys(editor, {
    go: (step) => {
      showPane("code");
      review.go(step);
    },
    keep: (all) => void review.keep(all),
    revert: (all) => void review.revert(all),
    question: () => questions.next(),
  });
  return { shown, deciding, goTo, goToWithheld };
}
