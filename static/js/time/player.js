/**
 * Where in the past the person is, and what stood there. One thing happens at a time: while a moment is read, only
 * the newest wish is remembered. Playing reads the log ahead in parts and applies what is due once a frame.
 *
 * Every file is followed where things happen, until the person picks one.
 */

import { ChangeSet, Text } from "../../vendor/codemirror.js";
import { Emitter } from "../lib/emitter.js";
import { due } from "./pace.js";

/** @import { Entry, Listed, Overview, Source, Who } from "./source.js" */

/**
 * @typedef {object} Shown what stood at a moment
 * @property {number} seq
 * @property {Listed[]} files
 * @property {Listed | null} file
 * @property {Text | null} doc the file's text; null for none, and for a binary one
 * @property {{ from: number, to: number }[]} changed what the last entry wrote, in that text
 * @property {boolean} other whether this is another file than before, or a jump within it
 * @property {Entry | null} entry
 * @property {Who | null} who
 */

const AHEAD = 200;
const SWITCH_MS = 500;

/** @extends {Emitter<{ shown: Shown, playing: boolean, failed: Error, busy: boolean }>} */
export class Player extends Emitter {
  #source;
  /** @type {Overview} */
  #overview;
  /** @type {Shown} */
  #shown;
  #picked = "";
  #wish = -1;
  #reading = false;
  #playing = false;
  #speed = 1;
  /** @type {(Entry & { who: Who })[]} */
  #ahead = [];
  #readUpto = 0;
  #fetching = false;
  #budget = 0;
  #frame = 0;
  #frameAt = 0;
  #switchedAt = 0;

