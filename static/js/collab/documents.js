/**
 * The files this page follows: frames in, transactions out, once an animation frame.
 *
 * Every frame about a file goes through that file's queue, also the answer to a push: it may count only after
 * the entries before it are taken in. A file whose queue turns out not to fit is opened again, and what was
 * typed into it and not confirmed is set aside, visibly. Until it is here anew the page goes on from the text
 * it had last confirmed, so there is always something to type into; what is typed in that moment is carried over.
 */

import { Emitter } from "../lib/emitter.js";
import { gettext } from "../lib/i18n.js";
import { fresh, remember } from "./identity.js";
import { Intake } from "./intake.js";
import { Keeper } from "./keeper.js";
import { clientLock, hold } from "./locks.js";
import { Outgoing } from "./outgoing.js";
import { Gap, Mismatch, Replica } from "./replica.js";
import { applyAgain, asideOf, asideOfStored } from "./setaside.js";

/** @import { ChangeSet, Extension, Text, Transaction } from "../../vendor/codemirror.js" */
/** @import { Dispatcher } from "../net/dispatcher.js" */
/** @import { FileFrame } from "../net/messages.js" */
/** @import { Socket } from "../net/socket.js" */
/** @import { Identity } from "./identity.js" */
/** @import { Screen } from "./intake.js" */
/** @import { Marker } from "./inbox.js" */
/** @import { SetAside } from "./setaside.js" */
/** @import { Store, StoredFile } from "./store.js" */

/**
 * @typedef {object} DocumentEvents
 * @property {{ replica: Replica, frame: FileFrame | null }} opened a file is here, for the first time or anew
 * @property {{ file: string }} closed it is no longer followed
 * @property {SetAside} aside
 * @property {number} pending how many edits are not confirmed
 * @property {{ replica: Replica, transactions: readonly Transaction[] }} changed
 */

/** @extends {Emitter<DocumentEvents>} */
export class Documents extends Emitter {
  #socket;
  #keeper;
  #extensions;
  #pathOf;
  #client;
  #outgoing;
  /** @type {Map<string, Replica>} */
  #replicas = new Map();
  /** Asked for, not here yet. @type {Set<string>} */
  #wanted = new Set();
  /** Those that have every entry up to now, and may push. @type {Set<string>} */
  #ready = new Set();
  /** Those whose text is in doubt: it is asked for anew, and entries count again from there. @type {Set<string>} */
  #lost = new Set();
  /** Those to leave as soon as everything is confirmed. @type {Set<string>} */
  #leaving = new Set();
  #intake = new Intake(this.#replicas);
  #pending = 0;

