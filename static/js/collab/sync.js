/**
 * What the server's frames do to the files of this page: which of them count, when a file may push again, and what
 * becomes of edits that the server does not take.
 *
 * Every frame about a file goes through that file's queue, also the answer to a push: it may count only after
 * the entries before it are taken in. A file whose queue turns out not to fit is opened again, and what was
 * typed into it and not confirmed is set aside, visibly. Until it is here anew the page goes on from the text
 * it had last confirmed, so there is always something to type into; what is typed in that moment is carried over.
 */

import { Emitter } from "../lib/emitter.js";
import { gettext } from "../lib/i18n.js";
import { fresh, remember } from "./identity.js";
import { clientLock, hold } from "./locks.js";
import { Gap, Mismatch } from "./replica.js";
import { asideOf } from "./setaside.js";

/** @import { ChangeSet, Text } from "../../vendor/codemirror.js" */
/** @import { Dispatcher } from "../net/dispatcher.js" */
/** @import { FileFrame } from "../net/messages.js" */
/** @import { Socket } from "../net/socket.js" */
/** @import { Intake } from "./intake.js" */
/** @import { Keeper } from "./keeper.js" */
/** @import { Outgoing } from "./outgoing.js" */
/** @import { Replica } from "./replica.js" */
/** @import { Roster } from "./roster.js" */
/** @import { SetAside } from "./setaside.js" */

/**
 * @typedef {object} SyncEvents
 * @property {{ replica: Replica, frame: FileFrame | null }} opened a file is here, for the first time or anew
 * @property {{ file: string }} closed it is no longer followed
 * @property {SetAside} aside
 * @property {null} counted how much is unconfirmed may have changed
 * @property {{ replica: Replica, base: Text, changes: ChangeSet, head: number }} typed was typed into the text
 * before, and belongs into the new one; `head` is where the caret was
 */

/** @extends {Emitter<SyncEvents>} */
export class Sync extends Emitter {
  #socket;
  #roster;
  #intake;
  #outgoing;
  #keeper;
  #pathOf;

