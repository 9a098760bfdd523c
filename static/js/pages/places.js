/** Where things are in the files that this page has open. */

/** @import { Documents } from "../collab/documents.js" */
/** @import { Replica } from "../collab/replica.js" */
/** @import { Pane } from "../editor/pane.js" */
/** @import { Workspace } from "../editor/workspace.js" */
/** @import { Focus, Hunk, Selection } from "../net/messages.js" */
/** @import { FocusPlace } from "../turn/chips.js" */

/**
 * Where a hunk stood when somebody last asked; from there only what came since is to be looked at, and a place
 * that is asked for now and then is never lost.
 * @type {WeakMap<Hunk, { replica: Replica, v: number, at: number }>}
 */
const known = new WeakMap();

/**
 * Returns where a hunk starts in the text on the screen, or null when its file is not open here.
 * @param {Documents} documents
 * @param {Hunk} hunk
 */
function startOf(documents, hunk) {
  const replica = documents.get(hunk.file);
  if (!replica) return null;
  const last = known.get(hunk);
  const from = last?.replica === replica ? last : { v: hunk.v, at: hunk.start };
  const at = replica.confirmedPlace(from.v, from.at, 1);
  if (at === null) return null;
  known.set(hunk, { replica, v: replica.version, at });
  return replica.place(replica.version, at, 1);
}

/**
 * Returns the line that a hunk starts in, or null when its file is not open here.
 * @param {Documents} documents
 * @param {Hunk} hunk
 */
export function lineOf(documents, hunk) {
  const at = startOf(documents, hunk);
  return at === null ? null : (documents.get(hunk.file)?.state.doc.lineAt(at).number ?? null);
}

/**
 * Shows a hunk, also when its file must be opened first.
 * @param {{ documents: Documents, workspace: Workspace, pane: Pane }} parts
 * @param {Hunk} hunk
 */
export function goToHunk({ documents, workspace, pane }, hunk) {
  const { file, turn, ordinal } = hunk;
  const go = (/** @type {Hunk} */ it) => {
    const at = startOf(documents, it);
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
 * Shows a line of a file, also when the file must be opened first.
 * @param {{ documents: Documents, workspace: Workspace, pane: Pane }} parts
 * @param {string} file
 * @param {number} line counted from 1; one that is not there is the last
 */
export function goToLine({ documents, workspace, pane }, file, line) {
  const go = () => {
    const doc = documents.get(file)?.state.doc;
    if (!doc) return;
    pane.goTo(doc.line(Math.max(1, Math.min(line, doc.lines))).from);
    pane.focus();
  };
  if (documents.get(file)) {
    workspace.open(file);
    return go();
  }
  const off = documents.on("opened", ({ replica }) => {
    if (replica.file !== file) return;
    off();
    go();
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

/**
 * Returns the lines that a prompt is about, as a frame says them, or null when their file is not open here.
 * @param {Documents} documents
 * @param {Focus} focus
 * @returns {{ v: number, sel: Selection } | null}
 */
export function selectionOf(documents, { file, from_line: from, to_line: to }) {
  const replica = documents.get(file);
  if (!replica || from === null || to === null) return null;
  const { doc } = replica.state;
  const line = (/** @type {number} */ number) => doc.line(Math.max(1, Math.min(number, doc.lines)));
  const sel = /** @type {Selection} */ ([
    replica.toServer(line(from).from),
    replica.toServer(line(to).to),
  ]);
  return { v: replica.version, sel };
}
