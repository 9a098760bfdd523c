/** Where things are in the files that this page has open. */

/** @import { Documents } from "../collab/documents.js" */
/** @import { Pane } from "../editor/pane.js" */
/** @import { Workspace } from "../editor/workspace.js" */
/** @import { Hunk } from "../net/messages.js" */
/** @import { FocusPlace } from "../turn/prompt.js" */

/**
 * Returns the line that a hunk starts in, or null when its file is not open here.
 * @param {Documents} documents
 * @param {Hunk} hunk
 */
export function lineOf(documents, { file, v, start }) {
  const replica = documents.get(file);
  const at = replica?.place(v, start, 1) ?? null;
  return replica && at !== null ? replica.state.doc.lineAt(at).number : null;
}

/**
 * Shows a hunk, also when its file must be opened first.
 * @param {{ documents: Documents, workspace: Workspace, pane: Pane }} parts
 * @param {Hunk} hunk
 */
export function goToHunk({ documents, workspace, pane }, hunk) {
  const { file, turn, ordinal } = hunk;
  const go = (/** @type {Hunk} */ { v, start }) => {
    const at = documents.get(file)?.place(v, start, 1) ?? null;
    if (at === null) return;
    pane.goTo(at);
    pane.focus();
  };
  if (documents.get(file)) {
    workspace.open(file);
    return go(hunk);
  }
  const off = documents.on("opened", ({ replica, frame }) => {
    if (replica.file !== file) return;
    off();
    const here = frame?.hunks.find((one) => one.turn === turn && one.ordinal === ordinal);
    go(here ?? hunk);
  });
  workspace.open(file);
}

/**
 * Returns where this person is, as a prompt says it.
 * @param {Documents} documents
 * @param {Pane} pane
 * @param {(file: string) => string} pathOf
 * @returns {FocusPlace | null}
 */
export function placeOf(documents, pane, pathOf) {
  const selection = pane.selection();
  const replica = selection && documents.get(selection.file);
  if (!selection || !replica) return null;
  const { file, anchor, head, fromLine, toLine, empty } = selection;
  return {
    file,
    v: replica.version,
    sel: [replica.toServer(anchor), replica.toServer(head)],
    path: pathOf(file),
    fromLine,
    toLine,
    empty,
  };
}
