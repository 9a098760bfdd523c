/**
 * The live socket: connects, greets, comes back, notices a dead connection, and pays credit.
 *
 * It knows nothing of files or turns. Frames of the server go to the dispatcher in order; what the page sends
 * is refused here when it would be over the limit, since the server drops such a socket without a word.
 * Nothing is buffered for a socket that is not there: who sends learns it from `send`'s answer and says it
 * again after the next `live`, because only the sender knows what still holds then.
 */

import { Emitter } from "../lib/emitter.js";
import { asciiJson } from "../lib/json.js";
import { backoffMs } from "./backoff.js";
import { closing } from "./closing.js";
import { Credit } from "./credit.js";

/** @import { Dispatcher } from "./dispatcher.js" */

/** Frames over this many bytes are never sent. */
export const FRAME_BYTES = 256 * 1024;
/** Until the welcome says otherwise, so much is acknowledged at once. */
const ACK_BYTES = 32 * 1024;
const TICK_MS = 500;
/** After this much silence the page asks whether anybody is there… */
const SILENCE_MS = 2_000;
/** …and after this much more it takes the connection for dead. */
const ANSWER_MS = 3_500;
/** A connection that is not open by then never will be. */
const CONNECT_MS = 8_000;

/**
 * @typedef {"connecting" | "live" | "waiting" | "offline" | "closed"} SocketState
 * connecting: an attempt is under way; live: welcomed; waiting: between attempts; offline: the device says
 * there is no network; closed: for good.
 */

/** @extends {Emitter<{ state: { state: SocketState, message: string } }>} */
export class Socket extends Emitter {
  #url;
  #dispatcher;
  #hello;
  #open;
  /** @type {WebSocket | null} */
  #ws = null;
  /** @type {SocketState} */
  #state = "waiting";
  #attempt = 0;
  #credit = new Credit(ACK_BYTES);
  #ackedAt = 0;
  #heardAt = 0;
  /** When the unanswered ping left, or 0. */
  #pingedAt = 0;
  #startedAt = 0;
  #notBefore = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #retry;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #ticking;

