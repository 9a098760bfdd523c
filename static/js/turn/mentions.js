/**
 * What `@` and `/` mean in a prompt. Pure.
 *
 * The text is the only truth: a file is mentioned while `@` and its path stand in the text, typed by hand or
 * completed. So a draft needs no list beside it, and nothing goes along that one cannot see.
 */

/** @typedef {{ kind: "mention" | "command", from: number, to: number, query: string }} Token */
/** @typedef {{ file: string, path: string }} Named */

/** What may stand before an `@` that mentions something. */
const OPENS = /[\s([{"'`,;]/;
/** What goes on with a path, so that @app.py is not in @app.pyc. */
const GOES_ON = /^(?:[\w/\\-]|\.\w)/;

/**
 * Returns the token that the caret is in and that could be completed, or null.
 * @param {string} text
 * @param {number} caret
 * @returns {Token | null}
 */
export function tokenAt(text, caret) {
  const after = /^\S*/.exec(text.slice(caret))?.[0].length ?? 0;
  const before = text.slice(0, caret);
  if (/^\/[\w-]*$/.test(before)) {
    return { kind: "command", from: 0, to: caret + after, query: before.slice(1) };
  }
  const at = before.lastIndexOf("@");
  const query = before.slice(at + 1);
  if (at < 0 || /\s/.test(query) || !mayOpen(text, at)) return null;
  return { kind: "mention", from: at, to: caret + after, query };
}

/**
 * Returns the text with a token replaced, and where the caret goes: behind it and one blank.
 * @param {string} text
 * @param {Token} token
 * @param {string} word
 */
export function complete(text, { from, to }, word) {
  const rest = text.slice(to);
  const gap = /^\s/.test(rest) ? "" : " ";
  return { text: text.slice(0, from) + word + gap + rest, caret: from + word.length + 1 };
}

/**
 * Returns the files that a text mentions, in its order, each once. The longest path that fits counts.
 * @template {Named} File
 * @param {string} text
 * @param {Iterable<File>} files
 * @returns {File[]}
 */
export function mentioned(text, files) {
  return [...new Set(places(text, files).map(({ file }) => file))];
}

/**
 * Returns the text with a file's mentions made into plain words, or into mentions of another path.
 * @param {string} text
 * @param {Named} file
 * @param {Iterable<Named>} files all there are, since one path may begin another
 * @param {string} [as]
 */
export function unmentioned(text, file, files, as = file.path) {
  let result = text;
  const mine = places(text, files).filter(({ file: it }) => it.file === file.file);
  for (const { at, file: it } of mine.reverse()) {
    result = result.slice(0, at) + as + result.slice(at + 1 + it.path.length);
  }
  return result;
}

/**
 * @template {Named} File
 * @param {string} text
 * @param {Iterable<File>} files
 */
function places(text, files) {
  if (!text.includes("@")) return [];
  const longest = [...files].sort((one, other) => other.path.length - one.path.length);
  /** @type {{ at: number, file: File }[]} */
  const found = [];
  for (let at = text.indexOf("@"); at >= 0; at = text.indexOf("@", at + 1)) {
    if (!mayOpen(text, at)) continue;
    const file = longest.find(
      ({ path }) =>
        text.startsWith(path, at + 1) && !GOES_ON.test(text.slice(at + 1 + path.length)),
    );
    if (file) found.push({ at, file });
  }
  return found;
}

/** @param {string} text @param {number} at */
const mayOpen = (text, at) => at === 0 || OPENS.test(text[at - 1]);
