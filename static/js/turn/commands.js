/**
 * The commands that a prompt may begin with. Any part of the page may add one; what is not there is not offered.
 * A text that begins with a slash and names no command is a prompt like any other.
 */

/**
 * @typedef {object} Command
 * @property {string} name lower case, without the slash
 * @property {string} about one line for the person
 * @property {string} [takes] what follows it, as a word for the person; without it, it runs as soon as it is chosen
 * @property {() => boolean} [ready] whether it can be used just now
 * @property {(rest: string) => Run} run
 */
/** @typedef {string | void} Leaves what stays in the box; by itself what the command does not take */
/** @typedef {Leaves | Promise<Leaves>} Run */

const NAME = /^[a-z][a-z-]*$/;

/**
 * Returns the name and the rest of a text that looks like a command, or null.
 * @param {string} text
 */
export function parse(text) {
  const found = /^\/([a-z][a-z-]*)(?:\s+([\s\S]*))?$/.exec(text.trim());
  return found ? { name: found[1], rest: found[2] ?? "" } : null;
}

export class Commands {
  /** @type {Map<string, Command>} */
  #all = new Map();

  /**
   * Adds a command; returns a function that takes it away.
   * @param {Command} command
   * @throws {RangeError} when its name is taken or cannot be typed
   */
  add(command) {
    const { name } = command;
    if (!NAME.test(name)) throw new RangeError(`"${name}" is no name for a command.`);
    if (this.#all.has(name)) throw new RangeError(`There is a command "${name}" already.`);
    this.#all.set(name, command);
    return () => void this.#all.delete(name);
  }

  /** Those that can be used now, by name. @returns {Command[]} */
  get usable() {
    return [...this.#all.values()]
      .filter(({ ready }) => ready?.() ?? true)
      .sort((one, other) => (one.name < other.name ? -1 : 1));
  }

  /**
   * Returns the command that a text is, with what follows it, or null.
   * @param {string} text
   * @returns {{ command: Command, rest: string } | null}
   */
  find(text) {
    const parsed = parse(text);
    const command = parsed && this.#all.get(parsed.name);
    if (!command || (command.ready && !command.ready())) return null;
    return { command, rest: parsed.rest };
  }
}
