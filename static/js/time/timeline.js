/**
 * The timeline: the project at any moment of its past, scrubbed, stepped and played. It only reads. The page around
 * it adds what may be done with a moment.
 */

import { byId, h, setText } from "../lib/dom.js";
import { Emitter } from "../lib/emitter.js";
import { formatNumber, gettext, interpolate } from "../lib/i18n.js";
import { isComposing } from "../lib/keys.js";
import { nextMark, SPEEDS } from "./pace.js";
import { Player } from "./player.js";
import { textView } from "./view.js";
import { doneBy, markWords, nameOf, whenOf } from "./words.js";

/** @import { Extension } from "../../vendor/codemirror.js" */
/** @import { Shown } from "./player.js" */
/** @import { Moment, Overview, Source } from "./source.js" */

const SVG = "http://www.w3.org/2000/svg";
const MARKS = new Set(["turn", "checkpoint", "restore"]);

/** @extends {Emitter<{ moved: number }>} */
export class Timeline extends Emitter {
  #source;
  #view;
  /** @type {Player | null} */
  #player = null;
  /** @type {Overview | null} */
  #overview = null;
  /** @type {Moment[]} */
  #marks = [];
  #root = byId("timeline");
  #range = /** @type {HTMLInputElement} */ (byId("time-range"));
  #file = /** @type {HTMLSelectElement} */ (byId("time-file"));
  #play = byId("time-play");
  #paths = "";

