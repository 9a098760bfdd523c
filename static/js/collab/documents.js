/**
 * The files this page follows, as the rest of the page sees them: opened, typed into, shown, left. What the
 * server's frames do to them is told in sync.js.
 */

import { Emitter } from "../lib/emitter.js";
import { gettext } from "../lib/i18n.js";
import { Intake } from "./intake.js";
import { Keeper } from "./keeper.js";
import { Outgoing } from "./outgoing.js";
import { Roster } from "./roster.js";
import { applyAgain, asideOfStored } from "./setaside.js";
import { Sync } from "./sync.js";

/** @import { ChangeSet, Extension, Text, Transaction } from "../../vendor/codemirror.js" */
/** @import { Dispatcher } from "../net/dispatcher.js" */
/** @import { FileFrame } from "../net/messages.js" */
/** @import { Socket } from "../net/socket.js" */
/** @import { Identity } from "./identity.js" */
/** @import { Marker } from "./inbox.js" */
/** @import { Screen } from "./intake.js" */
/** @import { Replica } from "./replica.js" */
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
  #store;
  #roster;
  #intake;
  #outgoing;
  /** @type {Keeper} */
  #keeper;
  #sync;
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
    const roster = new Roster(identity.client, extensions);
    const intake = new Intake(roster.replicas);
    const outgoing = new Outgoing({
      socket,
      ready: () => roster.pushers(),
      durable: () => this.#keeper.now(),
      counter: identity.counter,
    });
    const { replicas } = roster;
    const state = () => ({
      client: roster.client,
      counter: outgoing.counter,
      replicas: replicas.values(),
    });
    const keeper = new Keeper(store, state, pathOf);
    const sync = new Sync({ socket, dispatcher, roster, intake, outgoing, keeper, pathOf });
    this.#socket = socket;
    this.#store = store;
    this.#roster = roster;
    this.#intake = intake;
    this.#outgoing = outgoing;
    this.#keeper = keeper;
    this.#sync = sync;
    intake.on("changed", (change) => this.emit("changed", change));
    sync.on("opened", (opened) => this.emit("opened", opened));
    sync.on("closed", (closed) => this.emit("closed", closed));
    sync.on("aside", (aside) => this.emit("aside", aside));
    sync.on("counted", () => this.#count());
    sync.on("typed", ({ replica, base, changes, head }) =>
      this.#apply(replica, base, changes, head),
    );
  }

  /** The client id that this page greets with. */
  get client() {
    return this.#roster.client;
  }

  /** How many edits are not confirmed, over all files. */
  get pending() {
    return this.#pending;
  }

  /** @param {string} file @returns {Replica | undefined} */
  get(file) {
    return this.#roster.replicas.get(file);
  }

  /**
   * Follows a file; `opened` tells when it is here. Without a connection that is at once, as it was last seen, or
   * else with the connection.
   * @param {string} file
   */
  open(file) {
    this.#roster.leaving.delete(file);
    if (this.#roster.replicas.has(file) || this.#roster.wanted.has(file)) return;
    this.#roster.wanted.add(file);
    if (!this.#socket.send({ t: "open", file })) void this.#unshelve(file);
  }

  /** @param {string} file */
  async #unshelve(file) {
    const kept = await this.#store.shelved(file);
    if (!kept || !this.#roster.wanted.has(file) || this.#socket.state === "live") return;
    this.adopt(file, kept.text, kept.version);
  }

  /**
   * Follows a file whose text at a version is known, because this page made it or kept it: it can be typed into at
   * once.
   * @param {string} file
   * @param {string} text
   * @param {number} version
   */
  adopt(file, text, version) {
    if (this.#roster.replicas.has(file)) return;
    const replica = this.#roster.create(file, text, version);
    this.#roster.wanted.delete(file);
    this.#sync.catchUp(file);
    this.emit("opened", { replica, frame: null });
  }

  /** Leaves a file, once everything typed into it is confirmed. @param {string} file */
  close(file) {
    this.#roster.wanted.delete(file);
    this.#roster.leaving.add(file);
    this.#sync.leave();
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
    const replica = this.#roster.replicas.get(file);
    if (!replica) throw new RangeError(`The file ${file} is not open.`);
    const all = replica.local(transactions, this.#socket.state !== "live");
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
        const replica = this.#roster.restore(kept);
        this.#roster.leaving.add(replica.file);
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
    const replica = this.#roster.replicas.get(file);
    if (!replica || !edit) return false;
    this.#apply(replica, edit.base, edit.changes);
    return true;
  }

  /** Makes what is unconfirmed durable now, for a page that is about to go. */
  flush() {
    return this.#keeper.now();
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

  #count() {
    const { pending } = this.#roster;
    if (pending === this.#pending) return;
    if (!pending) this.#keeper.soon();
    this.#pending = pending;
    this.emit("pending", pending);
  }
}
