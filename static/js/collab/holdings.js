/**
 * Everything that this browser holds for a person, over all sessions: to be listed, and to be taken away. Needs
 * neither editor nor connection.
 */

import { answer, connect, KEYS, ofPerson, prefix, write } from "./database.js";
import { asideLock, clientLock, hold } from "./locks.js";

/** @import { ChangeJson } from "../net/messages.js" */
/** @import { Table } from "./database.js" */

/** What may be thrown away without anybody missing it: it comes again with the next connection. */
const SPARE = /** @type {const} */ (["sessions", "shelf"]);
const ALL = /** @type {Table[]} */ (Object.keys(KEYS));

/**
 * @typedef {object} Holding what is held of one session
 * @property {string} slug of the session
 * @property {string} title or "" when that is not known
 * @property {number} at when it was last seen, in ms since 1970
 * @property {number} edits that were never sent
 * @property {Unsent[]} unsent the texts of those, and of what was set aside
 */
/** @typedef {{ path: string, text: string, lock: string, remove: { table: Table, key: string[] }[] }} Unsent `lock` is held by the page that deals with it */

/**
 * Returns what is held for a person, last seen first.
 * @param {string} user
 * @returns {Promise<Holding[]>}
 */
export async function holdings(user) {
  const db = await connect();
  try {
    const range = ofPerson(user);
    const all = (/** @type {Table} */ table) =>
      answer(db.transaction(table).objectStore(table).getAll(range));
    const [sessions, edits, asides] = await Promise.all([
      all("sessions"),
      all("edits"),
      all("asides"),
    ]);
    /** @type {Map<string, Holding>} */
    const found = new Map();
    const holding = (/** @type {string} */ scope) => {
      const slug = scope.slice(scope.indexOf("/") + 1);
      const known = found.get(slug) ?? { slug, title: "", at: 0, edits: 0, unsent: [] };
      found.set(slug, known);
      return known;
    };
    for (const { slug, title, at } of sessions) Object.assign(holding(slug), { title, at });
    for (const { slug, client, file, path, pending } of edits) {
      const it = holding(slug);
      for (const { edits: count = 1 } of pending) it.edits += count;
      const key = [slug, client, file];
      const remove = /** @type {const} */ (["edits", "texts"]).map((table) => ({ table, key }));
      const text = pending
        .flatMap((/** @type {{ c: ChangeJson }} */ { c }) => inserted(c))
        .join("");
      it.unsent.push({ path, text, remove, lock: clientLock(client) });
    }
    for (const { slug, id, path, text } of asides) {
      const it = holding(slug);
      it.edits++;
      const remove = [{ table: /** @type {const} */ ("asides"), key: [slug, id] }];
      it.unsent.push({ path, text, remove, lock: asideLock(id) });
    }
    return [...found.values()].sort((one, other) => other.at - one.at);
  } finally {
    db.close();
  }
}

/** The text that a change puts in. @param {ChangeJson} change @returns {string[]} */
function inserted(change) {
  return change.flatMap((part) => (Array.isArray(part) ? [part.slice(1).join("\n")] : []));
}

/**
 * Removes one text that was never sent; says whether it could: what an open page has is that page's.
 * @param {Unsent} unsent
 * @param {LockManager | undefined} [locks]
 */
export async function discard({ remove, lock }, locks = globalThis.navigator?.locks) {
  const release = locks ? await hold(locks, lock) : () => {};
  if (!release) return false;
  await changing(
    remove.map(({ table }) => table),
    (tables) => {
      for (const { table, key } of remove) tables[table].delete(key);
    },
  );
  release();
  return true;
}

/** Removes everything that is held for a person. @param {string} user */
export async function forgetPerson(user) {
  await changing(ALL, (tables) => {
    for (const table of ALL) tables[table].delete(ofPerson(user));
  });
}

/**
 * Removes what is held for everybody else, but for what they typed and could not send: that is theirs still.
 * @param {string} user
 */
export async function forgetOthers(user) {
  await changing(SPARE, (tables) => {
    for (const table of SPARE) {
      tables[table].delete(IDBKeyRange.upperBound([`${user}/`], true));
      tables[table].delete(IDBKeyRange.lowerBound([`${user}0`]));
    }
  });
}

/**
 * Removes the texts of a person's sessions but these; what was typed there and not sent stays, and the title, to name it by.
 * @param {string} user
 * @param {Set<string>} slugs
 * @param {number} before sessions seen after this, in ms since 1970, stay too: their page is on its way
 */
export async function forgetBut(user, slugs, before) {
  const old = (await holdings(user)).filter(({ slug, at }) => at < before && !slugs.has(slug));
  if (!old.length) return;
  await changing(SPARE, ({ sessions, shelf }) => {
    for (const { slug, title, at, edits } of old) {
      const scope = `${user}/${slug}`;
      shelf.delete(prefix([scope]));
      if (edits) sessions.put({ slug: scope, title, state: null, at });
      else sessions.delete([scope]);
    }
  });
}

/**
 * @param {readonly Table[]} names
 * @param {(tables: Record<Table, IDBObjectStore>) => void} work
 */
async function changing(names, work) {
  const db = await connect();
  try {
    await write(db, names, work);
  } finally {
    db.close();
  }
}
