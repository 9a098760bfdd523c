/** The session page: makes the parts and introduces them to each other. What they do is theirs. */

import { Asides } from "../collab/asides.js";
import { Documents } from "../collab/documents.js";
import { claim } from "../collab/identity.js";
import { Project } from "../collab/project.js";
import { settled } from "../collab/settled.js";
import { Store } from "../collab/store.js";
import { binary } from "../editor/binary.js";
import { Companion } from "../editor/companion.js";
import { Follow } from "../editor/follow.js";
import { Live } from "../editor/live.js";
import { Pane } from "../editor/pane.js";
import { presence } from "../editor/presence.js";
import { rareLanguages } from "../editor/rare.js";
import { renamed, setup } from "../editor/setup.js";
import { tabs } from "../editor/tabs.js";
import { Tree } from "../editor/tree.js";
import { Workspace } from "../editor/workspace.js";
import { byId } from "../lib/dom.js";
import { gettext } from "../lib/i18n.js";
import { Kept } from "../lib/kept.js";
import { Dispatcher } from "../net/dispatcher.js";
import { Requests } from "../net/requests.js";
import { Socket } from "../net/socket.js";
import { again } from "../turn/again.js";
import { announce, speaker } from "../turn/announce.js";
import { ask } from "../turn/ask.js";
import { examples } from "../turn/examples.js";
import { Fetch } from "../turn/fetch.js";
import { FollowUpList } from "../turn/followups.js";
import { meter } from "../turn/meter.js";
import { Panel } from "../turn/panel.js";
import { Stop } from "../turn/stop.js";
import { away } from "./away.js";
import { download } from "./download.js";
import { help as helpSheet } from "./help.js";
import { hints } from "./hints.js";
import { keys } from "./keys.js";
import { notice, showAside } from "./notices.js";
import { panes } from "./panes.js";
import { people } from "./people.js";
import { goToLine, lineOf, placeOf, selectionOf } from "./places.js";
import { preview } from "./preview.js";
import { reviewing } from "./reviewing.js";
import { rights } from "./rights.js";
import { saved } from "./saved.js";
import { keepShell } from "./shell.js";
import { timeline } from "./timeline.js";
import { upload } from "./upload.js";

const PLACES_MS = 500;

const main = byId("session");
const { slug = "", user = "", socket: address = "" } = main.dataset;
// The attribute reads as empty once the browser has hidden the nonce; here it is data, and stays.
const nonce = main.dataset.cspNonce ?? "";
const url = new URL(address, location.href);
url.protocol = location.protocol === "https:" ? "wss:" : "ws:";

const { say, passed } = notice();
const showPane = panes(main, byId("panes"));

const store = new Store(`${user}/${slug}`);
store.on("failed", () => {
  say(
    gettext(
      "This browser keeps nothing for this page: what is typed offline lasts until it is closed.",
    ),
  );
});
await store.open();
const identity = await claim({ store });
const keptPaths = new Map(identity.files.map(({ file, path }) => [file, path]));

const dispatcher = new Dispatcher();
const socket = new Socket({
  url: url.href,
  dispatcher,
  hello: () => ({ t: "hello", proto: 1, client: documents.client }),
});
const pathOf = (/** @type {string} */ file) =>
  project.files.get(file)?.path ?? keptPaths.get(file) ?? file;
// The documents hear of a welcome before the project does: they ask for what they follow, and then whoever
// listens to the project may ask for more.
const documents = new Documents({
  socket,
  dispatcher,
  store,
  identity,
  pathOf,
  extensions: (file) =>
    setup({
      path: pathOf(file),
      ending: project.files.get(file)?.ending ?? "lf",
      nonce,
      readOnly: project.you !== null && !project.mayEdit,
    }),
});
const project = new Project(dispatcher);
const requests = new Requests(socket, dispatcher);

const pane = new Pane(byId("editor"), documents);
const kept = (/** @type {string} */ what) => new Kept(`${what}.${user}.${slug}`);
const tabsKept = new Kept(`tabs.${user}.${slug}`, () => sessionStorage);
const workspace = new Workspace({ documents, project, pane, kept: tabsKept });
const focusBinary = binary({ workspace, project });
const live = new Live(project);
const follow = new Follow({ button: byId("follow"), documents, project, pane, workspace });
presence({ documents, project, pane, socket });
tabs({ list: byId("tabs"), workspace, project, live, focus: () => pane.focus() });
const tree = new Tree({
  list: byId("tree-list"),
  finder: byId("tree-find"),
  filter: /** @type {HTMLInputElement} */ (byId("tree-filter")),
  none: byId("tree-none"),
  kept: kept("tree"),
  left: () => pane.focus(),
  newButtons: document.querySelectorAll("#new-file, .new-file"),
  workspace,
  project,
  live,
  requests,
  say,
  opened: () => {
    showPane("code");
    if (!focusBinary()) pane.focus();
  },
});
const companion = new Companion({ documents, project, pane, workspace });
people({
  list: byId("people"),
  project,
  companion,
  announce: (words) => {
    byId("live").textContent = words;
  },
});
upload({ project, say });
download({ settled: () => settled(documents, 1000), say });
if (main.dataset.note?.trim()) say(main.dataset.note.trim());

