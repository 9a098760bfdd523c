/**
 * Writes static/vendor/ from the versions that package-lock.json pins.
 *
 *   node .ci/vendor/build.mjs            writes the files
 *   node .ci/vendor/build.mjs --check    builds into memory, compares, and exits 1 when a file differs
 *
 * The same lock gives the same bytes: esbuild's version is pinned, and no date, host or path enters a file.
 * The output is checked in, so that running Flint needs no Node. Turned down: loading these from a CDN (the
 * Content-Security-Policy is 'self' only) and one file a package (CodeMirror would be loaded twice).
 */

import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";

const HERE = path.dirname(fileURLToPath(import.meta.url));
const ROOT = path.resolve(HERE, "../..");
const TARGET = path.join(ROOT, "static/vendor");
/** Written by people, and so neither written nor removed here. */
const BY_HAND = new Set(["README.md"]);
const NOTE = "Written by `make vendor` from package-lock.json; edit .ci/vendor/ instead.";

/** What codemirror.js exports: a language that is loaded later must meet these very classes, not copies. */
const CORE =
  /^(@codemirror\/(autocomplete|commands|lang-(css|html|javascript|json|markdown|python|yaml)|language|lint|search|state|view)|@lezer\/(common|highlight|lr))$/;

/** Takes what the editor's bundle has from there. @type {esbuild.Plugin} */
const fromCodeMirror = {
  name: "from codemirror.js",
  setup({ onResolve }) {
    onResolve({ filter: CORE }, () => ({ path: "../codemirror.js", external: true }));
  },
};

/**
 * Returns one minified ES module and the packages whose text entered it.
 * @param {string} entry file name beside this script
 * @param {esbuild.Plugin[]} [plugins]
 */
async function bundle(entry, plugins = []) {
  const result = await esbuild.build({
    absWorkingDir: ROOT,
    entryPoints: [path.join(HERE, entry)],
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    platform: "browser",
    legalComments: "none",
    banner: { js: `/* ${NOTE} Licences: LICENSES.md */` },
    metafile: true,
    plugins,
    write: false,
  });
  if (result.warnings.length) throw new Error(result.warnings.map((w) => w.text).join("\n"));
  const packages = new Set();
  for (const file of Object.keys(result.metafile.inputs)) {
    const match = /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules\/)/.exec(file);
    if (match) packages.add(match[1]);
  }
  return { code: importsFirst(result.outputFiles[0].text), packages };
}

/**
 * Puts the imports before all else. Static files are hashed by patterns that know no strings: they take the words
 * "import" or "export" in one, as each language's list of keywords has them, for the start of a later import.
 */
function importsFirst(code) {
  const imports = code.match(/\bimport\{[^{}]*\}from"[^"]+";/g) ?? [];
  const rest = imports.reduce((text, each) => text.replace(each, ""), code);
  const [banner] = rest.match(/^\/\*.*?\*\/\n/s) ?? [""];
  return banner + imports.join("") + rest.slice(banner.length);
}

/** Returns a package's name, version, licence and the text of its licence files. */
async function licence(name) {
  const folder = path.join(ROOT, "node_modules", name);
  const { version, license } = JSON.parse(
    await readFile(path.join(folder, "package.json"), "utf8"),
  );
  const files = (await readdir(folder)).filter((file) => /^licen[cs]e/i.test(file)).sort();
  if (!files.length) throw new Error(`${name} carries no licence file, so it may not be vendored.`);
  // An offer of several licences comes as several files; the first (Apache-2.0 for DOMPurify) is the one taken.
  const text = (await readFile(path.join(folder, files[0]), "utf8"))
    .replaceAll("\r\n", "\n")
    .trim();
  return { name, version, license, text };
}

