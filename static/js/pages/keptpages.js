/** The pages that the service worker keeps, seen from a page: one cache a person, by path. */

const PAGES = "flint-pages-";

/** The slugs of the sessions whose pages are kept for a person. @param {string} user @returns {Promise<Set<string>>} */
export async function keptPages(user) {
  if (!(await globalThis.caches?.has(PAGES + user))) return new Set();
  const cache = await caches.open(PAGES + user);
  const paths = (await cache.keys()).map(({ url }) => new URL(url).pathname);
  return new Set(paths.flatMap((path) => /^\/s\/([^/]+)\/$/.exec(path)?.[1] ?? []));
}

/** Drops one page of a person. @param {string} user @param {string} path */
export async function dropPage(user, path) {
  if (!(await globalThis.caches?.has(PAGES + user))) return;
  await (await caches.open(PAGES + user)).delete(path);
}

/** Drops every page of everybody. */
export async function dropPages() {
  const names = (await globalThis.caches?.keys()) ?? [];
  const pages = names.filter((name) => name.startsWith(PAGES));
  await Promise.all(pages.map((name) => caches.delete(name)));
}
