/** The line below the prompt: the model, how full its context is, how fast it writes. */

import { setText } from "../lib/dom.js";
import { formatNumber, formatPercent, gettext, interpolate } from "../lib/i18n.js";
import { span } from "../lib/time.js";
import { megabytes, modelText, percentOf, speed } from "./sentences.js";

/** @import { Project } from "../collab/project.js" */

/**
 * Keeps the meter in step with the project.
 * @param {object} parts
 * @param {HTMLElement} parts.model
 * @param {HTMLElement} parts.context
 * @param {HTMLElement} parts.speed
 * @param {HTMLProgressElement} parts.progress
 * @param {HTMLElement} parts.hint where an empty list of turns says that the model is not ready
 * @param {Project} parts.project
 */
export function meter(parts) {
  const { project } = parts;
  const drawModel = () => {
    const model = project.models.get("preview");
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
  const drawContext = () => {
    const context = project.latest?.context;
    if (!context?.window) return setText(parts.context, "");
    setText(
      parts.context,
      interpolate(gettext("context %(percent)s of %(window)s"), {
        percent: formatPercent(context.used / context.window),
        window: thousands(context.window),
      }),
    );
  };
  project.on("welcome", () => {
    drawModel();
    drawContext();
  });
  project.on("model", drawModel);
  project.on("turn", () => {
    drawContext();
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

/** @param {number} tokens */
const thousands = (tokens) =>
  tokens >= 1024 ? `${formatNumber(Math.round(tokens / 1024))}k` : formatNumber(tokens);
