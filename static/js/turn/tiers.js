/**
 * Which model answers: the choice of a tier and of one of its models, remembered for this person and session.
 *
 * A choice that is gone (its endpoint was deleted, the page is another team's) falls back to the tier's default,
 * and a tier without models to `preview`; the person's wish is kept for when it is back.
 */

import { Emitter } from "../lib/emitter.js";
import { gettext, interpolate } from "../lib/i18n.js";
import { Menu } from "./menu.js";
import { megabytes, modelText } from "./sentences.js";

/** @import { Project } from "../collab/project.js" */
/** @import { Endpoint, ModelStatus } from "../net/messages.js" */
/** @import { Requests } from "../net/requests.js" */
/** @import { Kept } from "../lib/kept.js" */
/** @import { Item } from "./menu.js" */

/** @typedef {{ tier: string, endpoint: string }} Wish an empty endpoint is the tier's default */

export const PREVIEW = "preview";

/**
 * Returns what answers to a wish, or null when nothing of that tier can be asked.
 * @param {Endpoint[]} endpoints
 * @param {Wish} wish
 */
export function answering(endpoints, { tier, endpoint }) {
  const ofTier = endpoints.filter((one) => one.tier === tier);
  return (
    ofTier.find(({ id }) => id === endpoint) ??
    ofTier.find((one) => one.default) ??
    ofTier[0] ??
    null
  );
}

/**
 * Returns a tier's name for people. Those of a later server are shown as they are called.
 * @param {string} tier
 */
export function tierText(tier) {
  if (tier === PREVIEW) return gettext("preview");
  return tier === "standard" ? gettext("standard") : tier;
}

/**
 * Returns what there is to say of a choice besides its name.
 * @param {Endpoint} endpoint
 * @param {ModelStatus | undefined} status of its tier
 */
export function detailText({ installed, label, model }, status) {
  if (installed && status && status.state !== "ready") return modelText(status);
  return model === label ? "" : model;
}

/** Whether a tier's own model can be fetched now. @param {ModelStatus | undefined} status */
export const isOffered = (status) => status?.state === "offered" || status?.state === "paused";

/** @param {ModelStatus} status what the button that fetches a model says */
export function fetchText({ state, total_bytes }) {
  if (state === "paused") return gettext("Go on with the download");
  if (!total_bytes) return gettext("Download");
  return interpolate(gettext("Download (%(size)s MB)"), { size: megabytes(total_bytes) });
}

/** @extends {Emitter<{ changed: null, "wants-model": string }>} */
export class Tiers extends Emitter {
  #project;
  #kept;
  #button;
  #menu;
  #name;

  /**
   * @param {object} parts
   * @param {HTMLButtonElement} parts.button
   * @param {HTMLElement} parts.name where the button says what is chosen
   * @param {HTMLElement} parts.list
   * @param {Project} parts.project
   * @param {Requests} parts.requests
   * @param {Kept} parts.kept
   * @param {(message: string) => void} parts.say
   * @param {() => void} parts.done
   * @param {() => Item[]} [parts.more] what else the menu offers
   */
  constructor({ button, name, list, project, requests, kept, say, done, more = () => [] }) {
    super();
    this.#project = project;
    this.#kept = kept;
    this.#button = button;
    this.#name = name;
    this.#menu = new Menu({ button, list, items: () => [...this.#items(), ...more()], done });
    const draw = () => this.#draw();
    project.on("welcome", draw);
    project.on("endpoints", draw);
    project.on("model", draw);
    this.on("wants-model", (tier) => {
      requests.ask({ t: "fetch", tier, op: "start" }).catch((refused) => {
        say(refused instanceof Error ? refused.message : String(refused));
      });
    });
    this.#draw();
  }

  /** What the person chose last, whether or not it can be had now. @returns {Wish} */
  get wish() {
    const value = this.#kept.get();
    const { tier, endpoint } = value ?? {};
    if (typeof tier !== "string") return { tier: PREVIEW, endpoint: "" };
    return { tier, endpoint: typeof endpoint === "string" ? endpoint : "" };
  }

  /** The model that answers the next prompt, or null. @returns {Endpoint | null} */
  get answers() {
    const { endpoints } = this.#project;
    return answering(endpoints, this.wish) ?? answering(endpoints, { tier: PREVIEW, endpoint: "" });
  }

  /** The tier of the next prompt. One whose model can still be fetched is one. */
  get tier() {
    const { tier } = this.wish;
    return this.#tiers.includes(tier) ? tier : PREVIEW;
  }

  /** What a frame says of it. @returns {{ tier: string, endpoint?: string }} */
  get frame() {
    const { tier } = this;
    const { endpoint } = this.wish;
    const found = answering(this.#project.endpoints, { tier, endpoint });
    return found && found.id === endpoint ? { tier, endpoint } : { tier };
  }

  /** Every tier there is here. */
  get #tiers() {
    const { endpoints, models } = this.#project;
    return [...new Set([PREVIEW, ...endpoints.map(({ tier }) => tier), ...models.keys()])];
  }

  /** Opens the menu. */
  open() {
    this.#menu.open();
  }

  /** Whether a tier can be chosen here. @param {string} tier */
  has(tier) {
    return this.#tiers.includes(tier);
  }

  /** @param {string} tier @param {string} [endpoint] */
  choose(tier, endpoint = "") {
    this.#kept.set({ tier, endpoint });
    this.#draw();
  }

  /** @returns {Item[]} */
  #items() {
    const { endpoints, models } = this.#project;
    /** @type {Item[]} */
    const items = [];
    for (const tier of this.#tiers) {
      const group = tierText(tier);
      const status = models.get(tier);
      const of = endpoints.filter((one) => one.tier === tier);
      const chosen = this.tier === tier ? answering(endpoints, this.wish) : null;
      for (const one of of) {
        items.push({
          id: `${tier} ${one.id}`,
          label: one.label,
          detail: detailText(one, status),
          checked: one === chosen,
          group,
          act: () => this.choose(tier, one.default ? "" : one.id),
        });
      }
      if (!of.length && status) {
        items.push({
          id: tier,
          label: status.name || group,
          detail: modelText(status),
          checked: this.tier === tier,
          group,
          act: () => this.choose(tier),
        });
      }
      if (status && isOffered(status) && this.#project.mayPrompt) {
        items.push({
          id: `${tier} fetch`,
          label: fetchText(status),
          group,
          act: () => this.emit("wants-model", tier),
        });
      }
    }
    return items;
  }

  #draw() {
    const { tier, answers } = this;
    this.#name.textContent = tierText(tier);
    const label = answers?.tier === tier ? answers.label : this.#project.models.get(tier)?.name;
    this.#button.title = label
      ? interpolate(gettext("%(model)s answers your prompts"), { model: label })
      : gettext("No model answers yet");
    this.#menu.refresh();
    this.emit("changed", null);
  }
}
