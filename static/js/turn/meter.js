/** The line below the prompt: the model that answers and how fast it writes. What it reads is the outline's. */

import { setText } from "../lib/dom.js";
import { formatNumber, gettext, interpolate } from "../lib/i18n.js";
import { span } from "../lib/time.js";
import { megabytes, modelText, percentOf, speed } from "./sentences.js";

/** @import { Project } from "../collab/project.js" */
/** @import { Tiers } from "./tiers.js" */

/**
 * Keeps the meter in step with the project.
 * @param {object} parts
 * @param {HTMLElement} parts.model
 * @param {HTMLElement} parts.speed
 * @param {HTMLProgressElement} parts.progress
 * @param {HTMLElement} parts.hint where an empty list of turns says that the model is not ready
 * @param {Project} parts.project
 * @param {Tiers} parts.tiers
 */
export function meter(parts) {
  const { project, tiers } = parts;
  const drawModel = () => {
    const { answers, tier } = tiers;
    if (answers && answers.tier === tier && !answers.installed) {
      setText(parts.model, answers.label);
      parts.progress.hidden = true;
      parts.hint.hidden = true;
      return;
    }
    const model = project.models.get(tier);
    if (!model) return;
    const downloading = model.state === "downloading";
    const rate = downloading ? rateText(model.bytes_per_s, model.eta_s) : "";
    const text = modelText(model);
    setText(parts.model, rate ? `${text} · ${rate}` : text);
    parts.progress.hidden = !downloading;
    if (downloading) parts.progress.value = percentOf(model);
    setText(parts.hint, text);
    parts.hint.hidden = model.state === "ready";
  };
  tiers.on("changed", drawModel);
  project.on("turn", () => {
    if (!project.running) setText(parts.speed, "");
  });
  project.on("progress", ({ tps }) => {
    if (project.running) setText(parts.speed, tps ? speed(tps) : "");
  });
}

/** @param {number} bytesPerSecond @param {number | null} etaS */
function rateText(bytesPerSecond, etaS) {
  if (!bytesPerSecond) return "";
  const rate = interpolate(gettext("%(rate)s MB/s"), {
    rate:
      bytesPerSecond < 1e7
        ? formatNumber(Math.round(bytesPerSecond / 1e5) / 10)
        : megabytes(bytesPerSecond),
  });
  if (etaS === null || etaS === undefined) return rate;
  return `${rate} · ${interpolate(gettext("%(time)s left"), { time: span(etaS) })}`;
}
