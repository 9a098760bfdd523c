/** What completes a token of the prompt: files, people, commands. Pure. */

import { match, rank } from "../lib/fuzzy.js";
import { gettext } from "../lib/i18n.js";

/** @import { FileInfo, Person } from "../net/messages.js" */
/** @import { Command } from "./commands.js" */
/** @import { Option } from "./complete.js" */
/** @import { Token } from "./mentions.js" */

/** More would hide the text that one writes about. */
const MOST = 8;

/**
 * Returns what a token may become, best first.
 * @param {Token} token
 * @param {{ files: FileInfo[], people: Person[], commands: Command[], you: string }} known
 * @returns {Option[]}
 */
export function suggestions(token, known) {
  return token.kind === "command"
    ? commandOptions(token.query, known.commands)
    : mentionOptions(token.query, known);
}

/** @param {string} query @param {Command[]} commands @returns {Option[]} */
function commandOptions(query, commands) {
  const begun = commands.filter(({ name }) => name.startsWith(query.toLowerCase()));
  return begun.slice(0, MOST).map(({ name, about, takes }) => ({
    label: takes ? `/${name} ${takes}` : `/${name}`,
    marks: Array.from({ length: query.length + 1 }, (_, index) => index),
    detail: about,
    word: `/${name}`,
    runs: !takes,
  }));
}

/**
 * @param {string} query
 * @param {{ files: FileInfo[], people: Person[], you: string }} known
 * @returns {Option[]}
 */
function mentionOptions(query, { files, people, you }) {
  const texts = files.filter(({ binary }) => !binary);
  const names = new Set(people.filter(({ user }) => user !== you).map(({ name }) => name));
  const found = rank(query, texts, ({ path }) => path, MOST).map(({ item, marks, score }) => ({
    score,
    option: { label: item.path, marks, detail: "", word: `@${item.path}` },
  }));
  for (const name of names) {
    const fit = match(query, name);
    if (!fit) continue;
    const option = { label: name, marks: fit.marks, detail: gettext("here now"), word: `@${name}` };
    found.push({ score: fit.score, option });
  }
  return found
    .sort((one, other) => other.score - one.score)
    .slice(0, MOST)
    .map(({ option }) => option);
}
