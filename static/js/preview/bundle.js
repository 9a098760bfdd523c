/**
 * One page of a project as a single text: its style sheets, scripts, modules and pictures put into it, since the
 * frame that shows it has no network. Nothing of it runs here: the page is parsed into a document without a
 * window.
 */

import { hideStyles, STYLE_TYPE, showStyles } from "./inert.js";
import { importMap, renameImports } from "./modules.js";
import { kindOf, resolve, typeOf } from "./paths.js";

/**
 * @typedef {object} Sources where the project's files come from
 * @property {(path: string) => string | null} text a text file as it is now; null when it is not here (yet)
 * @property {(path: string) => string | null} data any other file as a data: address
 */
/**
 * @typedef {object} Bundle
 * @property {string} html
 * @property {string} skeleton the same without the style sheets' text: when only that differs, the page need not run again
 * @property {[string, string][]} styles the texts of the style sheets, by path
 * @property {Set<string>} used the files it is made of
 * @property {Set<string>} missing files it asks for that are not here
 */

const STYLE_MARK = "data-flint-style";

/** @param {Uint8Array} bytes @param {string} type */
export function dataAddress(bytes, type) {
  let binary = "";
  // A call takes only so many arguments.
  for (let at = 0; at < bytes.length; at += 32_768)
    binary += String.fromCharCode(...bytes.subarray(at, at + 32_768));
  return `data:${type};base64,${btoa(binary)}`;
}

/** @param {string} text @param {string} type */
const textAddress = (text, type) =>
  dataAddress(new TextEncoder().encode(text), `${type};charset=utf-8`);

/** A script that says its own name in errors. @param {string} text @param {string} path */
const scriptAddress = (text, path) =>
  textAddress(`${text}\n//# sourceURL=${encodeURI(path)}`, "text/javascript");

/**
 * Returns the page at `path`, whole.
 * @param {string} path an HTML, Markdown or SVG file
 * @param {Sources} sources
 * @param {(text: string) => string} markdown from Markdown to HTML
 * @returns {Bundle}
 */
export function bundle(path, sources, markdown) {
  const used = new Set([path]);
  /** @type {Set<string>} */
  const missing = new Set();
  const text = sources.text(path) ?? "";
  const source = hideStyles(pageOf(path, text, markdown));
  const page = new DOMParser().parseFromString(source, "text/html");
  for (const mark of page.querySelectorAll(`[${STYLE_MARK}]`)) mark.removeAttribute(STYLE_MARK);
  const read = (/** @type {string} */ wanted) => {
    const found = sources.text(wanted);
    (found === null ? missing : used).add(wanted);
    return found;
  };
  const data = (/** @type {string} */ address, /** @type {string} */ from) => {
    const target = resolve(address, from);
    if (!target) return null;
    const found = sources.text(target);
    const made = found === null ? sources.data(target) : textAddress(found, typeOf(target));
    (made === null ? missing : used).add(target);
    return made;
  };
  const styles = putStyles(page, path, read, data);
  putScripts(page, path, read, missing, used);
  putMedia(page, path, data);
  for (const frame of page.querySelectorAll("iframe, frame, object, embed, meta[http-equiv]"))
    frame.remove();
  for (const base of page.querySelectorAll("base")) base.remove();
  const sheets = [...page.querySelectorAll(`[${STYLE_MARK}]`)];
  const skeleton = serialised(page);
  sheets.forEach((sheet, index) => {
    sheet.textContent = safe(styles[index][1]);
  });
  return { html: serialised(page), skeleton, styles, used, missing };
}

/** @param {string} path @param {string} text @param {(text: string) => string} markdown */
function pageOf(path, text, markdown) {
  const kind = kindOf(path);
  if (kind === "page") return text;
  const look =
    "<style>body{font:16px/1.6 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark;color:CanvasText;background:Canvas}pre,code{font-family:ui-monospace,monospace}pre{overflow:auto;padding:.75rem;border:1px solid #8884;border-radius:6px}table{border-collapse:collapse}td,th{border:1px solid #8886;padding:.25rem .5rem}img,svg{max-width:100%}blockquote{margin-inline:0;padding-inline-start:1rem;border-inline-start:3px solid #8886}</style>";
  return `<!doctype html><meta charset="utf-8">${look}${kind === "markdown" ? markdown(text) : text}`;
}

/** @param {Document} page */
function serialised(page) {
  return `<!doctype html>\n${showStyles(page.documentElement.outerHTML)}`;
}

/** A style sheet's text that ends neither its element nor the one it waits in. @param {string} css */
const safe = (css) => css.replaceAll(/<\/(style|script)/gi, "<\\/$1");

/**
 * Turns links to style sheets of the project into style elements, still empty; returns their texts in order.
 * @param {Document} page
 * @param {string} path
 * @param {(path: string) => string | null} read
 * @param {(address: string, from: string) => string | null} data
 */
