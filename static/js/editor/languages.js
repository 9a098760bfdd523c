/**
 * Which language a file is in, by its name. The common ones come with the editor; the others are loaded when the
 * first such file is opened. Anything unknown is plain text.
 */

import { css, html, javascript, json, markdown, python, yaml } from "../../vendor/codemirror.js";

import { LANGUAGES } from "../../vendor/languages.js";

/** @import { Extension } from "../../vendor/codemirror.js" */

/** @type {Record<string, () => Extension>} */
const HERE = {
  py: python,
  pyi: python,
  js: javascript,
  mjs: javascript,
  cjs: javascript,
  jsx: () => javascript({ jsx: true }),
  ts: () => javascript({ typescript: true }),
  mts: () => javascript({ typescript: true }),
  cts: () => javascript({ typescript: true }),
  tsx: () => javascript({ jsx: true, typescript: true }),
  html,
  htm: html,
  css,
  json,
  jsonc: json,
  webmanifest: json,
  ipynb: json,
  md: markdown,
  markdown,
  yaml,
  yml: yaml,
};

/** The modules in static/vendor/lang, each with the ends of names it is for. */
const ELSEWHERE = Object.entries({
  assembly: "s asm",
  clojure: "clj cljs cljc edn",
  cmake: "cmake",
  coffee: "coffee",
  cpp: "c h cc cpp cxx hh hpp hxx ino cu",
  crystal: "cr",
  csharp: "cs csx",
  d: "d",
  dart: "dart",
  diff: "diff patch",
  elm: "elm",
  erlang: "erl hrl",
  fortran: "f f90 f95 for",
  fsharp: "fs fsi fsx",
  go: "go",
  groovy: "groovy gradle",
  haskell: "hs",
  java: "java",
  julia: "jl",
  kotlin: "kt kts",
  latex: "tex sty cls ltx",
  less: "less",
  lisp: "lisp lsp el cl",
  lua: "lua",
  objc: "m mm",
  ocaml: "ml mli",
  pascal: "pas pp",
  perl: "pl pm",
  php: "php phtml",
  powershell: "ps1 psm1 psd1",
  properties: "properties ini cfg conf env",
  protobuf: "proto",
  pug: "pug jade",
  r: "r",
  ruby: "rb rake gemspec",
  rust: "rs",
  sass: "sass",
  scala: "scala sc sbt",
  scheme: "scm ss rkt",
  scss: "scss",
  shell: "sh bash zsh ksh fish",
  sql: "sql ddl dml",
  stylus: "styl",
  swift: "swift",
  tcl: "tcl",
  toml: "toml",
  verilog: "v sv svh vh",
  vhdl: "vhd vhdl",
  vue: "vue",
  wast: "wat wast",
  xml: "xml svg xsd xsl xslt plist csproj xaml",
});

/** @type {Map<string, string>} */
const BY_ENDING = new Map(
  ELSEWHERE.flatMap(([module, endings]) =>
    endings.split(" ").map((ending) => /** @type {const} */ ([ending, module])),
  ),
);

/** Names that say it without an end. @type {Map<RegExp, string>} */
const BY_NAME = new Map([
  [/^(Dockerfile|Containerfile)(\..+)?$/i, "dockerfile"],
  [/^CMakeLists\.txt$/i, "cmake"],
  [/^(Gemfile|Rakefile|Vagrantfile|Brewfile)$/, "ruby"],
  [/^(Pipfile|Cargo\.lock|poetry\.lock|uv\.lock)$/, "toml"],
  [/^\.?(bashrc|zshrc|profile|bash_profile|bash_aliases)$/, "shell"],
  [/^\.(env(\..+)?|editorconfig|npmrc|gitconfig)$/, "properties"],
  [/^nginx\.conf$/, "nginx"],
  [/^Jenkinsfile$/, "groovy"],
]);

/** Those that were loaded. @type {Map<string, Extension>} */
const loaded = new Map();
/** @type {Map<string, Promise<boolean>>} */
const loading = new Map();

/**
 * Returns the language of a path as an extension: empty for plain text, and until the language is loaded.
 * @param {string} path
 * @returns {Extension}
 */
export function languageOf(path) {
  const ending = endingOf(path);
  if (Object.hasOwn(HERE, ending)) return HERE[ending]();
  return loaded.get(moduleOf(path) ?? "") ?? [];
}

/**
 * Loads the language of a path, unless it is here. Resolves to whether `languageOf` says more than before; a
 * language that cannot be loaded (offline) is tried again the next time.
 * @param {string} path
 * @param {(module: string) => Promise<{ default: Extension }>} [load]
 */
export async function loadLanguage(path, load = (module) => LANGUAGES[module]()) {
  const module = Object.hasOwn(HERE, endingOf(path)) ? null : moduleOf(path);
  if (!module || loaded.has(module)) return false;
  const going =
    loading.get(module) ??
    load(module).then(
      (found) => {
        loaded.set(module, found.default);
        return true;
      },
      () => {
        loading.delete(module);
        return false;
      },
    );
  loading.set(module, going);
  return going;
}

/** @param {string} path */
const endingOf = (path) => /[^/]\.([^./]+)$/.exec(path)?.[1].toLowerCase() ?? "";

/** @param {string} path @returns {string | null} the module that has its language */
export function moduleOf(path) {
  const name = path.slice(path.lastIndexOf("/") + 1);
  for (const [pattern, module] of BY_NAME) if (pattern.test(name)) return module;
  return BY_ENDING.get(endingOf(path)) ?? null;
}

/**
 * Returns the unit of indentation that files like this one use.
 * @param {string} path
 */
export function indentOf(path) {
  if (/\.go$|(^|\/)(GNU)?[Mm]akefile$|\.mk$/.test(path)) return "\t";
  return /\.(pyi?|rs|java|kt|kts|cs|php|c|h|cc|cpp|hpp|swift)$/i.test(path) ? "    " : "  ";
}
