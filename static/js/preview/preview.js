/**
 * The live preview: shows a page of the project as it is changed, by people and by the model. It follows the files
 * that the page is made of, and shows them anew at most twice a second, and at once when the model has finished a
 * place. Closed, it costs nothing.
 */

import { gettext, interpolate, listed } from "../lib/i18n.js";
import { bundle, dataAddress } from "./bundle.js";
import { Frames } from "./frame.js";
import { Log } from "./log.js";
import { decoded, entries, kindOf, resolve, typeOf } from "./paths.js";

/** @import { Documents } from "../collab/documents.js" */
/** @import { Project } from "../collab/project.js" */
/** @import { Kept } from "../lib/kept.js" */
/** @import { ConsoleLine } from "./frame.js" */

const EVERY_MS = 500;
/** How long the page waits for files it is made of before it is shown without them. */
const PATIENCE_MS = 3_000;
const LARGEST_DATA_BYTES = 5_000_000;

/**
 * @typedef {object} PreviewParts
 * @property {HTMLElement} pane
 * @property {HTMLElement} holder
 * @property {HTMLSelectElement} choice which file is shown
 * @property {HTMLElement} again
 * @property {HTMLElement} note
 * @property {HTMLDetailsElement} logBox
 * @property {HTMLElement} logTitle
 * @property {HTMLElement} logList
 * @property {HTMLElement} logAsk
 * @property {Documents} documents
 * @property {Project} project
 * @property {() => readonly string[]} held files that the tabs follow, and that are not ours to leave
 * @property {() => string | null} active the file in the editor
 * @property {(file: string, line: number) => void} goTo
 * @property {(prompt: string) => void} ask puts a prompt into the box
 * @property {string} slug
 * @property {Kept} kept which page was shown last
 */

export class Preview {
  #parts;
  #frames;
  #log;
  #isOpen = false;
  #path = "";
  /** Files (ids) followed for the page that is shown. @type {Set<string>} */
  #followed = new Set();
  /** Paths that the page is made of. @type {Set<string>} */
  #used = new Set();
  /** Binary files as data: addresses; null while they are fetched, "" when they cannot be had. @type {Map<string, string | null>} */
  #data = new Map();
  #shownAt = Number.NEGATIVE_INFINITY;
  #timer = 0;
  #stopped = false;
  /** Since when files are waited for; 0 when none are. */
  #waitingSince = 0;
  /** Whether it is to run again though nothing changed. */
  #again = false;
  /** @type {Promise<{ default: (text: string) => string }> | null} */
  #loading = null;
  /** @type {((text: string) => string) | null} */
  #markdown = null;

