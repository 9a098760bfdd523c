/**
 * Models of the installation that are not ready: how far they are, and the buttons that bring, stop or start them.
 * One card for every tier and both places, an empty list of turns and above the prompt box. What it shows is what
 * the server says, so everybody in the session sees the same.
 */

import { arrange, find, fromTemplate, h, setText } from "../lib/dom.js";
import { placeOf, viewOf } from "./fetchwords.js";

/** @import { Project } from "../collab/project.js" */
/** @import { ModelStatus } from "../net/messages.js" */
/** @import { Requests } from "../net/requests.js" */
/** @import { Act, View } from "./fetchwords.js" */
/** @import { Tiers } from "./tiers.js" */

/**
 * @typedef {object} FetchParts
 * @property {HTMLElement} strips above the prompt box
 * @property {HTMLElement} hint in an empty list of turns
 * @property {Project} project
 * @property {Tiers} tiers
 * @property {Requests} requests
 * @property {() => void} leave puts the keyboard into the prompt box
 * @property {(sentence: string) => void} say
 * @property {(sentence: string) => void} speak
 */

/** States in which a model is on its way. */
const COMES = new Set(["downloading", "starting"]);

export class Fetch {
  #parts;
  /** By tier. @type {Map<string, Card>} */
  #cards = new Map();
  /** Tiers whose model this page has seen come. @type {Set<string>} */
  #fetched = new Set();
  /** The state in which the person put a tier's card away. @type {Map<string, string>} */
  #hidden = new Map();
  /** @type {Map<string, string>} */
  #states = new Map();

  /** @param {FetchParts} parts */
  constructor(parts) {
    this.#parts = parts;
    const { project, tiers } = parts;
    project.on("welcome", () => this.#all());
    project.on("model", (status) => {
      this.#heard(status);
      this.#all();
    });
    project.on("turn", ({ before }) => {
      if (before) return;
      // Whoever asks has read that it is ready.
      for (const [tier, { state }] of project.models)
        if (state === "ready") this.#fetched.delete(tier);
      this.#all();
    });
    tiers.on("changed", () => this.#all());
    // Asking for it anew wants to see it.
    tiers.on("wants-model", (tier) => this.#hidden.delete(tier));
    this.#all();
  }

  #all() {
    const { project, strips, hint } = this.#parts;
    /** @type {Record<"empty" | "strip", HTMLElement[]>} */
    const shown = { empty: [], strip: [] };
    for (const status of project.models.values()) {
      const { state, tier } = status;
      if (!this.#states.has(tier)) this.#states.set(tier, state);
      if (COMES.has(state)) this.#fetched.add(tier);
      const place = placeOf(status, {
        chosen: this.#isChosen(tier),
        empty: !project.turns.size,
        fetched: this.#fetched.has(tier),
        hidden: this.#hidden.get(tier) === state,
      });
      if (place) shown[place].push(this.#card(status, place === "strip"));
    }
    for (const [list, cards] of /** @type {const} */ ([
      [strips, shown.strip],
      [hint, shown.empty],
    ])) {
      const held = list.contains(document.activeElement);
      arrange(list, cards);
      list.hidden = !cards.length;
      if (held && !list.contains(document.activeElement)) this.#parts.leave();
    }
  }

  /** Whether a tier's own model is what would answer here. @param {string} tier */
  #isChosen(tier) {
    const { tiers } = this.#parts;
    if (tiers.tier !== tier) return false;
    const { answers } = tiers;
    return !answers || answers.tier !== tier || answers.installed;
  }

  /** Says what is another state, never how far it is. @param {ModelStatus} status */
  #heard(status) {
    const { state, tier } = status;
    const before = this.#states.get(tier);
    this.#states.set(tier, state);
    if (before === state || before === undefined) return;
    if (tier === "preview" && !this.#isChosen(tier)) return;
    this.#parts.speak(viewOf(status, this.#person(tier)).text);
  }

  /** @param {string} tier */
  #person(tier) {
    return { may: this.#parts.project.mayPrompt, chosen: this.#isChosen(tier) };
  }

  /** @param {ModelStatus} status @param {boolean} closes */
  #card(status, closes) {
    const { tier } = status;
    const card = this.#cards.get(tier) ?? new Card((act) => this.#act(tier, act));
    this.#cards.set(tier, card);
    card.draw(status, viewOf(status, this.#person(tier)), closes);
    return card.element;
  }

  /** @param {string} tier @param {Act} act */
  async #act(tier, act) {
    const { tiers, requests, say, leave, project } = this.#parts;
    if (act === "choose" || act === "hide") {
      this.#hidden.set(tier, project.models.get(tier)?.state ?? "");
      if (act === "choose") tiers.choose(tier);
      leave();
      return this.#all();
    }
    try {
      await requests.ask({ t: "fetch", tier, op: act });
    } catch (refused) {
      say(refused instanceof Error ? refused.message : String(refused));
    }
  }
}

class Card {
  #act;
  #drawn = "";

  /** @param {(act: Act) => Promise<void>} act */
  constructor(act) {
    this.element = fromTemplate("tpl-fetch");
    this.#act = act;
    find(this.element, ".fetch-hide")?.addEventListener("click", () => void act("hide"));
  }

  /** @param {ModelStatus} status @param {View} view @param {boolean} closes */
  draw({ tier, state }, { text, detail, percent, acts }, closes) {
    const { element } = this;
    element.dataset.tier = tier;
    element.dataset.state = state;
    setText(find(element, ".fetch-text"), text);
    setText(find(element, ".fetch-detail"), detail);
    const bar = /** @type {HTMLProgressElement} */ (find(element, "progress"));
    bar.hidden = percent === null;
    if (percent !== null) bar.value = percent;
    const hide = find(element, ".fetch-hide");
    if (hide) hide.hidden = !closes;
    this.#buttons(acts);
  }

  /** A button that is the same as before stays, and keeps the keyboard. @param {View["acts"]} acts */
  #buttons(acts) {
    const drawn = JSON.stringify(acts);
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    const list = /** @type {HTMLElement} */ (find(this.element, ".fetch-acts"));
    const held = list.contains(document.activeElement);
    const buttons = acts.map(({ act, label }) =>
      h(
        "button",
        {
          type: "button",
          class: "btn small",
          "data-act": act,
          onclick: () => void this.#act(act),
        },
        label,
      ),
    );
    list.replaceChildren(...buttons);
    // Stop becomes Resume under the finger that pressed it.
    if (held) (buttons[0] ?? find(this.element, ".fetch-hide"))?.focus();
  }
}
