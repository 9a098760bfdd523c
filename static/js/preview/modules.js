/**
 * JavaScript modules of a project, made to find each other without a server: each becomes a data: address, and
 * what it imports by a relative path is renamed to a name that an import map knows. Lines stay where they are,
 * so that errors name the right ones.
 *
 * Turned down: a parser. Comments and strings that look like an import are renamed too, which changes no
 * program that runs; a bundler of half a megabyte would be loaded for it.
 */

import { resolve } from "./paths.js";

/** What stands between `import` or `export` and `from` is names, braces and commas, never a quote or a semicolon. */
const STATIC = /(\b(?:import|export)\b(?:[\s\w$*{},]*?\bfrom\b)?\s*)(["'])([^"'\n]+)\2/g;
const DYNAMIC = /(\bimport\s*\(\s*)(["'])([^"'\n]+)\2/g;

/** @param {string} path the name of a module of the project in the import map */
export const moduleName = (path) => `project:/${path}`;

/**
 * Returns the module with its imports renamed, and which files of the project those are.
 * @param {string} text
 * @param {string} path
 * @returns {{ text: string, imports: string[] }}
 */
export function renameImports(text, path) {
  /** @type {Set<string>} */
  const imports = new Set();
  const rename = (
    /** @type {string} */ all,
    /** @type {string} */ before,
    /** @type {string} */ quote,
    /** @type {string} */ address,
  ) => {
    // A bare name ("react") is a package, which is not here.
    if (!/^[./]/.test(address)) return all;
    const target = resolve(address, path);
    if (!target) return all;
    imports.add(target);
    return `${before}${quote}${moduleName(target)}${quote}`;
  };
  const renamed = text.replace(STATIC, rename).replace(DYNAMIC, rename);
  return { text: renamed, imports: [...imports] };
}

/**
 * Returns the import map for all that these modules import, directly or not.
 * @param {Iterable<string>} roots paths that something imports
 * @param {(path: string) => string | null} read
 * @param {(text: string, path: string) => string} address how a module's text becomes an address
 * @returns {{ imports: Record<string, string>, used: Set<string>, missing: Set<string> }}
 */
export function importMap(roots, read, address) {
  /** @type {Record<string, string>} */
  const imports = {};
  const used = new Set();
  const missing = new Set();
  const queue = [...roots];
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    if (used.has(path) || missing.has(path)) continue;
    const text = read(path);
    if (text === null) {
      missing.add(path);
      continue;
    }
    used.add(path);
    const renamed = renameImports(text, path);
    imports[moduleName(path)] = address(renamed.text, path);
    queue.push(...renamed.imports);
  }
  return { imports, used, missing };
}
