/**
 * The line below the prompt: the model that answers and how fast it writes. What it reads is the outline's, and
 * what there is to do about a model that is not ready stands in fetch.js.
 */

import { setText } from "../lib/dom.js";
import { meterText } from "./fetchwords.js";
import { speed } from "./sentences.js";

/** @import { Project } from "../collab/project.js" */
/** @import { Tiers } from "./tiers.js" */

/**
 * Keeps the meter in step with the project.
 * @param {object} parts
 * @param {HTMLElement} parts.model
 * @param {HTMLElement} parts.speed
 * @param {Project} parts.project
 * @param {Tiers} parts.tiers
 */
export function meter(parts) {
  const { project, tiers } = parts;
  const drawModel = () => {
    const { answers, tier } = tiers;
    if (answers && answers.tier === tier && !answers.installed) {
      setText(parts.model, answers.label);
      return;
    }
    const model = project.models.get(tier);
    if (model) setText(parts.model, meterText(model));
  };
  tiers.on("changed", drawModel);
  project.on("turn", () => {
    if (!project.running) setText(parts.speed, "");
  });
  project.on("progress", ({ tps }) => {
    if (project.running) setText(parts.speed, tps ? speed(tps) : "");
  });
}
