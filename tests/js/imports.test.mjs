/**
 * Holds the page's import rules, by scanning the text of static/js:
 * `pages → editor, turn, preview, time → collab → net → lib`, where a folder imports only from itself and from those to its
 * right (editor, turn, preview and time never from each other), by relative paths with `.js`, each import ending with a
 * semicolon (Django's hashed static files skip one without), and no module makes a global.
 */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../../static/js");

/** What each folder may import from, besides itself and static/vendor. */
const MAY_IMPORT = {
  pages: ["editor", "turn", "preview", "time", "collab", "net", "lib"],
  editor: ["collab", "net", "lib"],
  turn: ["collab", "net", "lib"],
  preview: ["collab", "net", "lib"],
  time: ["collab", "net", "lib"],
  collab: ["net", "lib"],
  net: ["lib"],
  lib: [],
};

/**
 * Returns the text with every comment blanked; line breaks and strings stay, so offsets and imports do too.
 * Template literals count as strings: an import cannot stand in one.
 * @param {string} text
 */
function withoutComments(text) {
  const token =
    /\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`/g;
  return text.replace(token, (part) =>
    part.startsWith("/*") || part.startsWith("//") ? part.replace(/[^\n]/g, " ") : part,
  );
}

/**
 * Returns each import and re-export: what it names, and whether a semicolon ends it.
 * @param {string} code text without comments
 */
function importsOf(code) {
  const found = [];
  const fixed =
    /^[ \t]*(?:import|export)\b(?:[\w\s{},*$]*?\bfrom)?\s*(["'])([^"'\n]+)\1[ \t]*(;?)/gm;
  for (const [, , target, end] of code.matchAll(fixed)) found.push({ target, closed: end === ";" });
  // A dynamic import may stand inside a larger expression; whichever statement holds it must end on its own.
  for (const [, , target] of code.matchAll(/\bimport\(\s*(["'])([^"'\n]+)\1\s*\)/g)) {
    found.push({ target, closed: true });
  }
  return found;
}

/**
 * Returns what is wrong with one module, as sentences.
 * @param {string} file its path under static/js, with forward slashes
 * @param {string} text
 */
function faultsOf(file, text) {
  const faults = [];
  const code = withoutComments(text);
  const room = file.split("/")[0];
  if (!(room in MAY_IMPORT)) {
    faults.push(
      `${file} lies in no known folder; there are ${Object.keys(MAY_IMPORT).join(", ")}.`,
    );
    return faults;
  }
  for (const { target, closed } of importsOf(code)) {
    const what = `${file} imports ${target}`;
    if (!closed) faults.push(`${what} without a semicolon at the end.`);
    if (!/^\.\.?\//.test(target)) faults.push(`${what}, which is not a relative path.`);
    else if (!target.endsWith(".js")) faults.push(`${what}, which does not end with .js.`);
    else {
      const reached = path.posix.join("static/js", path.posix.dirname(file), target).split("/");
      const [top, area, from] = reached;
      if (top !== "static" || !["js", "vendor"].includes(area)) {
        faults.push(`${what}, which lies outside static/js and static/vendor.`);
      } else if (area === "js" && from !== room && !MAY_IMPORT[room].includes(from)) {
        faults.push(
          `${what}, but ${room} may import only from ${[room, ...MAY_IMPORT[room]].join(", ")}.`,
        );
      }
    }
  }
  const global = /\b(?:window|globalThis|self)(?:\.([A-Za-z_$][\w$]*)|\[[^\]\n]+\])\s*=(?![=>])/g;
  for (const [, name] of code.matchAll(global)) {
    if (name !== "location") faults.push(`${file} makes the global ${name ?? "[…]"}.`);
  }
  return faults;
}

/** Returns every module under static/js, as paths with forward slashes. */
function modules() {
  return readdirSync(ROOT, { recursive: true })
    .map((name) => String(name).split(path.sep).join("/"))
    .filter((name) => name.endsWith(".js"))
    .sort();
}

test("every module of the page keeps the import rules", () => {
  const files = modules();
  assert.notEqual(files.length, 0, "static/js holds no module, so nothing was checked");
  const faults = files.flatMap((file) =>
    faultsOf(file, readFileSync(path.join(ROOT, file), "utf8")),
  );
  assert.deepEqual(faults, []);
});

test("the scanner finds each kind of fault", () => {
  const cases = [
    ["lib/a.js", 'import { x } from "../net/socket.js";', /lib may import only from lib/],
    ["editor/a.js", 'import { x } from "../turn/turn.js";', /editor may import only from/],
    ["turn/a.js", 'export { x } from "../editor/view.js";', /turn may import only from/],
    ["net/a.js", 'const m = await import("../collab/sync.js");', /net may import only from/],
    [
      "collab/a.js",
      'import {\n  x,\n  y,\n} from "../pages/session.js";',
      /collab may import only/,
    ],
    ["pages/a.js", 'import "../editor/view.js"\nx();', /without a semicolon/],
    ["pages/a.js", 'import { x } from "@codemirror/state";', /not a relative path/],
    ["pages/a.js", 'import { x } from "../lib/i18n";', /does not end with \.js/],
    ["pages/a.js", 'import { x } from "../../../tests/js/helper.js";', /outside static\/js/],
    ["pages/a.js", "window.flint = 1;", /makes the global flint/],
    ["pages/a.js", 'globalThis["flint"] = 1;', /makes the global/],
    ["elsewhere/a.js", "", /no known folder/],
  ];
  for (const [file, text, expected] of cases) {
    const faults = faultsOf(file, text);
    assert.equal(faults.length, 1, `${file}: ${text} gave ${JSON.stringify(faults)}`);
    assert.match(faults[0], expected);
  }
});

test("the scanner passes what is allowed", () => {
  const text = `
    // import { x } from "../pages/session.js"
    /** @type {import("../pages/session.js").Page} */
    import { EditorView } from "../../vendor/codemirror.js";
    import * as wire from '../net/wire.js';
    import { one } from "./one.js"; // why
    const said = "https://example.invalid // import";
    if (window.location === globalThis.location) window.location = said;
    window.addEventListener("resize", () => { self.name === one; });
  `;
  assert.deepEqual(faultsOf("editor/a.js", text), []);
});
