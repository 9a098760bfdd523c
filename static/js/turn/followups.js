/**
 * The prompts that wait, above the prompt box, for everybody to see. The server's list is the truth: a press asks,
 * and what is shown changes when the server says so. A row lives as long as its prompt, and the one that has the
 * keyboard is never moved: the others are put around it, so neither focus nor a composition is lost.
 *
 * Turned down: removing only after the time for Undo is over. The others would see a prompt that nobody wants any
 * more, and it could still be asked.
 */

import { h, setText } from "../lib/dom.js";
import { gettext } from "../lib/i18n.js";
import { newId } from "../lib/ids.js";
import { dragging } from "./followupsdrag.js";
import { Row } from "./followupsrow.js";
import { Undo } from "./followupsundo.js";
import { allText, countText, heldText, modelOf, removedText } from "./followupswords.js";

/** @import { Project } from "../collab/project.js" */
/** @import { FollowUp, Focus, Selection } from "../net/messages.js" */
/** @import { Requests } from "../net/requests.js" */

/** So many show without being asked for. */
const FEW = 3;

/**
 * @typedef {object} FollowUpParts
 * @property {HTMLElement} root
 * @property {Project} project
 * @property {Requests} requests
 * @property {(focus: Focus) => { v: number, sel: Selection } | null} selection where these lines are, if their file is open
 * @property {(text: string) => boolean} fill puts a text into the prompt box, unless another stands there
 * @property {() => void} leave puts the keyboard into the prompt box
 * @property {() => void} asked this person had one asked
 * @property {(sentence: string) => void} say
 */

