/** What is said and offered of a model of the installation that is not ready, in words. Pure. */

import { formatNumber, formatPercent, gettext, inARow, interpolate } from "../lib/i18n.js";
import { span } from "../lib/time.js";
import { megabytes, percentOf } from "./sentences.js";

/** @import { ModelStatus } from "../net/messages.js" */

/** @typedef {"start" | "stop" | "choose" | "hide"} Act */
/**
 * @typedef {object} View
 * @property {string} text
 * @property {string} detail figures that change all the time
 * @property {number | null} percent of a download
 * @property {{ act: Act, label: string }[]} acts
 */

/** The tier whose model comes by itself when Flint starts; every other one's comes when somebody asks. */
const BY_ITSELF = "preview";

const GIGA = 1e9;

/** @param {number} bytes */
export function sizeText(bytes) {
  return bytes < GIGA
    ? interpolate(gettext("%(size)s MB"), { size: megabytes(bytes) })
    : interpolate(gettext("%(size)s GB"), { size: formatNumber(Math.round(bytes / 1e8) / 10) });
}

/** @param {ModelStatus} status whether all of it is on this machine */
const isHere = ({ done_bytes, total_bytes }) => total_bytes > 0 && done_bytes >= total_bytes;

/**
 * Returns what is shown of a tier's model, or null when there is nothing to say.
 * @param {ModelStatus} status
 * @param {{ may: boolean, chosen: boolean }} person whether they may ask for it, and whether it answers their prompts
 * @returns {View}
 */
export function viewOf(status, { may, chosen }) {
  const mayFetch = may && status.tier !== BY_ITSELF;
  const acts = [...(mayFetch ? fetchActs(status) : []), ...(chosen ? [] : readyActs(status, may))];
  const downloading = status.state === "downloading";
  return {
    text: stateText(status, mayFetch),
    detail: downloading ? progressText(status) : "",
    percent: downloading || status.state === "paused" ? percentOf(status) : null,
    acts,
  };
}

/** @param {ModelStatus} status @returns {View["acts"]} */
function fetchActs(status) {
  const { state, done_bytes, total_bytes } = status;
  switch (state) {
    case "offered": {
      if (isHere(status)) return [{ act: "start", label: gettext("Start") }];
      if (!total_bytes) return [{ act: "start", label: gettext("Download") }];
      const size = sizeText(total_bytes - done_bytes);
      return [{ act: "start", label: interpolate(gettext("Download (%(size)s)"), { size }) }];
    }
    case "paused":
      return [{ act: "start", label: isHere(status) ? gettext("Start") : gettext("Resume") }];
    case "failed":
      return [{ act: "start", label: gettext("Try again") }];
    case "downloading":
      return [{ act: "stop", label: gettext("Stop the download") }];
    default:
      return [];
  }
}

/** @param {ModelStatus} status @param {boolean} may @returns {View["acts"]} */
function readyActs({ state }, may) {
  return state === "ready" && may ? [{ act: "choose", label: gettext("Use it") }] : [];
}

/** @param {ModelStatus} status @param {boolean} mayFetch */
function stateText(status, mayFetch) {
  const { state, tier, message } = status;
  const name = status.name || tier;
  const words = { name };
  switch (state) {
    case "offered":
      if (isHere(status)) {
        return interpolate(
          gettext("The model %(name)s is on this machine and does not run. Start it to ask it."),
          words,
        );
      }
      return mayFetch
        ? interpolate(
            gettext(
              "The model %(name)s is not on this machine yet. Download it once, and it answers from then on.",
            ),
            words,
          )
        : interpolate(
            gettext(
              "The model %(name)s is not on this machine yet. Whoever may prompt here can download it.",
            ),
            words,
          );
    case "paused":
      if (message) return message;
      return interpolate(
        gettext(
          "The download of %(name)s is stopped. What has arrived is kept, and it goes on from there.",
        ),
        words,
      );
    case "downloading":
      return tier === BY_ITSELF
        ? interpolate(
            gettext("The model %(name)s is downloading. It answers once all of it is here."),
            words,
          )
        : interpolate(
            gettext("The model %(name)s is downloading. The other models answer meanwhile."),
            words,
          );
    case "starting":
      return interpolate(gettext("The model %(name)s is starting. It answers in a moment."), words);
    case "ready":
      return tier === BY_ITSELF
        ? gettext("The model is ready.")
        : gettext("The deeper model is ready.");
    case "unfit":
      return inARow([
        message || gettext("This machine is too small for this model. Choose another one."),
        gettext("As soon as it fits, it is offered here."),
      ]);
    case "failed":
      return (
        message ||
        gettext(
          "The model could not be started. Your prompt is kept; the terminal that runs Flint says what went wrong.",
        )
      );
    case "missing":
      return (
        message ||
        gettext(
          "There is no model for this tier. Choose another one, or add one on the team's Models page.",
        )
      );
  }
}

/** @param {ModelStatus} status how far a download is: sizes, rate, time left */
export function progressText({ done_bytes, total_bytes, bytes_per_s, eta_s }) {
  const parts = [
    interpolate(gettext("%(done)s of %(total)s MB"), {
      done: megabytes(done_bytes),
      total: megabytes(total_bytes),
    }),
  ];
  if (bytes_per_s) {
    const rate =
      bytes_per_s < 1e7 ? formatNumber(Math.round(bytes_per_s / 1e5) / 10) : megabytes(bytes_per_s);
    parts.push(interpolate(gettext("%(rate)s MB/s"), { rate }));
    if (eta_s !== null && eta_s !== undefined)
      parts.push(interpolate(gettext("%(time)s left"), { time: span(eta_s) }));
  }
  return parts.join(" · ");
}

/** @param {ModelStatus} status what the line below the prompt says: short, the rest stands elsewhere */
export function meterText(status) {
  switch (status.state) {
    case "ready":
      return status.name || status.tier;
    case "downloading":
      return interpolate(gettext("Model downloading: %(percent)s"), {
        percent: formatPercent(percentOf(status) / 100),
      });
    case "paused":
      return gettext("Model download stopped");
    case "starting":
      return gettext("The model is starting");
    case "failed":
      return gettext("The model did not start");
    default:
      return gettext("No model yet");
  }
}

/**
 * Returns where a tier's model is told of: where an empty list of turns is, above the prompt box, or nowhere.
 * @param {ModelStatus} status
 * @param {object} now
 * @param {boolean} now.chosen whether the tier answers this person's prompts, with that model
 * @param {boolean} now.empty whether there are no turns yet
 * @param {boolean} now.fetched whether this page has seen it come
 * @param {boolean} now.hidden whether the person does not want to see it as it is
 * @returns {"empty" | "strip" | ""}
 */
export function placeOf({ state, tier }, { chosen, empty, fetched, hidden }) {
  if (tier === BY_ITSELF) {
    if (!chosen || state === "ready") return "";
    if (empty) return "empty";
    // A start takes seconds; the line below the prompt is enough.
    return state === "starting" || hidden ? "" : "strip";
  }
  if (hidden) return "";
  if (state === "ready") return fetched ? "strip" : "";
  if (state === "downloading" || state === "starting") return "strip";
  return chosen || (fetched && state !== "offered") ? "strip" : "";
}
