/**
 * The page's database in this browser: its tables, and IndexedDB's requests as promises.
 *
 * `slug` is the scope in every key, `<person>/<session>`: a browser that several people use shows nobody what is
 * another's.
 */

const NAME = "flint";
const VERSION = 3;
/** The fields of each table's key. */
export const KEYS = {
  clients: ["slug", "client"],
  texts: ["slug", "client", "file"],
  edits: ["slug", "client", "file"],
  asides: ["slug", "id"],
  sessions: ["slug"],
  shelf: ["slug", "file"],
};
/** @typedef {keyof typeof KEYS} Table */
const OPEN_MS = 3_000;

/**
 * Returns the range of all keys that begin with `start`.
 * @param {string[]} start
 */
export function prefix(start) {
  // An array sorts after every string, so it closes the range.
  return globalThis.IDBKeyRange.bound(start, [...start, []]);
}

/**
 * Returns the range of all keys of a person.
 * @param {string} user
 */
export function ofPerson(user) {
  // "0" is the character after "/".
  return globalThis.IDBKeyRange.bound([`${user}/`], [`${user}0`]);
}

/**
 * Opens the database.
 * @param {IDBFactory | undefined} [factory]
 * @returns {Promise<IDBDatabase>}
 */
export async function connect(factory = globalThis.indexedDB) {
  if (!factory) throw new RangeError("This browser has no IndexedDB.");
  const request = factory.open(NAME, VERSION);
  request.onupgradeneeded = () => {
    const { result: db } = request;
    for (const [name, keyPath] of Object.entries(KEYS)) {
      if (!db.objectStoreNames.contains(name)) db.createObjectStore(name, { keyPath });
    }
  };
  const db = await withTimeout(answer(request), OPEN_MS);
  db.onversionchange = () => db.close();
  return db;
}

/**
 * Runs `work` in a transaction that writes to these tables; resolves when it is complete.
 * @param {IDBDatabase} db
 * @param {readonly Table[]} names
 * @param {(tables: Record<Table, IDBObjectStore>) => void} work
 * @returns {Promise<void>}
 */
export function write(db, names, work) {
  return new Promise((resolve, reject) => {
    const transaction = db.transaction(names, "readwrite", { durability: "relaxed" });
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
    transaction.onerror = () => reject(transaction.error);
    const tables = names.map((name) => [name, transaction.objectStore(name)]);
    work(Object.fromEntries(tables));
    // Not left to the last answer, which a page that is going does not live to see.
    transaction.commit?.();
  });
}

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
export function answer(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** @template T @param {Promise<T>} promise @param {number} ms @returns {Promise<T>} */
function withTimeout(promise, ms) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new RangeError(`No answer within ${ms} ms.`)), ms);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
