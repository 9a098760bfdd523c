/** Tells others where this person is, and shows where they are. */

import { dropCaret, setCaret } from "./carets.js";

/** @import { Documents } from "../collab/documents.js" */
/** @import { Project } from "../collab/project.js" */
/** @import { Selection } from "../net/messages.js" */
/** @import { Socket } from "../net/socket.js" */
/** @import { Pane } from "./pane.js" */

/** The protocol takes at most 20 a second. */
const EVERY_MS = 50;

/** @typedef {{ key: string, label: string, look: string, file: string, v: number, sel: Selection }} Place */

/**
 * Shows a caret in a file as soon as the file has reached the version it speaks of.
 * @param {Documents} documents
 * @param {Place} place
 */
export function showCaret(documents, { key, label, look, file, v, sel }) {
  documents.mark(file, {
    v,
    key: `caret ${key}`,
    run: (replica) => {
      const [anchor, head] = sel.map((offset) => replica.place(v, offset));
      if (anchor === null || head === null) return;
      return [setCaret.of({ key, anchor, head, label, look })];
    },
  });
}

/**
 * Takes a caret out of a file.
 * @param {Documents} documents
 * @param {string} file
 * @param {string} key
 */
export function hideCaret(documents, file, key) {
  documents.mark(file, { key: `caret ${key}`, run: () => [dropCaret.of(key)] });
}

/**
 * Keeps the carets of people in step, both ways.
 * @param {{ documents: Documents, project: Project, pane: Pane, socket: Socket }} parts
 */
export function presence({ documents, project, pane, socket }) {
  /** @param {import("../net/messages.js").PersonWhere} person */
  const show = ({ conn, name, color, file, v, sel }) => {
    if (conn === project.you?.conn || !file || !sel || v === null || v === undefined) return;
    showCaret(documents, { key: conn, label: name, look: `p${color}`, file, v, sel });
  };
  project.on("place", ({ person, before }) => {
    if (before && before !== person.file) hideCaret(documents, before, person.conn);
    show(person);
  });
  project.on("left", ({ conn, file }) => {
    if (file) hideCaret(documents, file, conn);
  });
  const showAll = (/** @type {string} */ file) => {
    for (const person of project.people.values()) if (person.file === file) show(person);
  };
  documents.on("opened", ({ replica }) => showAll(replica.file));
  project.on("welcome", () => {
    // Who left while this page was away is in no frame; whoever is still there is shown again.
    for (const { file } of project.files.values()) {
      documents.mark(file, { run: () => [dropCaret.of(null)] });
      showAll(file);
    }
    tell();
  });

  let asked = false;
  let told = "";
  const tell = () => {
    asked = false;
    const selection = pane.selection();
    const replica = selection && documents.get(selection.file);
    /** @type {Record<string, unknown>} */
    const frame = { t: "here" };
    if (selection && replica) {
      const { file, anchor, head } = selection;
      frame.file = file;
      frame.v = replica.version;
      frame.sel = [replica.toServer(anchor), replica.toServer(head)];
    }
    const text = JSON.stringify(frame);
    if (text !== told && socket.send(frame)) told = text;
  };
  const soon = () => {
    if (!asked) setTimeout(tell, EVERY_MS);
    asked = true;
  };
  socket.on("state", ({ state }) => {
    if (state !== "live") told = "";
  });
  pane.on("selected", soon);
  pane.on("shown", soon);
  pane.on("displayed", soon);
}