  /**
   * @param {object} options
   * @param {Source} options.source
   * @param {string} options.nonce
   * @param {() => Extension} options.theme
   * @param {(path: string) => Extension} options.language
   */
  constructor({ source, nonce, theme, language }) {
    super();
    this.#source = source;
    this.#view = textView({ parent: byId("time-text"), nonce, theme, language });
    const speed = /** @type {HTMLSelectElement} */ (byId("time-speed"));
    for (const value of SPEEDS) {
      const label = interpolate(gettext("%(speed)s×"), { speed: value });
      speed.append(h("option", { value }, label));
    }
    speed.addEventListener("change", () => this.#player?.setSpeed(Number(speed.value)));
    this.#range.addEventListener("input", () => this.goTo(Number(this.#range.value)));
    this.#file.addEventListener("change", () => this.#player?.pick(this.#file.value));
    this.#play.addEventListener("click", () => this.#toggle());
    const click = (/** @type {string} */ id, /** @type {() => void} */ act) =>
      byId(id).addEventListener("click", act);
    click("time-back", () => this.#step(-1));
    click("time-on", () => this.#step(1));
    click("time-mark-back", () => this.#toMark(-1));
    click("time-mark-on", () => this.#toMark(1));
    this.#root.addEventListener("keydown", (event) => this.#key(event));
  }

  /** The moment that is shown, or is about to be. */
  get seq() {
    return this.#player?.seq ?? 0;
  }

  get overview() {
    return this.#overview;
  }

  /** What can be gone to, in rising order. */
  get marks() {
    return this.#marks;
  }

  /** Reads what happened, and shows the newest moment, or the one that was shown. */
  async load() {
    try {
      this.#learn(await this.#source.overview());
    } catch (error) {
      this.#failed(/** @type {Error} */ (error));
    }
  }

  /** @param {Overview} overview */
  #learn(overview) {
    const atEnd = !this.#overview || this.seq >= this.#overview.last;
    this.#overview = overview;
    this.#marks = overview.moments.filter(({ kind }) => MARKS.has(kind));
    this.#range.min = String(overview.first);
    this.#range.max = String(overview.last);
    this.#draw(overview);
    if (!this.#player) {
      this.#player = new Player(this.#source, overview);
      this.#player.on("shown", (shown) => this.#show(shown));
      this.#player.on("playing", (playing) => this.#showPlaying(playing));
      this.#player.on("failed", (error) => this.#failed(error));
      this.#player.on("busy", (busy) => this.#root.setAttribute("aria-busy", String(busy)));
    }
    this.#player.learn(overview);
    if (!this.#player.playing) this.goTo(atEnd ? overview.last : this.seq);
  }

  /** @param {number} seq */
  goTo(seq) {
    this.#player?.goTo(seq);
    this.#range.value = String(this.seq);
  }

  focus() {
    this.#range.focus();
  }

  /** Nobody looks any more. */
  pause() {
    this.#player?.pause();
  }

  /** Something for the person. @param {string} words */
  say(words) {
    setText(byId("time-say"), words);
  }

  /** @param {-1 | 1} way */
  #step(way) {
    this.goTo(this.seq + way);
  }

  /** @param {-1 | 1} way */
  #toMark(way) {
    if (this.#overview) this.goTo(nextMark(this.#overview.moments, this.seq, way, this.#overview));
  }

  #toggle() {
    const player = this.#player;
    if (player?.playing) player.pause();
    else player?.play();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (isComposing(event) || event.ctrlKey || event.metaKey || event.altKey) return;
    const target = /** @type {HTMLElement} */ (event.target);
    // A button, a list and the text have their own use for these keys.
    const own = target !== this.#range && target.matches("button, select, summary, input");
    /** @type {Record<string, () => void>} */
    const acts = {
      " ": () => this.#toggle(),
      ArrowLeft: () => this.#step(-1),
      ArrowRight: () => this.#step(1),
      PageDown: () => this.#toMark(-1),
      PageUp: () => this.#toMark(1),
      Home: () => this.goTo(this.#overview?.first ?? 0),
      End: () => this.goTo(this.#overview?.last ?? 0),
    };
    const act = acts[event.key];
    if (!act || own) return;
    event.preventDefault();
    act();
  }

  /** @param {Shown} shown */
  #show(shown) {
    const { seq, files, file, entry } = shown;
    this.say("");
    this.#range.value = String(seq);
    const done = doneBy(shown);
    const when = entry ? whenOf(entry.at) : "";
    this.#range.setAttribute("aria-valuetext", when ? `${done}, ${when}` : done);
    setText(byId("time-done"), done);
    setText(byId("time-when"), when);
    setText(byId("time-path"), file?.path ?? "");
    this.#fillFiles(files);
    const none = byId("time-none");
    none.hidden = shown.doc !== null;
    byId("time-text").hidden = shown.doc === null;
    setText(
      none,
      file
        ? gettext("This file is binary, so it has no text to show.")
        : gettext("There was no file at this moment."),
    );
    this.#view(shown);
    const turn = this.#marks.findLast(
      (mark) => mark.kind === "turn" && mark.seq <= seq && seq <= (mark.to ?? mark.seq),
    );
    const prompt = byId("time-prompt");
    prompt.hidden = !turn;
    if (turn && this.#overview) setText(prompt, markWords(turn, this.#overview));
    this.emit("moved", seq);
  }

  /** @param {Shown["files"]} files */
  #fillFiles(files) {
    const paths = files.map(({ file, path }) => `${file} ${path}`).join("\n");
    if (paths === this.#paths) return;
    this.#paths = paths;
    const picked = this.#player?.picked ?? "";
    const [first] = this.#file.options;
    const options = files.map(({ file, path }) => h("option", { value: file }, path));
    this.#file.replaceChildren(first, ...options);
    this.#file.value = files.some(({ file }) => file === picked) ? picked : "";
  }

  /** @param {boolean} playing */
  #showPlaying(playing) {
    this.#play.setAttribute("aria-pressed", String(playing));
    setText(this.#play, playing ? gettext("Pause") : gettext("Play"));
  }

  /** @param {Error} error */
  #failed(error) {
    const lost = gettext(
      "The past cannot be read just now. Nothing is lost; try again in a moment.",
    );
    const told = "status" in error ? error.message : "";
    this.say(told || lost);
  }

  /** @param {Overview} overview */
  #draw(overview) {
    const { first, last, width, buckets } = overview;
    const size = Math.max(1, last - first);
    const place = (/** @type {number} */ seq) => `${((seq - first) / size) * 100}%`;
    const dots = this.#marks.map((mark) => {
      const dot = h("span", { class: `time-mark of-${mark.kind}` });
      dot.style.left = place(mark.seq);
      return dot;
    });
    byId("time-marks").replaceChildren(...dots);
    const most = Math.max(1, ...buckets.map(([, , , who]) => sum(who)));
    const activity = byId("time-activity");
    activity.setAttribute("viewBox", `0 0 ${size} 100`);
    const bars = buckets.map(([number, , , who]) => {
      const bar = document.createElementNS(SVG, "rect");
      const height = 12 + (sum(who) / most) * 88;
      const model = who.some(([person]) => overview.people[person].model);
      bar.setAttribute("class", model ? "model" : "person");
      bar.setAttribute("x", String(number * width));
      bar.setAttribute("width", String(width));
      bar.setAttribute("y", String(100 - height));
      bar.setAttribute("height", String(height));
      return bar;
    });
    activity.replaceChildren(...bars);
    const items = [...this.#marks]
      .reverse()
      .map((mark) =>
        h(
          "li",
          { class: `time-item of-${mark.kind}` },
          h(
            "button",
            { type: "button", onclick: () => this.goTo(mark.seq) },
            h("span", { class: "time-item-text" }, markWords(mark, overview)),
            h("span", { class: "time-item-who" }, this.#byline(mark, overview)),
          ),
        ),
      );
    byId("time-list").replaceChildren(...items);
    setText(byId("time-count"), items.length ? formatNumber(items.length) : "");
  }

  /** @param {Moment} mark @param {Overview} overview */
  #byline({ kind, name, text, by = -1, at }, { people }) {
    const who = name ?? nameOf(people[by]);
    return kind === "checkpoint" && text && who ? `${who} · ${whenOf(at)}` : whenOf(at);
  }
}

/** @param {[number, number][]} who */
function sum(who) {
  return who.reduce((total, [, count]) => total + count, 0);
}
