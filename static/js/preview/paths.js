/** What an address inside a project's file means: another file of the project, or something outside it. */

/**
 * Returns the path that `address` means, seen from the file `from`; null for what is outside the project (an
 * address with a scheme or a host) and for what climbs out of it. A leading slash is the project's root.
 * @param {string} address
 * @param {string} from the path of the file that the address stands in
 */
export function resolve(address, from) {
  const bare = address.trim().replace(/[?#].*$/s, "");
  if (!bare || /^[a-z][a-z0-9+.-]*:/i.test(bare) || bare.startsWith("//")) return null;
  const path = decoded(bare);
  const parts = path.startsWith("/") ? [] : from.split("/").slice(0, -1);
  for (const part of path.split("/")) {
    if (part === "..") {
      if (!parts.length) return null;
      parts.pop();
    } else if (part && part !== ".") parts.push(part);
  }
  return parts.join("/") || null;
}

/**
 * Returns an address as people write it; as it is when it cannot be decoded.
 * @param {string} text
 */
export function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** @type {Record<string, string>} */
const TYPES = {
  avif: "image/avif",
  bmp: "image/bmp",
  css: "text/css",
  csv: "text/csv",
  gif: "image/gif",
  htm: "text/html",
  html: "text/html",
  ico: "image/x-icon",
  jpeg: "image/jpeg",
  jpg: "image/jpeg",
  js: "text/javascript",
  json: "application/json",
  mjs: "text/javascript",
  mp3: "audio/mpeg",
  mp4: "video/mp4",
  ogg: "audio/ogg",
  otf: "font/otf",
  png: "image/png",
  svg: "image/svg+xml",
  ttf: "font/ttf",
  txt: "text/plain",
  wasm: "application/wasm",
  wav: "audio/wav",
  webm: "video/webm",
  webp: "image/webp",
  woff: "font/woff",
  woff2: "font/woff2",
  xml: "application/xml",
};

/** @param {string} path @returns {string} the end of the name, in small letters */
export const endingOf = (path) => /\.([^./]+)$/.exec(path)?.[1].toLowerCase() ?? "";

/** Returns the media type of a file by its name. @param {string} path */
export function typeOf(path) {
  const ending = endingOf(path);
  return Object.hasOwn(TYPES, ending) ? TYPES[ending] : "application/octet-stream";
}

/** @param {string} path @returns {"page" | "markdown" | "image" | null} how a file can be shown by itself */
export function kindOf(path) {
  const ending = endingOf(path);
  if (ending === "html" || ending === "htm") return "page";
  if (ending === "md" || ending === "markdown") return "markdown";
  return ending === "svg" ? "image" : null;
}

/**
 * Returns the files that can be shown, the likeliest first: index.html, other pages, drawings, Markdown; those
 * nearer to the root before deeper ones.
 * @param {Iterable<string>} paths
 */
export function entries(paths) {
  const weight = (/** @type {string} */ path) => {
    const kind = kindOf(path);
    const rank = kind === "page" ? 0 : kind === "image" ? 20 : 40;
    return rank + path.split("/").length - (/(^|\/)index\.html?$/i.test(path) ? 5 : 0);
  };
  return [...paths]
    .filter((path) => kindOf(path))
    .sort((one, other) => weight(one) - weight(other) || one.localeCompare(other));
}