  /**
   * @param {object} options
   * @param {string} options.url
   * @param {Dispatcher} options.dispatcher
   * @param {() => Record<string, unknown>} options.hello returns the first frame of each connection
   * @param {(url: string) => WebSocket} [options.open]
   */
  constructor({ url, dispatcher, hello, open = (address) => new WebSocket(address) }) {
    super();
    this.#url = url;
    this.#dispatcher = dispatcher;
    this.#hello = hello;
    this.#open = open;
    dispatcher.on("welcome", (frame) => {
      this.#attempt = 0;
      this.#credit.every = frame.limits.ack_bytes;
      this.#setState("live", "");
    });
    dispatcher.on("resync", () => this.#send(this.#hello()));
  }

  /** How far the connection is. */
  get state() {
    return this.#state;
  }

  /** Connects, and keeps connected until `stop`. */
  start() {
    globalThis.addEventListener?.("online", this.#wake);
    globalThis.addEventListener?.("offline", this.#lost);
    globalThis.document?.addEventListener("visibilitychange", this.#seen);
    this.#ticking = setInterval(this.#tick, TICK_MS);
    this.#connect();
  }

  /** Leaves, and does not come back. */
  stop() {
    globalThis.removeEventListener?.("online", this.#wake);
    globalThis.removeEventListener?.("offline", this.#lost);
    globalThis.document?.removeEventListener("visibilitychange", this.#seen);
    clearInterval(this.#ticking);
    clearTimeout(this.#retry);
    this.#drop();
    this.#setState("closed", "");
  }

  /** Throws the connection away and greets anew, as a page with another client id must. */
  restart() {
    if (this.#state === "closed") return;
    this.#attempt = 0;
    this.#connect();
  }

  /**
   * Sends a frame if the page is welcome at this moment; says whether it left.
   * @param {Record<string, unknown>} frame
   * @returns {boolean}
   * @throws {RangeError} when the frame is larger than the server reads
   */
  send(frame) {
    return this.#state === "live" && this.#send(frame);
  }

  /** @param {Record<string, unknown>} frame */
  #send(frame) {
    const text = asciiJson(frame);
    if (text.length > FRAME_BYTES) {
      throw new RangeError(
        `A ${frame.t} of ${text.length} bytes is over the limit of ${FRAME_BYTES}.`,
      );
    }
    if (this.#ws?.readyState !== 1) return false;
    this.#ws.send(text);
    return true;
  }

  #connect() {
    clearTimeout(this.#retry);
    this.#drop();
    this.#setState("connecting", "");
    const ws = this.#open(this.#url);
    this.#ws = ws;
    this.#startedAt = Date.now();
    this.#credit = new Credit(ACK_BYTES);
    // Handlers of a socket that was dropped must not touch its successor.
    const mine = () => this.#ws === ws;
    ws.onopen = () => {
      if (!mine()) return;
      this.#heardAt = this.#ackedAt = Date.now();
      this.#pingedAt = 0;
      this.#send(this.#hello());
    };
    ws.onmessage = (event) => {
      if (!mine()) return;
      this.#heardAt = Date.now();
      this.#pingedAt = 0;
      try {
        this.#dispatcher.receive(event.data);
      } finally {
        if (mine()) this.#ack(this.#credit.handled(event.data.length));
      }
    };
    ws.onclose = (event) => {
      if (mine()) this.#closed(event.code);
    };
  }

  /** @param {number | null} bytes */
  #ack(bytes) {
    if (bytes === null) return;
    this.#ackedAt = Date.now();
    this.#send({ t: "ack", bytes });
  }

  /** @param {number} code */
  #closed(code) {
    clearTimeout(this.#retry);
    this.#drop();
    const { final, waitMs, message } = closing(code);
    if (final) {
      clearInterval(this.#ticking);
      this.#setState("closed", message);
      return;
    }
    const wait = Math.max(waitMs, backoffMs(this.#attempt++));
    this.#notBefore = Date.now() + waitMs;
    this.#setState(globalThis.navigator?.onLine === false ? "offline" : "waiting", message);
    this.#retry = setTimeout(() => this.#connect(), wait);
  }

  /** Forgets the socket; its events no longer count. */
  #drop() {
    const ws = this.#ws;
    this.#ws = null;
    if (ws && ws.readyState < 2) ws.close(1000);
  }

  #tick = () => {
    const now = Date.now();
    if (this.#state === "connecting" && this.#ws && this.#ws.readyState === 0) {
      if (now - this.#startedAt > CONNECT_MS) this.#closed(1006);
    } else if (this.#ws?.readyState === 1) {
      if (this.#pingedAt && now - this.#pingedAt >= ANSWER_MS) return this.#closed(1006);
      if (!this.#pingedAt && now - this.#heardAt >= SILENCE_MS) this.#ping(now);
      if (now - this.#ackedAt >= 1_000) this.#ack(this.#credit.due());
    }
  };

  /** @param {number} now */
  #ping(now) {
    this.#pingedAt = now;
    this.#send({ t: "ping", at: now });
  }

  /** The network is back, or the person is: no reason to wait any longer. */
  #wake = () => {
    if (this.#state !== "waiting" && this.#state !== "offline") return;
    if (Date.now() < this.#notBefore) return;
    this.#attempt = 0;
    this.#connect();
  };

  #lost = () => {
    if (this.#state === "closed") return;
    this.#closed(1006);
  };

  #seen = () => {
    if (document.visibilityState !== "visible") return;
    this.#wake();
    if (this.#ws?.readyState === 1 && !this.#pingedAt) this.#ping(Date.now());
  };

  /** @param {SocketState} state @param {string} message */
  #setState(state, message) {
    if (state === this.#state && !message) return;
    this.#state = state;
    this.emit("state", { state, message });
  }
}