const speak = speaker(byId("live"));
const { shown, deciding, goTo, goToWithheld } = reviewing({
  documents,
  project,
  requests,
  workspace,
  pane,
  showPane,
  showWithheld: (withheld) => panel.showWithheld(withheld),
  say,
  speak,
  leave: () => prompt.focus(),
});
const panel = new Panel({
  list: byId("turn-list"),
  empty: byId("turn-empty"),
  count: byId("panes-turns"),
  project,
  requests,
  say,
  lineOf: (hunk) => lineOf(documents, hunk),
  goTo,
  goToWithheld,
  deciding,
  marking: shown,
});
const stop = new Stop({
  button: /** @type {HTMLButtonElement} */ (byId("stop")),
  project,
  requests,
  say,
  leave: () => prompt.focus(),
  stopped: (turn, ms) => panel.stoppedHere(turn, ms),
});
const help = helpSheet(/** @type {HTMLDialogElement} */ (byId("help")));
const { prompt, tiers } = ask({
  project,
  requests,
  socket,
  dispatcher,
  user,
  slug,
  place: () => placeOf(documents, pane, pathOf),
  settled: () => settled(documents, 1000),
  stop: () => stop.stop(),
  help,
  deciding,
  say,
});
meter({
  model: byId("meter-model"),
  speed: byId("meter-speed"),
  project,
  tiers,
});
new Fetch({
  strips: byId("fetch"),
  hint: byId("turn-empty-model"),
  project,
  tiers,
  requests,
  leave: () => prompt.focus(),
  say,
  speak,
});
preview({
  main,
  slug,
  kept: kept("preview"),
  documents,
  project,
  workspace,
  showPane,
  goTo: (file, line) => {
    showPane("code");
    goToLine({ documents, workspace, pane }, file, line);
  },
  ask: (text) => prompt.add(text),
});
timeline({
  main,
  nonce,
  session: `/s/${slug}/`,
  project,
  dispatcher,
  requests,
  settled: () => settled(documents, 1000),
  showPane,
  left: () => pane.focus(),
});
announce(speak, project, () => followUps.moved);
keys({
  find: () => {
    if (main.dataset.pane !== "files") showPane("files");
    tree.find();
  },
  stop: () => stop.stop(),
  prompt: () => prompt.askHere(),
  help,
});

const asked = () => {
  say("");
  showPane("code");
  companion.stop();
  follow.start();
};
prompt.on("asked", asked);
const followUps = new FollowUpList({
  root: byId("followups"),
  project,
  requests,
  selection: (focus) => selectionOf(documents, focus),
  fill: (text) => prompt.offer(text),
  leave: () => prompt.focus(),
  asked,
  say,
});
hints({
  root: byId("hints"),
  turns: byId("turns"),
  project,
  prompt,
  user,
  speak,
  leave: () => prompt.focus(),
});
again({ list: byId("turn-list"), project, prompt, tiers, say });
examples({ root: byId("turn-empty"), project, requests, prompt, say });
project.on("turn", () => {
  if (!project.running) passed("busy");
});
project.on("model", ({ state }) => {
  if (state === "downloading" || state === "starting") return;
  const waited = passed("model");
  if (waited && state === "ready") say(gettext("The model is ready. Send your prompt."));
});
for (const name of /** @type {const} */ (["selected", "shifted", "shown"])) {
  pane.on(name, () => prompt.refresh());
}
pane.on("shown", ({ file }) => {
  byId("editor-empty").hidden = file !== null;
});
pane.on("displayed", () => {
  main.dataset.ready = "true";
  panel.refresh();
});
// The lines of hunks move with every edit above them; twice a second is soon enough to say so.
let placing = false;
documents.on("changed", () => {
  if (placing) return;
  placing = true;
  setTimeout(() => {
    placing = false;
    panel.refresh();
  }, PLACES_MS);
});
rareLanguages({ documents, project, pathOf });
rights({ documents, project, say });
project.on("renamed", ({ file, path }) => {
  documents.mark(file, { key: "name", run: () => [renamed(path)] });
});
project.on("welcome", () => {
  if (!project.running) passed("busy");
  passed("offline");
});
project.on("welcome", () => {
  if ([...project.files.values()].some((info) => !info.binary)) return;
  byId("editor-empty").hidden = false;
  main.dataset.ready = "true";
});

saved({ word: byId("saved"), live: byId("live"), socket, documents, project });
socket.on("state", ({ message }) => {
  if (message) say(message);
});
const asides = new Asides(store);
const rejected = byId("rejected-list");
/** @param {import("../collab/setaside.js").SetAside} aside */
const show = (aside) =>
  showAside(
    rejected,
    aside,
    (it) => documents.applyAgain(it),
    () => void asides.drop(aside),
  );
/** @type {Promise<void>[]} */
const keeping = [];
documents.on("aside", (aside) => {
  show(aside);
  byId("live").textContent = aside.message;
  keeping.push(asides.keep(aside));
});
dispatcher.on("resync", ({ reason }) => say(reason));
dispatcher.on("rules", ({ message }) => say(message));
dispatcher.on("error", ({ id, code, message }) => {
  // An id that is another's is given up by itself; nobody need reload for it.
  if (!id && code !== "refused") say(message);
});
addEventListener("pagehide", () => void documents.flush());
addEventListener("beforeunload", (event) => {
  const kept = store.works && navigator.locks;
  if (!kept && (documents.pending || rejected.childElementCount)) event.preventDefault();
});

for (const aside of await asides.left()) show(aside);
documents.restore(identity.files);
for (const orphan of identity.orphans) documents.setAsideStored(orphan);
void Promise.all(keeping).then(() => identity.settle());
prompt.focus();
socket.start();
away({ socket, store, documents, project, workspace, pane });
keepShell({ socket, store, user, say });
