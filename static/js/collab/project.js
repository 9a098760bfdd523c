/**
 * The session as this page knows it, outside the texts: files, people, turns, the model's state. Written by
 * frames only, so that every page that saw the same frames knows the same.
 */

import { Emitter } from "../lib/emitter.js";

/** @import { Dispatcher } from "../net/dispatcher.js" */
/** @import { By, FileInfo, Hunk, Endpoint, FollowUps, ModelStatus, Person, PersonWhere, ProgressFrame, Turn, WelcomeFrame, Withheld } from "../net/messages.js" */

/**
 * @typedef {object} ProjectEvents
 * @property {null} welcome everything may be new
 * @property {null} files one came, went or has another name
 * @property {{ file: string, path: string }} gone
 * @property {{ file: string, path: string }} renamed
 * @property {{ file: string, by: By, v: number }} created
 * @property {null} people somebody came or went
 * @property {{ person: PersonWhere, before: string | null }} place somebody moved; `before` is the file they were in
 * @property {{ conn: string, file: string | null }} left
 * @property {{ turn: Turn, before: Turn | null }} turn
 * @property {ProgressFrame} progress
 * @property {{ turn: string, html: string }} prose
 * @property {Hunk} hunk
 * @property {{ withheld: Withheld, before: Withheld | null }} withheld an edit that is not written is new, or was answered
 * @property {ModelStatus} model one tier's, as it is now
 * @property {null} endpoints other models may be asked
 * @property {FollowUps} followups the waiting prompts, as they are now
 */

const RUNNING = new Set(["queued", "starting", "streaming", "stopping"]);

/** @param {Turn} turn whether it may still change anything */
export const isRunning = (turn) => RUNNING.has(turn.state);

/** @param {Withheld} withheld whether the model waits for somebody's word on it */
export const isQuestion = ({ kind, state }) => kind === "frozen" && state === "open";

/** @extends {Emitter<ProjectEvents>} */
export class Project extends Emitter {
  /** @type {(Person & { role: string }) | null} */
  you = null;
  /** @type {Map<string, FileInfo>} */
  files = new Map();
  /** By connection. @type {Map<string, PersonWhere>} */
  people = new Map();
  /** Oldest first. @type {Map<string, Turn>} */
  turns = new Map();
  /** By tier. @type {Map<string, ModelStatus>} */
  models = new Map();
  /** Each tier's default first. @type {Endpoint[]} */
  endpoints = [];
  /** @type {FollowUps} */
  followups = { held: false, list: [] };
  /** The last paths of files that were deleted. @type {Map<string, string>} */
  #gone = new Map();
  /** Whether all of this is from an earlier visit, because there is no connection. */
  kept = false;

