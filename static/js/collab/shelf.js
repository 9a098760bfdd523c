/**
 * Keeps the session as this page last saw it: what there is, and the texts that were open. A page that comes up
 * without a connection shows that, and goes on from there.
 *
 * A text is kept as it was confirmed, so whatever is unconfirmed is kept apart, by the page that typed it. A kept text that
 * is behind does no harm: with the connection the entries since its version come.
 * Left out: people, who are gone, and turns that were running, whose end nobody would hear of.
 */

import { isRunning } from "./project.js";

/** @import { Documents } from "./documents.js" */
/** @import { Project } from "./project.js" */
/** @import { Store } from "./store.js" */

/** A text of 2 MB is written at most this often, while the model writes into it. */
const SAVE_MS = 3_000;
/** So many turns are kept, without what they replaced. */
const TURNS = 30;
/** So many texts are kept for a session; those opened longest ago go first. */
const TEXTS = 200;

export class Shelf {
  #store;
  #documents;
  #project;
  #title;
  /** Changed since they were kept. @type {Set<string>} */
  #changed = new Set();
  /** The order in which texts were kept, oldest first. @type {Set<string>} */
  #kept = new Set();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #saving;

  /**
   * @param {{ store: Store, documents: Documents, project: Project, title: () => string }} parts
   */
  constructor({ store, documents, project, title }) {
    this.#store = store;
    this.#documents = documents;
    this.#project = project;
    this.#title = title;
    documents.on("opened", ({ replica }) => this.#soon(replica.file));
    documents.on("changed", ({ replica }) => this.#soon(replica.file));
    for (const name of /** @type {const} */ (["welcome", "files", "turn", "endpoints"])) {
      project.on(name, () => this.#soon());
    }
  }

  /** Finds out what earlier pages kept. */
  async open() {
    for (const file of await this.#store.shelvedFiles()) this.#kept.add(file);
  }

  /** Whether a file can be shown without a connection. @param {string} file */
  has(file) {
    return this.#kept.has(file) || this.#documents.get(file) !== undefined;
  }

  /** Keeps everything as it is now; resolves when it is done. */
  async now() {
    clearTimeout(this.#saving);
    this.#saving = undefined;
    const { you, files, turns, models, endpoints, followups, kept } = this.#project;
    // Before the first welcome there is nothing to keep, and what was kept is newer than nothing.
    if (!you) return;
    const texts = [];
    for (const file of this.#changed) {
      const replica = this.#documents.get(file);
      if (!replica || !files.has(file)) continue;
      texts.push({ file, version: replica.version, text: replica.base.toString() });
      this.#kept.delete(file);
      this.#kept.add(file);
    }
    this.#changed.clear();
    const gone = [...this.#kept].filter((file) => !files.has(file));
    const over = [...this.#kept].filter((file) => files.has(file)).slice(0, -TEXTS);
    for (const file of [...gone, ...over]) this.#kept.delete(file);
    const shelving = this.#store.shelve(texts, [...gone, ...over]);
    if (!kept) {
      await this.#store.keepSession(this.#title(), {
        you,
        files: [...files.values()],
        people: [],
        turns: [...turns.values()]
          .filter((turn) => !isRunning(turn))
          .slice(-TURNS)
          .map((turn) => ({ ...turn, hunks: [] })),
        models: [...models.values()],
        endpoints,
        followups,
      });
    }
    await shelving;
  }

  /** @param {string} [file] */
  #soon(file) {
    if (file) this.#changed.add(file);
    this.#saving ??= setTimeout(() => void this.now(), SAVE_MS);
  }
}