function putStyles(page, path, read, data) {
  /** @type {[string, string][]} */
  const styles = [];
  for (const link of page.querySelectorAll("link")) {
    const href = link.getAttribute("href") ?? "";
    const isSheet = link.relList.contains("stylesheet");
    const target = isSheet ? resolve(href, path) : null;
    if (isSheet && target) {
      const style = page.createElement("script");
      style.type = STYLE_TYPE;
      style.setAttribute(STYLE_MARK, target);
      if (link.media) style.setAttribute("media", link.media);
      link.replaceWith(style);
      styles.push([target, sheetOf(target, read, data)]);
    } else if (link.relList.contains("icon")) {
      link.remove();
    }
  }
  for (const style of page.querySelectorAll(`script[type="${STYLE_TYPE}"]:not([${STYLE_MARK}])`))
    style.textContent = safe(inStyle(style.textContent ?? "", path, read, data, new Set()));
  return styles;
}

/** @param {string} path @param {(path: string) => string | null} read @param {(address: string, from: string) => string | null} data */
const sheetOf = (path, read, data) => inStyle(read(path) ?? "", path, read, data, new Set([path]));

/**
 * Returns a style sheet with its imports put in and its addresses turned into data.
 * @param {string} css
 * @param {string} path
 * @param {(path: string) => string | null} read
 * @param {(address: string, from: string) => string | null} data
 * @param {Set<string>} seen sheets that are on their way in, so that a circle ends
 * @returns {string}
 */
function inStyle(css, path, read, data, seen) {
  const imported = css.replace(
    /@import\s+(?:url\(\s*)?["']?([^"')\s;]+)["']?\s*\)?\s*([^;]*);/g,
    (all, address, media) => {
      const target = resolve(address, path);
      if (!target) return all;
      if (seen.has(target)) return "";
      const inner = inStyle(read(target) ?? "", target, read, data, new Set([...seen, target]));
      return media.trim() ? `@media ${media.trim()} {\n${inner}\n}` : inner;
    },
  );
  return imported.replace(/url\(\s*(["']?)([^"')]+)\1\s*\)/g, (all, _quote, address) => {
    const made = address.startsWith("data:") ? null : data(address, path);
    return made ? `url("${made}")` : all;
  });
}

/**
 * @param {Document} page
 * @param {string} path
 * @param {(path: string) => string | null} read
 * @param {Set<string>} missing
 * @param {Set<string>} used
 */
function putScripts(page, path, read, missing, used) {
  /** @type {string[]} */
  const roots = [];
  for (const script of page.querySelectorAll(`script:not([type="${STYLE_TYPE}"])`)) {
    if (!(script instanceof HTMLScriptElement)) continue;
    const isModule = script.type === "module";
    const src = script.getAttribute("src");
    if (src !== null) {
      const target = resolve(src, path);
      const text = target ? read(target) : null;
      if (!target || text === null) continue;
      const renamed = isModule ? renameImports(text, target) : { text, imports: [] };
      roots.push(...renamed.imports);
      script.setAttribute("src", scriptAddress(renamed.text, target));
      script.removeAttribute("integrity");
      script.removeAttribute("crossorigin");
    } else if (isModule) {
      const renamed = renameImports(script.textContent ?? "", path);
      roots.push(...renamed.imports);
      script.textContent = renamed.text;
    }
  }
  const map = importMap(roots, read, scriptAddress);
  for (const found of map.used) used.add(found);
  for (const lost of map.missing) missing.add(lost);
  if (!roots.length) return;
  const own = page.querySelector('script[type="importmap"]');
  const merged = { imports: { ...ownImports(own?.textContent ?? ""), ...map.imports } };
  own?.remove();
  const element = page.createElement("script");
  element.type = "importmap";
  element.textContent = JSON.stringify(merged).replaceAll("<", "\\u003c");
  page.head.prepend(element);
}

/** @param {string} text @returns {Record<string, string>} */
function ownImports(text) {
  try {
    const { imports } = JSON.parse(text || "{}");
    return imports && typeof imports === "object" ? imports : {};
  } catch {
    return {};
  }
}

/** @param {Document} page @param {string} path @param {(address: string, from: string) => string | null} data */
function putMedia(page, path, data) {
  for (const [selector, name] of /** @type {const} */ ([
    ["img[src], source[src], audio[src], video[src], track[src], input[src]", "src"],
    ["video[poster]", "poster"],
    ["image[href], use[href]", "href"],
  ])) {
    for (const element of page.querySelectorAll(selector)) {
      const address = element.getAttribute(name) ?? "";
      if (address.startsWith("data:") || address.startsWith("#")) continue;
      const made = data(address, path);
      if (made) element.setAttribute(name, made);
    }
  }
  for (const element of page.querySelectorAll("[srcset]")) element.removeAttribute("srcset");
}
