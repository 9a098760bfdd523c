/** The page of a shared replay: the timeline alone, which reads and does nothing else. */

import { languageOf } from "../editor/languages.js";
import { theme } from "../editor/theme.js";
import { byId } from "../lib/dom.js";
import { Source } from "../time/source.js";
import { Timeline } from "../time/timeline.js";

const { history = "", cspNonce: nonce = "" } = byId("main").dataset;
const timeline = new Timeline({
  source: new Source(history),
  nonce,
  theme,
  language: languageOf,
});
await timeline.load();
timeline.goTo(timeline.overview?.first ?? 0);
timeline.focus();
