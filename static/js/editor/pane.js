/**
 * The one editor of the page: shows one file at a time, and keeps each file's selection (in its state) and
 * scroll place for when it comes back.
 *
 * A person's transactions pass through the documents on their way to the screen; those of others come from
 * there. The view's state is the replica's state after every call, never another.
 */

import { EditorSelection, EditorState, EditorView, StateEffect } from "../../vendor/codemirror.js";
import { Emitter } from "../lib/emitter.js";

/** @import { Documents } from "../collab/documents.js" */

/**
 * @typedef {object} PaneEvents
 * @property {{ file: string | null }} shown
 * @property {{ file: string }} displayed its text is on the screen
 * @property {{ file: string }} selected this person's selection or text changed
 * @property {{ file: string }} shifted others changed the text, and with it where the selection stands
 * @property {{ file: string }} typed this person changed the text
 * @property {{ file: string }} steered this person scrolled or moved the caret
 */

/** @extends {Emitter<PaneEvents>} */
export class Pane extends Emitter {
  #documents;
  #parent;
  /** @type {EditorView | null} */
  #view = null;
  /** @type {string | null} */
  #file = null;
  /** @type {Map<string, StateEffect<any>>} */
  #scrolls = new Map();
  /** The file whose text the view holds. @type {string | null} */
  #displayed = null;
  #focusLater = false;
  /** Goes there as soon as the file is here. @type {{ file: string, from: number, to: number } | null} */
  #goal = null;

  /**
   * @param {HTMLElement} parent
   * @param {Documents} documents
   */
  constructor(parent, documents) {
    super();
    this.#parent = parent;
    this.#documents = documents;
    documents.on("opened", ({ replica }) => {
      if (replica.file === this.#file) this.#display();
    });
    documents.on("changed", ({ replica }) => {
      if (replica.file === this.#file) this.emit("shifted", { file: replica.file });
    });
  }

  /** The file that is shown, or null. */
  get file() {
    return this.#file;
  }

  /** The view, once a file was shown. */
  get view() {
    return this.#view;
  }

  /**
   * Shows a file, or none; the documents must follow it.
   * @param {string | null} file
   */
  show(file) {
    if (file === this.#file) return;
    if (this.#file && this.#view) {
      this.#scrolls.set(this.#file, this.#view.scrollSnapshot());
      this.#documents.show(this.#file, null);
    }
    this.#file = file;
    if (file && this.#documents.get(file)) this.#display();
    else this.#wait();
    this.emit("shown", { file });
  }

  /** Puts the keyboard into the text, as soon as it is here. */
  focus() {
    const here = this.#file !== null && this.#documents.get(this.#file) !== undefined;
    if (here) this.#view?.focus();
    this.#focusLater = !here;
  }

  /**
   * Shows a place of the file that is shown (or about to be), and selects it.
   * @param {number} from
   * @param {number} [to]
   */
  goTo(from, to = from) {
    if (!this.#file) return;
    this.#goal = { file: this.#file, from, to };
    this.#steered();
    this.#go();
  }

  /**
   * Scrolls so that an offset is comfortably in sight; the caret stays.
   * @param {number} offset
   */
  reveal(offset) {
    if (!this.#view) return;
    const at = Math.min(offset, this.#view.state.doc.length);
    this.#dispatchEffects([EditorView.scrollIntoView(at, { y: "nearest", yMargin: 96 })]);
  }

  /**
   * The main selection of the file that is shown, with its lines, or null.
   * @returns {{ file: string, anchor: number, head: number, fromLine: number, toLine: number, empty: boolean } | null}
   */
  selection() {
    if (!this.#file || !this.#view || !this.#documents.get(this.#file)) return null;
    const { doc, selection } = this.#view.state;
    const { anchor, head, from, to, empty } = selection.main;
    const last = doc.lineAt(to);
    // A selection that ends at the start of a line does not mean that line.
    const toLine = !empty && to === last.from && to > from ? last.number - 1 : last.number;
    return { file: this.#file, anchor, head, fromLine: doc.lineAt(from).number, toLine, empty };
  }

  #display() {
    const file = /** @type {string} */ (this.#file);
    const replica = this.#documents.get(file);
    if (!replica) return;
    const { view: shown } = this;
    // The same file anew (the page had lost the thread): as far as possible, the person stays where they were.
    const again = this.#displayed === file && shown;
    const place = again
      ? { scroll: shown.scrollSnapshot(), at: shown.state.selection.main.head }
      : null;
    if (shown) shown.setState(replica.state);
    const view = shown ?? this.#create(replica.state);
    this.#view = view;
    this.#displayed = file;
    this.#parent.removeAttribute("aria-busy");
    this.#documents.show(file, view);
    if (place) view.dispatch({ selection: { anchor: Math.min(place.at, view.state.doc.length) } });
    const scroll = place?.scroll ?? this.#scrolls.get(file);
    if (scroll) this.#dispatchEffects([scroll]);
    this.#go();
    view.requestMeasure();
    if (this.#focusLater) this.focus();
    this.emit("displayed", { file });
  }

  /** The text on the screen is not the file's, which is on its way: nothing can be typed, and it shows. */
  #wait() {
    this.#parent.setAttribute("aria-busy", "true");
    const still = [EditorState.readOnly.of(true), EditorView.editable.of(false)];
    const effects = StateEffect.appendConfig.of(still);
    this.#view?.update([this.#view.state.update({ effects, filter: false })]);
  }

  #go() {
    const goal = this.#goal;
    if (!goal || !this.#view || goal.file !== this.#file || !this.#documents.get(goal.file)) return;
    this.#goal = null;
    const { length } = this.#view.state.doc;
    const selection = EditorSelection.single(
      Math.min(goal.from, length),
      Math.min(goal.to, length),
    );
    const effects = [EditorView.scrollIntoView(selection.main, { y: "center" })];
    this.#view.dispatch({ selection, effects });
  }

  /** @param {StateEffect<any>[]} effects */
  #dispatchEffects(effects) {
    if (this.#file && this.#documents.get(this.#file)) this.#view?.dispatch({ effects });
  }

  /** @param {import("../../vendor/codemirror.js").EditorState} state */
  #create(state) {
    const view = new EditorView({
      state,
      parent: this.#parent,
      dispatchTransactions: (transactions, it) => {
        const file = this.#file;
        // What is on the screen while a file is on its way is nobody's text.
        if (!file || this.#documents.get(file)?.state !== it.state) return;
        it.update(this.#documents.local(file, transactions));
        if (transactions.some(({ docChanged }) => docChanged)) this.emit("typed", { file });
        else if (transactions.some((one) => one.isUserEvent("select")))
          this.emit("steered", { file });
        if (transactions.some((one) => one.docChanged || one.selection)) {
          this.emit("selected", { file });
        }
      },
    });
    // A scroll event does not say whose doing it was; what a hand does before it does.
    for (const name of ["wheel", "touchmove", "pointerdown"]) {
      view.scrollDOM.addEventListener(name, this.#steered, { passive: true });
    }
    view.contentDOM.addEventListener("keydown", (event) => {
      if (/^(Page|Arrow|Home|End)/.test(event.key)) this.#steered();
    });
    return view;
  }

  #steered = () => {
    if (this.#file) this.emit("steered", { file: this.#file });
  };
}
