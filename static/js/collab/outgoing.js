/**
 * What leaves the page: one push in flight, over all files.
 *
 * Order of things for each push: counters are given, then everything a reload would need is made durable, and
 * only then the frame leaves. The frame is made before the wait and stays right, because it names the version
 * it was made at. A push whose answer was lost with its connection is made again, from the same counters,
 * once the file has caught up; the lowest counter goes first, so the server sees them rise.
 */

import { newId } from "../lib/ids.js";

/** @import { Socket } from "../net/socket.js" */
/** @import { Replica } from "./replica.js" */

/** What a push takes besides its updates. */
const ENVELOPE_BYTES = 256;
const PUSH_BYTES = 200_000;

export class Outgoing {
  #socket;
  #ready;
  #durable;
  /** @type {{ id: string, file: string, sent: boolean } | null} */
  #flight = null;
  #maxBytes = PUSH_BYTES;

  /**
   * @param {object} options
   * @param {Socket} options.socket
   * @param {() => Replica[]} options.ready the files that have caught up and may push
   * @param {() => Promise<void>} options.durable makes counters and unconfirmed edits durable
   * @param {number} options.counter the last counter that was given
   */
  constructor({ socket, ready, durable, counter }) {
    this.#socket = socket;
    this.#ready = ready;
    this.#durable = durable;
    this.counter = counter;
  }

  /** Takes the server's limit over. @param {number} bytes */
  set maxBytes(bytes) {
    this.#maxBytes = Math.min(PUSH_BYTES, bytes);
  }

  /** Whether `id` is the push in flight. @param {string | null | undefined} id */
  owns(id) {
    return this.#flight?.id === id && id !== undefined && id !== null;
  }

  /** The file of the push in flight, or null. */
  get file() {
    return this.#flight?.file ?? null;
  }

  /** Makes the next push if none is in flight and something waits. */
  async kick() {
    if (this.#flight || this.#socket.state !== "live") return;
    const replica = this.#next();
    const push = replica?.takePush(this.#maxBytes - ENVELOPE_BYTES, () => ++this.counter);
    if (!replica || !push) return;
    const flight = { id: newId(), file: replica.file, sent: false };
    this.#flight = flight;
    await this.#durable();
    // While that was awaited the connection may have gone, and the push with it.
    if (this.#flight !== flight) return;
    flight.sent = this.#socket.send({ t: "push", id: flight.id, file: flight.file, ...push });
    if (!flight.sent) this.#flight = null;
  }

  /** The push is answered and its entries are taken in. @param {string} id */
  done(id) {
    if (!this.owns(id)) return;
    this.#flight = null;
    void this.kick();
  }

  /** The connection is gone, and with it the answer. */
  forget() {
    this.#flight = null;
  }

  /** @returns {Replica | null} the file whose oldest pushed update is oldest, else any with something to say */
  #next() {
    const waiting = this.#ready().filter((replica) => replica.pending);
    const order = (/** @type {Replica} */ replica) => replica.firstNumber ?? Infinity;
    return waiting.sort((one, other) => compare(order(one), order(other)))[0] ?? null;
  }
}

/** @param {number} one @param {number} other */
const compare = (one, other) => (one < other ? -1 : one > other ? 1 : 0);