  /**
   * @param {object} parts
   * @param {Socket} parts.socket
   * @param {Dispatcher} parts.dispatcher
   * @param {Roster} parts.roster
   * @param {Intake} parts.intake
   * @param {Outgoing} parts.outgoing
   * @param {Keeper} parts.keeper
   * @param {(file: string) => string} parts.pathOf
   */
  constructor({ socket, dispatcher, roster, intake, outgoing, keeper, pathOf }) {
    super();
    this.#socket = socket;
    this.#roster = roster;
    this.#intake = intake;
    this.#outgoing = outgoing;
    this.#keeper = keeper;
    this.#pathOf = pathOf;
    this.#intake.on("problem", ({ replica: { file }, problem }) => {
      if (problem instanceof Mismatch) this.#startOver();
      else if (problem instanceof Gap) this.catchUp(file);
      else this.#lose(file, gettext("This page had lost the thread."), true);
    });
    this.#intake.on("done", () => {
      this.emit("counted", null);
      this.leave();
    });
    socket.on("state", ({ state }) => {
      if (state !== "live") this.#disconnected();
    });
    dispatcher.on("welcome", (frame) => {
      this.#disconnected();
      this.#outgoing.maxBytes = frame.limits?.push_bytes ?? Number.POSITIVE_INFINITY;
      this.#reopen(new Set(frame.files.map(({ file }) => file)));
    });
    dispatcher.on("file", (frame) => this.#arrived(frame));
    dispatcher.on("entries", ({ file, list }) => {
      if (this.#roster.lost.has(file)) return;
      for (const entry of list) this.#intake.add(file, entry);
      this.#intake.add(file, { run: () => this.#caughtUp(file) });
    });
    dispatcher.on("entry", (frame) => {
      if (!this.#roster.lost.has(frame.file)) this.#intake.add(frame.file, frame);
    });
    dispatcher.on("pushed", ({ id, file }) =>
      this.#intake.add(file, { run: (it) => this.#pushed(id, it) }),
    );
    dispatcher.on("rejected", ({ id, file, code, message }) => {
      this.#refused(id, file, message, code !== "gone");
    });
    dispatcher.on("error", ({ id, code, message }) => {
      if (code === "refused" && !id && socket.state === "connecting") return this.#strangers();
      const file = this.#outgoing.file;
      if (!file || !this.#outgoing.owns(id)) return;
      if (code === "behind" || code === "state") {
        this.#outgoing.forget();
        this.catchUp(file);
      } else {
        this.#refused(String(id), file, message, code !== "gone");
      }
    });
    dispatcher.on("tree", ({ op, file }) => {
      if (op === "delete") this.#gone(file);
    });
  }

  /** Leaves those that are to be left and have nothing unconfirmed. */
  leave() {
    for (const file of [...this.#roster.leaving]) {
      const replica = this.#roster.replicas.get(file);
      if (replica?.pending) continue;
      this.#roster.leaving.delete(file);
      if (replica) this.#forget(file);
      this.#socket.send({ t: "close", file });
    }
  }

  #disconnected() {
    this.#outgoing.forget();
    this.#roster.ready.clear();
  }

  /** Asks for everything again after a welcome. @param {Set<string>} living the files there are */
  #reopen(living) {
    for (const file of [...this.#roster.replicas.keys()]) {
      if (living.has(file)) this.catchUp(file);
      else this.#gone(file);
    }
    for (const file of this.#roster.wanted) this.#socket.send({ t: "open", file });
  }

  /** Asks for what a file lacks. @param {string} file */
  catchUp(file) {
    const replica = this.#roster.replicas.get(file);
    if (!replica) return;
    this.#roster.ready.delete(file);
    // The answer to a push may be in that queue; the push is made again, and does nothing twice.
    if (this.#outgoing.file === file) this.#outgoing.forget();
    replica.clearQueue();
    this.#socket.send({
      t: "open",
      file,
      ...(this.#roster.lost.has(file) ? {} : { v: replica.version }),
    });
  }

  /** @param {string} file */
  #caughtUp(file) {
    this.#roster.ready.add(file);
    void this.#outgoing.kick();
  }

  /** @param {FileFrame} frame */
  #arrived(frame) {
    const { file, v, text } = frame;
    const old = this.#roster.replicas.get(file);
    if (!old && !this.#roster.wanted.delete(file)) return;
    // What was typed while the file was asked for anew was never sent, and belongs into it.
    const typed = old && this.#roster.lost.delete(file) ? old.unconfirmed() : null;
    if (old && !typed) this.#setAside(old, tooFar(old));
    const replica = this.#roster.create(file, text, v);
    this.#roster.ready.add(file);
    this.emit("opened", { replica, frame });
    if (old && typed) {
      const { base, state } = old;
      this.emit("typed", { replica, base, changes: typed, head: state.selection.main.head });
    }
    this.emit("counted", null);
    void this.#keeper.now();
  }

  /** @param {string} id @param {Replica} replica */
  #pushed(id, replica) {
    if (!this.#outgoing.owns(id)) return;
    // All of its entries were sent before this; a counter that is still awaited was another edit's.
    if (replica.firstNumber !== null) throw new Mismatch("A push was done without its entries.");
    this.#outgoing.done(id);
  }

  /** @param {string} id @param {string} file @param {string} message @param {boolean} again */
  #refused(id, file, message, again) {
    if (!this.#outgoing.owns(id)) return;
    this.#lose(file, message, again);
    this.#outgoing.done(id);
  }

  /** @param {string} file */
  #gone(file) {
    this.#lose(file, gettext("The file was deleted. What you typed last was not sent."), false);
  }

  /**
   * Gives up what a file has unconfirmed: sets it aside, and opens the file anew if there is something to open.
   * @param {string} file
   * @param {string} message
   * @param {boolean} again
   */
  #lose(file, message, again) {
    const replica = this.#roster.replicas.get(file);
    this.#roster.wanted.delete(file);
    if (!replica) return;
    this.#setAside(replica, message);
    if (again) this.#renew(replica);
    else this.#forget(file);
    this.emit("counted", null);
    // What was set aside is kept as that, and must not come back as unsent too.
    void this.#keeper.now();
  }

  /** @param {Replica} replica */
  #renew({ file, base, version }) {
    if (this.#outgoing.file === file) this.#outgoing.forget();
    this.#roster.ready.delete(file);
    this.#roster.lost.add(file);
    this.emit("opened", {
      replica: this.#roster.create(file, base.toString(), version),
      frame: null,
    });
    this.catchUp(file);
  }

  /** @param {string} file */
  #forget(file) {
    this.#roster.remove(file);
    if (this.#outgoing.file === file) this.#outgoing.forget();
    this.emit("closed", { file });
  }

  /** @param {Replica} replica @param {string} message */
  #setAside(replica, message) {
    const aside = asideOf(replica, this.#pathOf(replica.file), message);
    if (aside) this.emit("aside", aside);
  }

  /** What the store gave back is another person's, who used this browser before; it stays there for them. */
  #strangers() {
    this.#becomeNew();
    for (const file of [...this.#roster.replicas.keys()]) this.#forget(file);
    this.emit("counted", null);
    this.#socket.restart();
  }

  /** The log has edits under our id that we did not make: go on under another, with nothing in doubt. */
  #startOver() {
    const old = this.#roster.client;
    this.#becomeNew();
    const message = gettext("The server's log and this page disagree about what you typed last.");
    for (const file of [...this.#roster.replicas.keys()]) this.#lose(file, message, true);
    void this.#keeper.forget(old);
    this.#socket.restart();
  }

  #becomeNew() {
    this.#roster.client = fresh().client;
    if (globalThis.navigator?.locks) void hold(navigator.locks, clientLock(this.#roster.client));
    remember(this.#roster.client);
    this.#outgoing.counter = 0;
  }
}

/** @param {Replica} replica */
function tooFar({ firstNumber }) {
  if (firstNumber === null) return gettext("The file moved on too far for what you typed offline.");
  return gettext(
    "The file moved on too far for what you typed offline. Some of it may have arrived: look before you apply it again.",
  );
}