/** Returns LICENSES.md: a table, then each distinct text once. */
async function licences(names) {
  const all = await Promise.all([...names].sort().map(licence));
  const lines = [
    "# Licences of the vendored libraries",
    "",
    NOTE,
    "",
    "| package | version | licence |",
    "|---|---|---|",
  ];
  for (const one of all) lines.push(`| ${one.name} | ${one.version} | ${one.license} |`);
  const byText = Map.groupBy
    ? Map.groupBy(all, (one) => one.text)
    : all.reduce((map, one) => map.set(one.text, [...(map.get(one.text) ?? []), one]), new Map());
  for (const [text, group] of byText) {
    lines.push(
      "",
      `## ${group.map((one) => `${one.name} ${one.version}`).join(", ")}`,
      "",
      "```text",
      text,
      "```",
    );
  }
  return `${lines.join("\n")}\n`;
}

/**
 * Returns a module that loads the languages by name. Each address stands in it as it is, because that is how the
 * names of hashed static files get into it; by another name CodeMirror would be loaded a second time.
 */
function table(languages) {
  const lines = languages.map(({ name }) => {
    const key = path.basename(name, ".js");
    return `  ${key}: () => import("./${name}"),`;
  });
  return `/* ${NOTE} */\nexport const LANGUAGES = {\n${lines.join("\n")}\n};\n`;
}

const TABLE_TYPES = `// ${NOTE}
import type { Extension } from "@codemirror/state";

export const LANGUAGES: Record<string, () => Promise<{ default: Extension }>>;
`;

/** Returns every vendored file as name -> text. */
async function build() {
  const codemirror = await bundle("codemirror.mjs");
  const purify = await bundle("dompurify.mjs");
  const markdown = await bundle("markdown-it.mjs");
  const languages = await Promise.all(
    (await readdir(path.join(HERE, "lang"))).sort().map(async (entry) => ({
      name: `lang/${entry.replace(/mjs$/, "js")}`,
      ...(await bundle(`lang/${entry}`, [fromCodeMirror])),
    })),
  );
  const entry = async (name) => readFile(path.join(HERE, name), "utf8");
  return new Map([
    ["codemirror.js", codemirror.code],
    ["codemirror.d.ts", `// ${NOTE}\n${await entry("codemirror.mjs")}`],
    ["dompurify.js", purify.code],
    ["dompurify.d.ts", `// ${NOTE}\n${await entry("dompurify.mjs")}`],
    ...languages.map(({ name, code }) => /** @type {const} */ ([name, code])),
    ["languages.js", table(languages)],
    ["languages.d.ts", TABLE_TYPES],
    ["markdown-it.js", markdown.code],
    ["markdown-it.d.ts", `// ${NOTE}\n${await entry("markdown-it.mjs")}`],
    [
      "htmx.min.js",
      await readFile(path.join(ROOT, "node_modules/htmx.org/dist/htmx.min.js"), "utf8"),
    ],
    [
      "LICENSES.md",
      await licences(
        new Set([
          ...codemirror.packages,
          ...purify.packages,
          ...markdown.packages,
          ...languages.flatMap(({ packages }) => [...packages]),
          "htmx.org",
        ]),
      ),
    ],
  ]);
}

/** Returns the names of files in static/vendor/ that differ from `files`, are missing, or should not be there. */
async function differences(files) {
  const entries = await readdir(TARGET, { recursive: true, withFileTypes: true }).catch(() => []);
  const present = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(TARGET, path.join(entry.parentPath ?? entry.path, entry.name)));
  const differing = present.filter((name) => !files.has(name) && !BY_HAND.has(name));
  for (const [name, text] of files) {
    const there = await readFile(path.join(TARGET, name), "utf8").catch(() => null);
    if (there !== text) differing.push(name);
  }
  return differing.sort();
}

const files = await build();
if (process.argv.includes("--check")) {
  const differing = await differences(files);
  if (differing.length) {
    console.error(
      `static/vendor/ is not what package-lock.json gives: ${differing.join(", ")}. Run make vendor.`,
    );
    process.exit(1);
  }
} else {
  await mkdir(path.join(TARGET, "lang"), { recursive: true });
  for (const name of await differences(files))
    if (!files.has(name)) await rm(path.join(TARGET, name));
  for (const [name, text] of files) await writeFile(path.join(TARGET, name), text);
  for (const [name, text] of files)
    console.log(`${String(Buffer.byteLength(text)).padStart(8)}  static/vendor/${name}`);
}