  /** @param {PreviewParts} parts */
  constructor(parts) {
    this.#parts = parts;
    const { documents, project, choice } = parts;
    const address = parts.pane.dataset.frame ?? "";
    this.#frames = new Frames(parts.holder, address, gettext("The project's page"));
    this.#log = new Log({
      box: parts.logBox,
      title: parts.logTitle,
      list: parts.logList,
      askAll: parts.logAsk,
      knows: (path) => this.#fileAt(path) !== null,
      goTo: (path, line) => {
        const file = this.#fileAt(path);
        if (file) parts.goTo(file, line);
      },
      ask: (errors) => parts.ask(promptFor(this.#path, errors)),
    });
    this.#frames.on("cleared", () => this.#log.clear());
    this.#frames.on("lines", ({ lines, dropped }) => this.#log.add(lines, dropped));
    this.#frames.on("go", (to) => this.#go(to));
    this.#frames.on("dead", () => {
      this.#stopped = true;
      this.#say(
        gettext(
          "The page no longer answered, perhaps because of an endless loop, and was stopped. Change it, then press Run again.",
        ),
      );
    });
    choice.addEventListener("change", () => this.#choose(choice.value));
    parts.again.addEventListener("click", () => this.#render(true));
    documents.on("opened", ({ replica }) => {
      if (this.#followed.has(replica.file)) this.#soon(this.#waitingSince > 0);
    });
    documents.on("changed", ({ replica }) => {
      if (this.#isOpen && this.#used.has(project.pathOf(replica.file))) this.#soon();
    });
    documents.on("closed", ({ file }) => {
      // A tab that was closed; the page is still made of it.
      if (this.#followed.has(file) && this.#isOpen) documents.open(file);
    });
    project.on("hunk", ({ status }) => {
      if (this.#isOpen && status !== "open") this.#soon(true);
    });
    project.on("files", () => this.#filesChanged());
    project.on("welcome", () => this.#filesChanged());
  }

  /** Whether it is shown. */
  get isOpen() {
    return this.#isOpen;
  }

  /** Shows it: the file in the editor when it is a page, else what was shown last, else the likeliest. */
  open() {
    if (this.#isOpen) return;
    this.#isOpen = true;
    const { project, active } = this.#parts;
    const current = project.pathOf(active() ?? "");
    const all = this.#list();
    const last = this.#parts.kept.get();
    const first = kindOf(current) && this.#fileAt(current) ? current : "";
    this.#choose(first || (all.includes(last) ? last : (all[0] ?? "")));
  }

  /** Hides it; nothing of the page runs on. */
  close() {
    this.#isOpen = false;
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#frames.clear();
    this.#log.clear();
    this.#follow(new Set());
  }

  #filesChanged() {
    if (!this.#isOpen) return;
    const all = this.#list();
    if (!all.includes(this.#path)) this.#choose(all[0] ?? "");
    else this.#soon();
  }

  /** Lists what can be shown. */
  #list() {
    const { choice, project } = this.#parts;
    const all = entries([...project.files.values()].filter(isText).map(({ path }) => path));
    choice.replaceChildren(...all.map((path) => new Option(path, path)));
    choice.value = this.#path;
    choice.hidden = !all.length;
    return all;
  }

  /** @param {string} path */
  #choose(path) {
    const { choice } = this.#parts;
    this.#path = path;
    choice.value = path;
    this.#used = new Set([path]);
    this.#frames.clear();
    this.#log.clear();
    if (!path) {
      this.#follow(new Set());
      this.#say(
        gettext(
          "Nothing to show yet. The preview shows pages (.html), drawings (.svg) and Markdown of this project; ask Flint to make an index.html.",
        ),
      );
      return;
    }
    this.#parts.kept.set(path);
    this.#render(true);
  }

  /** @param {string} to an address that somebody clicked in the page */
  #go(to) {
    const target = resolve(to, this.#path);
    if (target && this.#fileAt(target) && kindOf(target)) this.#choose(target);
    else
      this.#say(
        interpolate(gettext("The page links to %(address)s, which the preview cannot show."), {
          address: to,
        }),
      );
  }

  /** @param {boolean} [now] whether this is worth showing at once */
  #soon(now = false) {
    if (!this.#isOpen || this.#stopped) return;
    const wait = now ? 0 : Math.max(0, this.#shownAt + EVERY_MS - performance.now());
    if (now) clearTimeout(this.#timer);
    else if (this.#timer) return;
    this.#timer = window.setTimeout(() => this.#render(), wait);
  }

  #render(again = false) {
    clearTimeout(this.#timer);
    this.#timer = 0;
    if (!this.#isOpen || !this.#path) return;
    if (again) {
      this.#stopped = false;
      for (const [file, address] of this.#data) if (address === "") this.#data.delete(file);
    }
    if (kindOf(this.#path) === "markdown" && !this.#markdown) {
      void this.#loadMarkdown();
      return;
    }
    this.#shownAt = performance.now();
    const file = this.#fileAt(this.#path);
    if (file && !this.#parts.documents.get(file)) {
      this.#follow(new Set([this.#path]));
      return;
    }
    this.#again ||= again;
    const page = bundle(
      this.#path,
      { text: (path) => this.#text(path), data: (path) => this.#binary(path) },
      this.#markdown ?? ((text) => text),
    );
    this.#used = new Set([...page.used, ...page.missing]);
    this.#follow(this.#used);
    const coming = [...page.missing].filter((path) => this.#isComing(path));
    if (coming.length && !this.#isLate()) return;
    this.#waitingSince = 0;
    const lacking = [...page.missing].filter((path) => !this.#fileAt(path));
    this.#say(
      lacking.length
        ? interpolate(gettext("Not in the project: %(paths)s."), { paths: listed(lacking) })
        : "",
    );
    this.#frames.show(page, this.#again);
    this.#again = false;
  }

  async #loadMarkdown() {
    this.#loading ??= import("./markdown.js");
    try {
      this.#markdown = (await this.#loading).default;
      this.#render(true);
    } catch {
      this.#loading = null;
      this.#say(gettext("What shows Markdown could not be loaded. Press Run again when online."));
    }
  }

  /** Whether a file that is not here yet will be. @param {string} path */
  #isComing(path) {
    const file = this.#fileAt(path);
    if (!file) return false;
    const info = this.#parts.project.files.get(file);
    return info?.binary ? this.#data.get(file) === null : true;
  }

  /** Whether what is waited for has had its time; until then it is looked at once more when that is over. */
  #isLate() {
    const now = performance.now();
    this.#waitingSince ||= now;
    const rest = this.#waitingSince + PATIENCE_MS - now;
    if (rest <= 0) return true;
    this.#timer = window.setTimeout(() => this.#render(), rest);
    return false;
  }

  /** @param {string} path @returns {string | null} a file's id */
  #fileAt(path) {
    for (const info of this.#parts.project.files.values()) if (info.path === path) return info.file;
    return null;
  }

  /** @param {string} path */
  #text(path) {
    const file = this.#fileAt(path);
    return (file && this.#parts.documents.get(file)?.state.doc.toString()) ?? null;
  }

  /** @param {string} path */
  #binary(path) {
    const file = this.#fileAt(path);
    const info = file ? this.#parts.project.files.get(file) : null;
    if (!info?.binary || info.size > LARGEST_DATA_BYTES) return null;
    const known = this.#data.get(info.file);
    if (known === undefined) {
      this.#data.set(info.file, null);
      void this.#fetch(info.file, path);
    }
    return known || null;
  }

  /** @param {string} file @param {string} path */
  async #fetch(file, path) {
    let address = "";
    try {
      const answer = await fetch(`/s/${this.#parts.slug}/files/${file}/`);
      const bytes = new Uint8Array(await answer.arrayBuffer());
      if (answer.ok) address = dataAddress(bytes, typeOf(path));
    } catch {
      // Offline: the page is shown without it, until it is run again.
    }
    this.#data.set(file, address);
    this.#soon();
  }

  /** Follows the files at these paths, and leaves those that nothing else needs. @param {Set<string>} paths */
  #follow(paths) {
    const { documents, held, project } = this.#parts;
    const files = new Set(
      [...paths]
        .map((path) => this.#fileAt(path))
        .filter((file) => file !== null && isText(project.files.get(file))),
    );
    const before = this.#followed;
    this.#followed = /** @type {Set<string>} */ (files);
    for (const file of this.#followed) documents.open(file);
    for (const file of before)
      if (!this.#followed.has(file) && !held().includes(file)) documents.close(file);
  }

  /** @param {string} text */
  #say(text) {
    const { note } = this.#parts;
    note.textContent = text;
    note.hidden = !text;
  }
}

/** @param {import("../net/messages.js").FileInfo | undefined} info */
const isText = (info) => info !== undefined && !info.binary;

/**
 * Returns the prompt that asks for errors of the previewed page to be mended.
 * @param {string} path
 * @param {ConsoleLine[]} errors
 */
export function promptFor(path, errors) {
  const listed = errors.slice(0, 10).map(({ text, source, line }) => {
    const place = line ? ` (${decoded(source)}:${line})` : "";
    return `- ${text.split("\n")[0]}${place}`;
  });
  const head = interpolate(gettext("The preview of %(path)s shows these errors. Fix them:"), {
    path,
  });
  return `${head}\n${listed.join("\n")}`;
}
