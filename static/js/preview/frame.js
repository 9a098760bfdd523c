/**
 * The frames that show a project's page: sandboxed, without an origin, without a network, without a way back. A new
 * page is loaded behind the old one and takes its place when it is there, so that nothing flickers. What a frame
 * says is checked for its shape and shown as text, nothing more.
 *
 * A page that no longer answers (an endless loop, half a loop while the model writes) is taken away.
 */

import { Emitter } from "../lib/emitter.js";

const SWAP_MS = 3_000;
const PING_MS = 1_000;
const DEAD_MS = 5_000;
const LINES_KEPT = 200;
/** A frame that is not what it says may send any length. */
const LONGEST = 2_000;

/** @typedef {{ level: string, text: string, source: string, line: number }} ConsoleLine */
/** @typedef {import("./bundle.js").Bundle} Bundle */

/** @extends {Emitter<{ lines: { lines: ConsoleLine[], dropped: number }, cleared: null, go: string, dead: null, shown: null }>} */
export class Frames extends Emitter {
  #holder;
  #address;
  #title;
  /** @type {HTMLIFrameElement | null} */
  #shown = null;
  /** @type {{ frame: HTMLIFrameElement, page: Bundle, timer: number } | null} */
  #coming = null;
  /** @type {Bundle | null} */
  #page = null;
  #scroll = [0, 0];
  #answered = 0;
  #asked = 0;
  #timer = 0;

  /**
   * @param {HTMLElement} holder where the frames stand
   * @param {string} address of the empty document that a page is written into
   * @param {string} title the frame's name for people who do not see it
   */
  constructor(holder, address, title) {
    super();
    this.#holder = holder;
    this.#address = address;
    this.#title = title;
    addEventListener("message", (event) => this.#heard(event));
  }

  /** Shows a page; what is shown already is not run again. @param {Bundle} page @param {boolean} [again] */
  show(page, again = false) {
    const latest = this.#coming?.page ?? this.#page;
    if (!again && latest?.skeleton === page.skeleton) {
      const changed = page.styles.filter(([, text], index) => latest.styles[index]?.[1] !== text);
      if (!changed.length) return;
      if (!this.#coming && this.#shown) {
        this.#page = page;
        this.#post(this.#shown, { t: "styles", styles: changed });
        return;
      }
    }
    this.#drop();
    const frame = document.createElement("iframe");
    frame.setAttribute("sandbox", "allow-scripts allow-forms");
    frame.className = "preview-frame coming";
    frame.title = this.#title;
    frame.src = this.#address;
    this.#coming = { frame, page, timer: window.setTimeout(() => this.#swap(), SWAP_MS) };
    this.#holder.append(frame);
    this.#timer ||= window.setInterval(() => this.#watch(), PING_MS);
  }

  /** Takes everything away. */
  clear() {
    this.#drop();
    this.#shown?.remove();
    this.#shown = null;
    this.#page = null;
    this.#scroll = [0, 0];
    clearInterval(this.#timer);
    this.#timer = 0;
  }

  #drop() {
    if (!this.#coming) return;
    clearTimeout(this.#coming.timer);
    this.#coming.frame.remove();
    this.#coming = null;
  }

  #swap() {
    if (!this.#coming) return;
    clearTimeout(this.#coming.timer);
    const { frame, page } = this.#coming;
    this.#coming = null;
    this.#shown?.remove();
    frame.classList.remove("coming");
    this.#shown = frame;
    this.#page = page;
    this.#answered = this.#asked;
    this.emit("shown", null);
  }

  /** @param {HTMLIFrameElement} frame @param {object} message */
  #post(frame, message) {
    // It has no origin that could be named; the policy of this page keeps it from going anywhere else.
    frame.contentWindow?.postMessage(message, "*");
  }

  #watch() {
    const frame = this.#shown;
    // A hidden page's timers are slowed down, and so are the frame's.
    if (!frame || document.hidden) {
      this.#answered = this.#asked = performance.now();
      return;
    }
    if (this.#asked - this.#answered > DEAD_MS) {
      this.clear();
      this.emit("dead", null);
      return;
    }
    this.#asked = performance.now();
    this.#post(frame, { t: "ping", at: this.#asked });
  }

  /** @param {MessageEvent} event */
  #heard({ source, origin, data }) {
    if (origin !== "null" || !data || typeof data !== "object") return;
    const isComing = this.#coming !== null && source === this.#coming.frame.contentWindow;
    const isShown = this.#shown !== null && source === this.#shown.contentWindow;
    if (!isComing && !isShown) return;
    if (data.t === "ready" && isComing && this.#coming) {
      const { frame, page } = this.#coming;
      this.emit("cleared", null);
      this.#post(frame, { t: "page", html: page.html, scroll: this.#scroll });
    } else if (data.t === "shown" && isComing) {
      this.#swap();
    } else if (data.t === "pong" && isShown) {
      this.#answered = performance.now();
      if (isPoint(data.scroll)) this.#scroll = data.scroll;
    } else if (data.t === "go" && isShown && typeof data.address === "string") {
      this.emit("go", data.address.slice(0, 2_000));
    } else if (data.t === "console" && Array.isArray(data.lines)) {
      const lines = data.lines
        .slice(0, LINES_KEPT)
        .filter(isLine)
        .map((/** @type {ConsoleLine} */ { level, text, source, line }) => ({
          level,
          text: text.slice(0, LONGEST),
          source: source.slice(0, LONGEST),
          line,
        }));
      this.emit("lines", { lines, dropped: Number.isSafeInteger(data.dropped) ? data.dropped : 0 });
    }
  }
}

/** @param {unknown} value @returns {value is [number, number]} */
const isPoint = (value) =>
  Array.isArray(value) && value.length === 2 && value.every((each) => Number.isFinite(each));

/** @param {unknown} value @returns {value is ConsoleLine} */
const isLine = (value) => {
  const { level, text, source, line } = /** @type {Partial<ConsoleLine>} */ (value ?? {});
  return (
    ["debug", "log", "info", "warn", "error"].includes(level ?? "") &&
    typeof text === "string" &&
    typeof source === "string" &&
    Number.isSafeInteger(line)
  );
};