  /** @param {Source} source @param {Overview} overview */
  constructor(source, overview) {
    super();
    this.#source = source;
    this.#overview = overview;
    this.#shown = {
      seq: overview.last,
      files: [],
      file: null,
      doc: null,
      changed: [],
      other: true,
      entry: null,
      who: null,
    };
  }

  get seq() {
    return this.#wish >= 0 ? this.#wish : this.#shown.seq;
  }

  get playing() {
    return this.#playing;
  }

  get picked() {
    return this.#picked;
  }

  /** The session went on. @param {Overview} overview */
  learn(overview) {
    this.#overview = overview;
  }

  /** @param {number} speed */
  setSpeed(speed) {
    this.#speed = speed;
  }

  /** Shows this file from here on; "" for the one where things happen. @param {string} file */
  pick(file) {
    this.#picked = file;
    this.goTo(this.seq);
  }

  /** @param {number} seq */
  goTo(seq) {
    this.pause();
    const { first, last } = this.#overview;
    this.#wish = Math.min(Math.max(seq, first), last);
    void this.#read();
  }

  async #read() {
    if (this.#reading) return;
    this.#reading = true;
    this.emit("busy", true);
    while (this.#wish >= 0) {
      const seq = this.#wish;
      try {
        const shown = await this.#at(seq);
        if (this.#wish === seq) {
          this.#wish = -1;
          this.#shown = shown;
          this.emit("shown", shown);
        }
      } catch (error) {
        if (this.#wish === seq) this.#wish = -1;
        this.emit("failed", /** @type {Error} */ (error));
      }
    }
    this.#reading = false;
    this.emit("busy", false);
  }

  /** @param {number} seq @returns {Promise<Shown>} */
  async #at(seq) {
    const before = Math.max(this.#overview.first, seq - 1);
    const [{ files }, { list, people }] = await Promise.all([
      this.#source.project(seq),
      this.#source.entries(before, seq),
    ]);
    const entry = list.at(-1) ?? null;
    const wanted = this.#picked || entry?.file || this.#shown.file?.file;
    const held = this.#shown.file?.file;
    const find = (/** @type {string | undefined} */ id) => files.find(({ file }) => file === id);
    const file = find(wanted) ?? find(held) ?? files[0] ?? null;
    const doc =
      file && !file.binary ? toText((await this.#source.text(seq, file.file)).text) : null;
    const own = entry && entry.file === file?.file ? entry : null;
    return {
      seq,
      files,
      file,
      doc,
      changed: own?.c && doc ? written(own.c) : [],
      other: true,
      entry,
      who: entry && (people[entry.by] ?? null),
    };
  }

  // Playing

  play() {
    if (this.#playing || this.#reading) return;
    if (this.#shown.seq >= this.#overview.last) {
      this.goTo(this.#overview.first);
      return this.#whenRead(() => this.play());
    }
    this.#playing = true;
    this.#ahead = [];
    this.#readUpto = this.#shown.seq;
    this.#budget = 0;
    this.#frameAt = performance.now();
    this.emit("playing", true);
    void this.#readAhead();
    this.#frame = requestAnimationFrame(() => this.#tick());
  }

  /** @param {() => void} act */
  #whenRead(act) {
    const off = this.on("busy", (busy) => {
      if (busy) return;
      off();
      act();
    });
  }

  pause() {
    if (!this.#playing) return;
    this.#playing = false;
    cancelAnimationFrame(this.#frame);
    this.emit("playing", false);
  }

  /** Whether it plays and waits for a file's text. */
  #switching = false;

  async #readAhead() {
    const { last } = this.#overview;
    if (this.#fetching || this.#readUpto >= last || this.#ahead.length >= AHEAD) return;
    this.#fetching = true;
    try {
      const after = this.#readUpto;
      const { list, people, upto } = await this.#source.entries(after, last);
      if (this.#playing && this.#readUpto === after) {
        this.#readUpto = upto;
        for (const entry of list) this.#ahead.push({ ...entry, who: people[entry.by] });
      }
    } catch (error) {
      this.pause();
      this.emit("failed", /** @type {Error} */ (error));
    }
    this.#fetching = false;
  }

  #tick() {
    if (!this.#playing) return;
    this.#frame = requestAnimationFrame(() => this.#tick());
    if (this.#switching) return;
    const now = performance.now();
    this.#budget += Math.min(now - this.#frameAt, 100);
    this.#frameAt = now;
    void this.#readAhead();
    const last = this.#shown.entry?.at ?? null;
    const found = due(this.#ahead, last, this.#budget, this.#speed);
    this.#budget = found.left;
    if (found.due.length) this.#apply(found.due, now);
    else if (!this.#ahead.length) this.#budget = 0;
    if (this.#shown.seq >= this.#overview.last) this.pause();
  }

  /** @param {(Entry & { who: Who })[]} entries @param {number} now */
  #apply(entries, now) {
    let { files, file, doc } = this.#shown;
    /** @type {{ from: number, to: number }[]} */
    let changed = [];
    for (const entry of entries) {
      files = nextFiles(files, entry);
      if (file && entry.file === file.file) {
        file = files.find((each) => each.file === entry.file) ?? null;
        if (!file) doc = null;
        else if (entry.c && doc) {
          doc = ChangeSet.fromJSON(entry.c).apply(doc);
          changed = written(entry.c);
        }
      }
    }
    const entry = entries[entries.length - 1];
    this.#shown = {
      seq: entry.seq,
      files,
      file,
      doc,
      changed,
      other: false,
      entry,
      who: entry.who,
    };
    this.emit("shown", this.#shown);
    const elsewhere =
      !this.#picked && entry.file !== file?.file && files.some((each) => each.file === entry.file);
    if (elsewhere && (!file || now - this.#switchedAt >= SWITCH_MS)) void this.#switch(entry);
  }

  /** Goes on where things happen; nothing moves while that file is read. @param {Entry} entry */
  async #switch(entry) {
    const { files, seq } = this.#shown;
    const file = files.find((each) => each.file === entry.file);
    if (!file) return;
    this.#switching = true;
    try {
      const doc = file.binary ? null : toText((await this.#source.text(seq, file.file)).text);
      if (this.#wish >= 0 || this.#shown.seq !== seq) return;
      const changed = entry.c && doc ? written(entry.c) : [];
      this.#shown = { ...this.#shown, file, doc, changed, other: true };
      this.emit("shown", this.#shown);
    } catch (error) {
      this.pause();
      this.emit("failed", /** @type {Error} */ (error));
    } finally {
      this.#switching = false;
      this.#frameAt = this.#switchedAt = performance.now();
    }
  }
}

/** @param {string} text */
function toText(text) {
  return Text.of(text.split("\n"));
}

/**
 * Returns the files after an entry.
 * @param {Listed[]} files
 * @param {Entry} entry
 * @returns {Listed[]}
 */
export function nextFiles(files, { kind, file, path = "", v = 0 }) {
  if (kind === "delete") return files.filter((each) => each.file !== file);
  if (kind === "create") {
    const made = { file, path, v: 0, ending: "lf", binary: false };
    return [...files, made].sort((a, b) => (a.path < b.path ? -1 : 1));
  }
  return files.map((each) => {
    if (each.file !== file) return each;
    return kind === "rename" ? { ...each, path } : { ...each, v };
  });
}

/**
 * Returns what a change wrote, in the text after it; where it only took something away, an empty range.
 * @param {any[]} change
 * @returns {{ from: number, to: number }[]}
 */
export function written(change) {
  const found = [];
  let at = 0;
  for (const part of change) {
    if (typeof part === "number") {
      at += part;
    } else {
      const length = part.slice(1).join("\n").length;
      found.push({ from: at, to: at + length });
      at += length;
    }
  }
  return found;
}
