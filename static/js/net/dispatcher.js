/** The one place that server messages pass: each kind goes to its listeners, in the order they came. */

import { Emitter } from "../lib/emitter.js";

/** @import { Frames } from "./messages.js" */

/**
 * The fields without which a frame of that kind cannot be handled, and their types. The server is trusted to
 * mean well, not to be of the same version as the page.
 * @type {Record<keyof Frames, Record<string, "string" | "number" | "object" | "list">>}
 */
const REQUIRED = {
  welcome: {
    you: "object",
    session: "object",
    files: "list",
    people: "list",
    turns: "list",
    models: "list",
    endpoints: "list",
    followups: "object",
  },
  file: { file: "string", v: "number", text: "string", hunks: "list", here: "list" },
  entries: { file: "string", v: "number", list: "list" },
  entry: { file: "string", v: "number", c: "list", client: "string", by: "object", kind: "string" },
  pushed: { id: "string", file: "string", v: "number" },
  rejected: { id: "string", file: "string", code: "string", message: "string" },
  tree: { op: "string", file: "string", path: "string" },
  join: { person: "object" },
  leave: { conn: "string" },
  here: { conn: "string" },
  turn: { turn: "object" },
  progress: { turn: "string", tokens: "number" },
  prose: { turn: "string", html: "string" },
  hunk: { hunk: "object" },
  withheld: { withheld: "object" },
  checkpoint: { checkpoint: "object" },
  rules: { message: "string" },
  model: { model: "object" },
  followups: { followups: "object" },
  endpoints: { list: "list" },
  ok: { id: "string" },
  error: { code: "string", message: "string" },
  resync: { reason: "string" },
  pong: { at: "number" },
};

/** @param {unknown} value @param {string} type */
function fits(value, type) {
  if (type === "list") return Array.isArray(value);
  if (type === "object") return value !== null && typeof value === "object";
  return typeof value === type;
}

/**
 * Says whether an object has all that a frame of this kind needs to be handled.
 * @param {keyof Frames} kind
 * @param {any} frame
 */
export function isFrame(kind, frame) {
  if (frame === null || typeof frame !== "object") return false;
  return Object.entries(REQUIRED[kind]).every(([name, type]) => fits(frame[name], type));
}

/** @extends {Emitter<Frames>} */
export class Dispatcher extends Emitter {
  /**
   * Reads one text frame and tells whoever listens to its kind. A frame of an unknown kind, or one that lacks
   * what its kind needs, is skipped: the server may be newer than the page.
   * @param {string} text
   * @returns {keyof Frames | null} the frame's kind, or null when it was skipped
   */
  receive(text) {
    /** @type {any} */
    let frame;
    try {
      frame = JSON.parse(text);
    } catch {
      return null;
    }
    const kind = /** @type {keyof Frames} */ (frame?.t);
    if (typeof kind !== "string" || !Object.hasOwn(REQUIRED, kind)) return null;
    if (!isFrame(kind, frame)) return null;
    this.emit(kind, frame);
    return kind;
  }
}