  /**
   * @param {object} options
   * @param {Socket} options.socket
   * @param {Dispatcher} options.dispatcher
   * @param {Store} options.store
   * @param {Identity} options.identity
   * @param {(file: string) => Extension} options.extensions what the editor adds to a file's state
   * @param {(file: string) => string} options.pathOf
   */
  constructor({ socket, dispatcher, store, identity, extensions, pathOf }) {
    super();
    this.#socket = socket;
    this.#extensions = extensions;
    this.#pathOf = pathOf;
    this.#client = identity.client;
    this.#outgoing = new Outgoing({
      socket,
      ready: () => [...this.#replicas.values()].filter(({ file }) => this.#ready.has(file)),
      durable: () => this.#keeper.now(),
      counter: identity.counter,
    });
    this.#keeper = new Keeper(
      store,
      () => ({
        client: this.#client,
        counter: this.#outgoing.counter,
        replicas: this.#replicas.values(),
      }),
      pathOf,
    );
    this.#intake.on("changed", (change) => this.emit("changed", change));
    this.#intake.on("problem", ({ replica: { file }, problem }) => {
      if (problem instanceof Mismatch) this.#startOver();
      else if (problem instanceof Gap) this.#catchUp(file);
      else this.#lose(file, gettext("This page had lost the thread."), true);
    });
    this.#intake.on("done", () => {
      this.#count();
      this.#leave();
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
      if (this.#lost.has(file)) return;
      for (const entry of list) this.mark(file, entry);
      this.mark(file, { run: () => this.#caughtUp(file) });
    });
    dispatcher.on("entry", (frame) => {
      if (!this.#lost.has(frame.file)) this.mark(frame.file, frame);
    });
    dispatcher.on("pushed", ({ id, file }) =>
      this.mark(file, { run: (it) => this.#pushed(id, it) }),
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
        this.#catchUp(file);
      } else {
        this.#refused(String(id), file, message, code !== "gone");
      }
    });
    dispatcher.on("tree", ({ op, file }) => {
      if (op === "delete") this.#gone(file);
    });
  }

  /** The client id that this page greets with. */
  get client() {
    return this.#client;
  }

  /** How many edits are not confirmed, over all files. */
  get pending() {
    return this.#pending;
  }

  /** @param {string} file @returns {Replica | undefined} */
  get(file) {
    return this.#replicas.get(file);
  }

  /** Follows a file; `opened` tells when it is here. @param {string} file */
  open(file) {
    this.#leaving.delete(file);
    if (this.#replicas.has(file) || this.#wanted.has(file)) return;
    this.#wanted.add(file);
    this.#socket.send({ t: "open", file });
  }

  /**
   * Follows a file whose text at a version is known, because this page made it: it can be typed into at once.
   * @param {string} file
   * @param {string} text
   * @param {number} version
   */
  adopt(file, text, version) {
    if (this.#replicas.has(file)) return;
    const replica = this.#create(file, text, version);
    this.#wanted.delete(file);
    this.#catchUp(file);
    this.emit("opened", { replica, frame: null });
  }

  /** Leaves a file, once everything typed into it is confirmed. @param {string} file */
  close(file) {
    this.#wanted.delete(file);
    this.#leaving.add(file);
    this.#leave();
  }

  /**
   * Says what shows a file, so that transactions go there.
   * @param {string} file
   * @param {Screen | null} screen
   */
  show(file, screen) {
    this.#intake.show(file, screen);
  }

  /**
   * Takes a person's transactions in, on the way to the screen.
   * @param {string} file
   * @param {readonly Transaction[]} transactions
   * @returns {readonly Transaction[]} what to show
   */
  local(file, transactions) {
    const replica = this.#replicas.get(file);
    if (!replica) throw new RangeError(`The file ${file} is not open.`);
    const all = replica.local(transactions);
    if (all.some((transaction) => transaction.docChanged)) {
      this.#count();
      this.#keeper.soon();
      void this.#outgoing.kick();
    }
    return all;
  }

  /**
   * Queues an entry, or something that must wait for the entries before it, for a file that is open.
   * @param {string} file
   * @param {import("../net/messages.js").Entry | Marker} item
   */
  mark(file, item) {
    this.#intake.add(file, item);
  }

  /**
   * Brings back what this page had not sent before it was reloaded.
   * @param {StoredFile[]} files
   */
  restore(files) {
    for (const kept of files) {
      try {
        const { file } = kept;
        const extensions = this.#extensions(file);
        const replica = Replica.restore({ ...kept, clientId: this.#client, extensions });
        this.#replicas.set(file, replica);
        this.#leaving.add(file);
        this.emit("opened", { replica, frame: null });
      } catch {
        this.setAsideStored(kept);
      }
    }
    this.#count();
  }

  /** Sets aside what was stored and cannot go on from there. @param {StoredFile} kept */
  setAsideStored(kept) {
    const message = gettext("What you typed before the page was closed could not be sent.");
    const aside = asideOfStored(kept, message);
    if (aside) this.emit("aside", aside);
  }

  /**
   * Applies what was set aside to the file as it is now; says whether that could be done.
   * @param {SetAside} aside
   */
  applyAgain({ file, edit }) {
    const replica = this.#replicas.get(file);
    if (!replica || !edit) return false;
    this.#apply(replica, edit.base, edit.changes);
    return true;
  }

  /** Makes what is unconfirmed durable now, for a page that is about to go. */
  flush() {
    return this.#keeper.now();
  }

  #disconnected() {
    this.#outgoing.forget();
    this.#ready.clear();
  }

  /** Asks for everything again after a welcome. @param {Set<string>} living the files there are */
  #reopen(living) {
    for (const file of [...this.#replicas.keys()]) {
      if (living.has(file)) this.#catchUp(file);
      else this.#gone(file);
    }
    for (const file of this.#wanted) this.#socket.send({ t: "open", file });
  }

  /** @param {string} file */
  #catchUp(file) {
    const replica = this.#replicas.get(file);
    if (!replica) return;
    this.#ready.delete(file);
    // The answer to a push may be in that queue; the push is made again, and does nothing twice.
    if (this.#outgoing.file === file) this.#outgoing.forget();
    replica.clearQueue();
    this.#socket.send({ t: "open", file, ...(this.#lost.has(file) ? {} : { v: replica.version }) });
  }

  /** @param {string} file */
  #caughtUp(file) {
    this.#ready.add(file);
    void this.#outgoing.kick();
  }

  /** @param {FileFrame} frame */
  #arrived(frame) {
    const { file, v, text } = frame;
    const old = this.#replicas.get(file);
    if (!old && !this.#wanted.delete(file)) return;
    // What was typed while the file was asked for anew was never sent, and belongs into it.
    const typed = old && this.#lost.delete(file) ? old.unconfirmed() : null;
    if (old && !typed) this.#setAside(old, tooFar(old));
    const replica = this.#create(file, text, v);
    this.#ready.add(file);
    this.emit("opened", { replica, frame });
    if (old && typed) this.#apply(replica, old.base, typed, old.state.selection.main.head);
    this.#count();
    void this.#keeper.now();
  }

  /** @param {string} file @param {string} text @param {number} version */
  #create(file, text, version) {
    const extensions = this.#extensions(file);
    const replica = new Replica({ file, clientId: this.#client, text, version, extensions });
    this.#replicas.set(file, replica);
    return replica;
  }

  /**
   * Does as the person did with another text.
   * @param {Replica} replica
   * @param {Text} base the other text
   * @param {ChangeSet} changes
   * @param {number} [head] where the caret goes; by itself it goes along with the text around it
   */
  #apply(replica, base, changes, head) {
    const { file, state } = replica;
    const mapped = applyAgain(base, changes, state.doc);
    const transaction = state.update({
      changes: mapped,
      selection: head === undefined ? undefined : { anchor: Math.min(head, mapped.newLength) },
      userEvent: "input.again",
      scrollIntoView: head === undefined,
    });
    const shown = this.local(file, [transaction]);
    this.#intake.screen(file)?.update(shown);
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
    const replica = this.#replicas.get(file);
    this.#wanted.delete(file);
    if (!replica) return;
    this.#setAside(replica, message);
    if (again) this.#renew(replica);
    else this.#forget(file);
    this.#count();
    // What was set aside is kept as that, and must not come back as unsent too.
    void this.#keeper.now();
  }

  /** @param {Replica} replica */
  #renew({ file, base, version }) {
    if (this.#outgoing.file === file) this.#outgoing.forget();
    this.#ready.delete(file);
    this.#lost.add(file);
    this.emit("opened", { replica: this.#create(file, base.toString(), version), frame: null });
    this.#catchUp(file);
  }

  /** @param {string} file */
  #forget(file) {
    for (const set of [this.#ready, this.#leaving, this.#lost]) set.delete(file);
    this.#replicas.delete(file);
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
    for (const file of [...this.#replicas.keys()]) this.#forget(file);
    this.#count();
    this.#socket.restart();
  }

  /** The log has edits under our id that we did not make: go on under another, with nothing in doubt. */
  #startOver() {
    const old = this.#client;
    this.#becomeNew();
    const message = gettext("The server's log and this page disagree about what you typed last.");
    for (const file of [...this.#replicas.keys()]) this.#lose(file, message, true);
    void this.#keeper.forget(old);
    this.#socket.restart();
  }

  #becomeNew() {
    this.#client = fresh().client;
    if (globalThis.navigator?.locks) void hold(navigator.locks, clientLock(this.#client));
    remember(this.#client);
    this.#outgoing.counter = 0;
  }

  #leave() {
    for (const file of [...this.#leaving]) {
      const replica = this.#replicas.get(file);
      if (replica?.pending) continue;
      this.#leaving.delete(file);
      if (replica) this.#forget(file);
      this.#socket.send({ t: "close", file });
    }
  }

  #count() {
    let pending = 0;
    for (const replica of this.#replicas.values()) pending += replica.pending;
    if (pending === this.#pending) return;
    if (!pending) this.#keeper.soon();
    this.#pending = pending;
    this.emit("pending", pending);
  }
}

/** @param {Replica} replica */
function tooFar({ firstNumber }) {
  if (firstNumber === null) return gettext("The file moved on too far for what you typed offline.");
  return gettext(
    "The file moved on too far for what you typed offline. Some of it may have arrived: look before you apply it again.",
  );
}