export class FollowUpList {
  #parts;
  /** By id. @type {Map<string, Row>} */
  #rows = new Map();
  #all = false;
  #list = h("ol", { class: "followups-list", "aria-labelledby": "followups-title" });
  #title = h("h2", { id: "followups-title" });
  #held = h("p", { class: "followups-held" });
  #next = h(
    "button",
    { type: "button", class: "btn small followups-next" },
    gettext("Send the next one"),
  );
  #more = h("button", { type: "button", class: "link followups-all", "aria-expanded": "false" });
  #undo;
  /** The prompt that this person moved last. */
  moved = "";
  /** Moves are asked for one after another, each from where the last one led. */
  #moves = Promise.resolve();

  /** @param {FollowUpParts} parts */
  constructor(parts) {
    this.#parts = parts;
    const { root, project } = parts;
    root.classList.add("followups");
    root.setAttribute("role", "region");
    root.setAttribute("aria-labelledby", "followups-title");
    this.#undo = new Undo({
      changed: () => this.#draw(),
      undo: (removed) => this.#putBack(removed),
      leave: () => this.#refocus(0, this.#shown()),
    });
    const head = h(
      "div",
      { class: "followups-head" },
      this.#title,
      this.#held,
      this.#next,
      this.#more,
    );
    root.replaceChildren(head, this.#list, this.#undo.element);
    this.#next.addEventListener("click", () => this.#sendNext());
    this.#more.addEventListener("click", () => {
      this.#all = !this.#all;
      this.#draw();
    });
    dragging(this.#list, {
      grip: ".followup-grip",
      drop: (row, before) => {
        this.#place(row.dataset.followup ?? "", before?.dataset.followup);
      },
    });
    const draw = () => this.#draw();
    for (const event of /** @type {const} */ (["welcome", "followups", "people", "endpoints"]))
      project.on(event, draw);
    project.on("turn", draw);
    draw();
  }

  #draw() {
    const { root, project } = this.#parts;
    const { list } = project.followups;
    const held = /** @type {HTMLElement | null} */ (document.activeElement?.closest("li"));
    const at = [...this.#list.children].indexOf(/** @type {HTMLElement} */ (held));
    this.#forget(list);
    const focused = [...this.#rows.values()].find(({ element }) => element === held);
    if (focused && list.findIndex(({ id }) => id === focused.followup.id) >= FEW) this.#all = true;
    const orphans = [...this.#rows.values()].filter(({ isOrphan }) => isOrphan);
    const rows = list.map((followup, index) => this.#row(followup, index));
    for (const [index, { element }] of rows.entries()) element.hidden = !this.#all && index >= FEW;
    arrangeAround(
      this.#list,
      [...rows, ...orphans].map(({ element }) => element),
      held,
    );
    this.#head(list.length);
    const wasInside = at >= 0 || root.contains(document.activeElement);
    root.hidden = !list.length && !orphans.length && !this.#undo.isShown;
    if (at >= 0 && !held?.isConnected) this.#refocus(Math.min(at, rows.length - 1), rows);
    else if (wasInside && root.hidden) this.#parts.leave();
  }

  /** Drops the rows of prompts that wait no longer, but for what is typed in them. @param {FollowUp[]} list */
  #forget(list) {
    for (const [id, row] of this.#rows) {
      if (list.some((one) => one.id === id)) continue;
      if (row.isDirty) row.orphan();
      else this.#rows.delete(id);
    }
  }

  /** @param {FollowUp} followup @param {number} index */
  #row(followup, index) {
    const { project } = this.#parts;
    const row = this.#rows.get(followup.id) ?? this.#make(followup);
    const author = [...project.people.values()].find(({ user }) => user === followup.author);
    row.update(followup, {
      look: author ? `p${author.color}` : "",
      model: modelOf(followup, project.endpoints),
      place: index + 1,
      count: project.followups.list.length,
      may: project.mayPrompt,
      running: project.running !== null,
    });
    return row;
  }

  /** @param {FollowUp} followup */
  #make(followup) {
    const row = new Row(followup, {
      now: ({ followup: { id } }) => void this.#now(id),
      remove: (it) => void this.#remove(it),
      move: (it, by) => {
        this.#moves = this.#moves.then(() => this.#move(it, by));
      },
      save: ({ followup: { id } }, text) => this.#ask({ op: "edit", followup: id, text }),
      reuse: (it) => {
        if (!this.#parts.fill(it.draft)) return this.#parts.say(boxFullText());
        this.#rows.delete(it.followup.id);
        this.#draw();
      },
      left: (it) => {
        if (it.isOrphan) this.#rows.delete(it.followup.id);
        this.#draw();
      },
    });
    this.#rows.set(followup.id, row);
    return row;
  }

  /** @param {number} count */
  #head(count) {
    const { project } = this.#parts;
    const why = heldText(project.followups, project.latest, project.you?.name ?? "");
    setText(this.#title, countText(count));
    this.#title.hidden = !count;
    setText(this.#held, why);
    this.#held.hidden = !why;
    this.#next.hidden = !project.followups.held || !count || !project.mayPrompt;
    this.#more.hidden = count <= FEW;
    this.#more.setAttribute("aria-expanded", String(this.#all));
    setText(this.#more, this.#all ? gettext("Show fewer") : allText(count));
  }

  /** The rows of those that wait, in order. */
  #shown() {
    const { list } = this.#parts.project.followups;
    return list.flatMap(({ id }) => this.#rows.get(id) ?? []);
  }

  /** @param {number} at @param {Row[]} rows the row that had the keyboard is gone */
  #refocus(at, rows) {
    const row = rows[at];
    if (row && !row.element.hidden) row.focus();
    else this.#parts.leave();
  }

  /**
   * @param {Record<string, unknown> & { op: string, followup: string }} wish
   * @returns {Promise<boolean>} whether it was done
   */
  async #ask(wish) {
    const { requests, say } = this.#parts;
    try {
      await requests.ask({ t: "followup", ...wish });
      return true;
    } catch (refused) {
      say(refused instanceof Error ? refused.message : String(refused));
      return false;
    }
  }

  #sendNext() {
    const first = this.#parts.project.followups.list[0];
    if (first) void this.#now(first.id);
  }

  /** @param {string} followup */
  async #now(followup) {
    if (await this.#ask({ op: "now", followup })) this.#parts.asked();
  }

  /** @param {Row} row @param {-1 | 1} by */
  async #move({ followup: { id } }, by) {
    const { list } = this.#parts.project.followups;
    const at = list.findIndex((one) => one.id === id);
    const goal = at + by;
    if (at < 0 || goal < 0 || goal >= list.length) return;
    await this.#place(id, list[by < 0 ? goal : goal + 1]?.id);
  }

  /** @param {string} followup @param {string | undefined} before */
  #place(followup, before) {
    this.moved = followup;
    return this.#ask({ op: "move", followup, ...(before ? { before } : {}) });
  }

  /** @param {Row} row */
  async #remove({ followup }) {
    const { list } = this.#parts.project.followups;
    const next = list[list.findIndex(({ id }) => id === followup.id) + 1];
    if (!(await this.#ask({ op: "remove", followup: followup.id }))) return;
    const text = removedText(followup, this.#parts.project.you?.user ?? "");
    this.#undo.offer({ followup, before: next?.id ?? "", text });
  }

  /** Lets a prompt wait again where it stood; where it would be asked at once, it goes into the box instead. */
  async #putBack(/** @type {import("./followupsundo.js").Removed} */ { followup, before }) {
    const { project, requests, selection, fill, say } = this.#parts;
    const { prompt: text, tier, endpoint, focus } = followup;
    const { held, list } = project.followups;
    if (!project.running && (held || !list.length)) {
      const done = fill(text);
      const back = gettext(
        "Nothing runs that the prompt could wait for. It is back in the prompt box; send it from there.",
      );
      say(done ? back : boxFullText());
      return done;
    }
    const id = newId();
    const about = focus ? { file: focus.file, ...selection(focus) } : {};
    const model = endpoint ? { tier, endpoint } : { tier };
    try {
      const result = await requests.ask({ t: "prompt", id, text, ...model, ...about });
      const stands = project.followups.list.some((one) => one.id === before);
      if (result === "waits" && stands) await this.#place(id, before);
      return true;
    } catch (refused) {
      say(refused instanceof Error ? refused.message : String(refused));
      return false;
    }
  }
}

const boxFullText = () =>
  gettext("Another prompt stands in the box. Send it or clear the box first.");

/**
 * Makes `elements` the children of `list`, in that order, without touching `fixed`, which is one of them or none.
 * @param {HTMLElement} list
 * @param {HTMLElement[]} elements
 * @param {HTMLElement | null} fixed
 */
export function arrangeAround(list, elements, fixed) {
  const stay = new Set(/** @type {Element[]} */ (elements));
  for (const child of [...list.children]) if (!stay.has(child)) child.remove();
  let there = list.firstElementChild;
  for (const element of elements) {
    // What stands before it that does not belong there goes behind everything, and finds its place below.
    while (element === fixed && there && there !== fixed) {
      const next = there.nextElementSibling;
      list.append(there);
      there = next;
    }
    if (element === there) there = there.nextElementSibling;
    else list.insertBefore(element, there);
  }
}