  /** @param {Dispatcher} dispatcher */
  constructor(dispatcher) {
    super();
    dispatcher.on("welcome", (frame) => this.begin(frame));
    dispatcher.on("tree", (frame) => {
      const { op, file, path, by, v, ending, size, encoding, bom, binary } = frame;
      const known = this.files.get(file);
      if (op === "delete") {
        this.files.delete(file);
        this.#gone.set(file, path);
      } else if (known) this.files.set(file, { ...known, path });
      else
        this.files.set(file, {
          file,
          path,
          v: v ?? 0,
          ending: ending ?? "lf",
          size: size ?? 0,
          encoding: encoding ?? "utf-8",
          bom: bom ?? false,
          binary: binary ?? false,
        });
      this.emit("files", null);
      if (op === "rename") this.emit("renamed", { file, path });
      if (op === "create") this.emit("created", { file, by, v: v ?? 0 });
      if (op === "delete") this.emit("gone", { file, path });
    });
    dispatcher.on("join", ({ person }) => {
      this.people.set(person.conn, person);
      this.emit("people", null);
    });
    dispatcher.on("leave", ({ conn }) => {
      const person = this.people.get(conn);
      if (!person) return;
      this.people.delete(conn);
      this.emit("left", { conn, file: person.file ?? null });
      this.emit("people", null);
    });
    dispatcher.on("here", ({ conn, file, v, sel }) => {
      const known = this.people.get(conn);
      if (!known) return;
      const person = { ...known, file: file ?? null, v: v ?? null, sel: sel ?? null };
      this.people.set(conn, person);
      this.emit("place", { person, before: known.file ?? null });
    });
    dispatcher.on("turn", ({ turn }) => {
      const before = this.turns.get(turn.id) ?? null;
      this.turns.set(turn.id, turn);
      this.emit("turn", { turn, before });
    });
    dispatcher.on("hunk", ({ hunk }) => this.#hunk(hunk));
    dispatcher.on("withheld", ({ withheld }) => this.#withheld(withheld));
    // Where they stand in a text that has just come.
    dispatcher.on("file", ({ hunks }) => {
      for (const hunk of hunks) this.#hunk(hunk);
    });
    dispatcher.on("progress", (frame) => this.emit("progress", frame));
    dispatcher.on("prose", ({ turn, html }) => {
      const known = this.turns.get(turn);
      if (known) this.turns.set(turn, { ...known, html });
      this.emit("prose", { turn, html });
    });
    dispatcher.on("model", ({ model }) => {
      this.models.set(model.tier, model);
      this.emit("model", model);
    });
    dispatcher.on("endpoints", ({ list }) => {
      this.endpoints = list;
      this.emit("endpoints", null);
    });
    dispatcher.on("followups", ({ followups }) => {
      this.followups = followups;
      this.emit("followups", followups);
    });
  }

  /**
   * Begins anew with the state of a welcome.
   * @param {Omit<WelcomeFrame, "t" | "session" | "limits">} frame
   * @param {boolean} [kept] whether this browser kept it from an earlier visit, and nobody is connected
   */
  begin(frame, kept = false) {
    this.kept = kept;
    this.you = frame.you;
    this.files = new Map(frame.files.map((info) => [info.file, info]));
    this.people = new Map(frame.people.map((person) => [person.conn, person]));
    const turns = [...frame.turns].sort((one, other) => compare(one.created_at, other.created_at));
    this.turns = new Map(turns.map((turn) => [turn.id, turn]));
    this.models = new Map(frame.models.map((status) => [status.tier, status]));
    this.endpoints = frame.endpoints;
    this.followups = frame.followups ?? this.followups;
    this.emit("welcome", null);
  }

  /** @param {Hunk} hunk */
  #hunk(hunk) {
    const turn = this.turns.get(hunk.turn);
    if (turn) {
      const others = turn.hunks.filter(({ ordinal }) => ordinal !== hunk.ordinal);
      const hunks = [...others, hunk].sort((one, other) => one.ordinal - other.ordinal);
      this.turns.set(turn.id, { ...turn, hunks });
    }
    this.emit("hunk", hunk);
  }

  /** @param {Withheld} withheld */
  #withheld(withheld) {
    const turn = this.turns.get(withheld.turn);
    const all = turn?.withheld ?? [];
    const before = all.find(({ ordinal }) => ordinal === withheld.ordinal) ?? null;
    if (turn) {
      const others = all.filter((one) => one !== before);
      const list = [...others, withheld].sort((one, other) => one.ordinal - other.ordinal);
      this.turns.set(turn.id, { ...turn, withheld: list });
    }
    this.emit("withheld", { withheld, before });
  }

  /** The edits that wait for somebody's word, oldest first. */
  get questions() {
    return [...this.turns.values()].flatMap(({ withheld = [] }) => withheld.filter(isQuestion));
  }

  /** The turn that runs or waits to, or null. */
  get running() {
    return [...this.turns.values()].find(isRunning) ?? null;
  }

  /** The turn that was asked for last, or null. */
  get latest() {
    return [...this.turns.values()].at(-1) ?? null;
  }

  /** The path of a file, or of one that was deleted; of one deleted before this page came it is not known. @param {string} file */
  pathOf(file) {
    return this.files.get(file)?.path ?? this.#gone.get(file) ?? file;
  }

  /** Whether this person may type. */
  get mayEdit() {
    return ["edit", "prompt", "owner"].includes(this.you?.role ?? "");
  }

  /** Whether this person may start and stop turns. */
  get mayPrompt() {
    return ["prompt", "owner"].includes(this.you?.role ?? "");
  }
}

/** @param {string} one @param {string} other */
const compare = (one, other) => (one < other ? -1 : one > other ? 1 : 0);
