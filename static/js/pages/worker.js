// The service worker, a classic script served as /sw.js behind a line that sets FLINT (see webapp/pages/offline.py):
// keeps the shell of the session pages that one person has visited, and all that it loads, for when there is no network.
//
// - Pages: the network first. The kept page only when the network does not answer; what the server says, be it an
//   error, is shown. Pages are kept for the person that the server names; there is one person at a time, and a
//   sign-in takes all pages away.
// - Static files with hashed names: the kept one first, they never change. With plain names: the network first.
// - Everything else (sockets, forms, downloads, other frames) passes by.
// Kept pages bring the headers that they came with, so a page's nonce and its policy fit each other.
{
  /** @type {{ version: string, hashed: boolean, root: string, assets: string[] }} */
  const shell = /** @type {any} */ (globalThis).FLINT;
  /** The worker's own global; the checker knows only that of a page. */
  const worker = /** @type {any} */ (self);

  const STATIC = "flint-static-";
  const PAGES = "flint-pages-";
  const CURRENT = STATIC + shell.version;
  const ASSETS = new Set(shell.assets);
  const WORDS = "/i18n/js/";
  const AWAY = "/offline/";
  const SIGN_IN = "/accounts/login/";
  const GONE = new Set([403, 404, 410]);
  const MOST_PAGES = 20;
  /** A server that has not answered by then is taken for away, if there is a kept page to show. */
  const PATIENCE_MS = 3_000;
  /** Fetches at the same time. */
  const AT_ONCE = 3;

  const isSession = (/** @type {string} */ path) => /^\/s\/[^/]+\/$/.test(path);

  /** The pages of the person who was here last, or null. */
  async function pages() {
    const name = (await caches.keys()).find((one) => one.startsWith(PAGES));
    return name ? caches.open(name) : null;
  }

  /** The pages of this person; those of others go. @param {string} user */
  async function pagesOf(user) {
    const mine = PAGES + user;
    await dropPages(mine);
    return caches.open(mine);
  }

  /** @param {string} [but] */
  async function dropPages(but) {
    const names = (await caches.keys()).filter((name) => name.startsWith(PAGES) && name !== but);
    await Promise.all(names.map((name) => caches.delete(name)));
  }

  /** @param {Cache | null} cache @param {string} key @returns {Promise<Response | undefined>} */
  const match = async (cache, key) => cache?.match(key, { ignoreVary: true });

  /** A full disk takes the shell away, not the page. @param {Promise<unknown>} writing */
  async function spare(writing) {
    try {
      await writing;
    } catch (error) {
      if (!(error instanceof DOMException && error.name === "QuotaExceededError")) return;
      for (const client of await worker.clients.matchAll()) client.postMessage({ t: "full" });
    }
  }

  /**
   * Does with the kept page what the server's answer for it asks.
   * @param {Response} answer
   * @param {string} path
   */
  async function heed(answer, path) {
    const known = isSession(path) || path === "/";
    // These redirect only to the sign-in: whoever sits here now is nobody.
    if (known ? answer.type === "opaqueredirect" : answer.ok && path === SIGN_IN)
      return dropPages();
    if (!known) return;
    if (GONE.has(answer.status)) return void (await (await pages())?.delete(path));
    const user = answer.headers.get("Flint-Person");
    if (!answer.ok || !user) return;
    const cache = await pagesOf(user);
    if (!isSession(path)) return;
    await cache.put(path, answer);
    const kept = (await cache.keys()).map(({ url }) => new URL(url).pathname).filter(isSession);
    for (const old of kept.slice(0, -MOST_PAGES)) await cache.delete(old);
  }

  /** @param {{ request: Request, waitUntil(work: Promise<unknown>): void }} event @param {string} path */
  async function page(event, path) {
    const kept = isSession(path) ? await match(await pages(), path) : undefined;
    const answering = fetch(event.request);
    event.waitUntil(
      answering.then(
        (answer) => spare(heed(answer.clone(), path)),
        () => {},
      ),
    );
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    const patience = new Promise((_, reject) => {
      if (kept) timer = setTimeout(() => reject(new RangeError("No answer yet.")), PATIENCE_MS);
    });
    try {
      return await Promise.race([answering, patience]);
    } catch {
      return kept ?? (await match(await pages(), AWAY)) ?? Response.error();
    } finally {
      clearTimeout(timer);
    }
  }

  /** @param {Request} request @param {string} path */
  async function asset(request, path) {
    if (shell.hashed && ASSETS.has(path)) {
      const kept = await caches.match(path);
      if (kept) return kept;
    }
    const answer = await fetch(request).catch(() => null);
    if (answer?.ok) {
      const copy = answer.clone();
      await spare(caches.open(CURRENT).then((cache) => cache.put(path, copy)));
      return answer;
    }
    // Also one of an older version, which an older page asks for.
    return (await caches.match(path)) ?? answer ?? Response.error();
  }

  /** @param {Request} request */
  async function words(request) {
    const answer = await fetch(request).catch(() => null);
    const cache = await pages();
    const kept = await match(cache, WORDS);
    // Only renewed here: whoever has no session page kept has no use for them.
    if (answer?.ok && kept) await spare(/** @type {Cache} */ (cache).put(WORDS, answer.clone()));
    return answer ?? kept ?? Response.error();
  }

  /** Gets the assets that are not here yet. */
  async function fill() {
    const cache = await caches.open(CURRENT);
    const here = new Set((await cache.keys()).map(({ url }) => new URL(url).pathname));
    const missing = shell.assets.filter((path) => !here.has(path));
    const work = async () => {
      for (let path = missing.pop(); path; path = missing.pop()) {
        const answer = await fetch(path, { cache: shell.hashed ? "default" : "no-cache" });
        if (!answer.ok) throw new RangeError(`${path} answered ${answer.status}.`);
        await cache.put(path, answer);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  }

  /** Keeps one path of the person's, as the server gives it now. @param {Cache} cache @param {string} path */
  async function keep(cache, path) {
    const answer = await fetch(path, { redirect: "manual", credentials: "same-origin" });
    if (isSession(path)) await heed(answer, path);
    else if (answer.ok) await cache.put(path, answer);
  }

  /**
   * A session page is there, and may be kept.
   * @param {{ user: string, path: string, language: string }} message
   */
  async function keepPage({ user, path, language }) {
    const cache = await pagesOf(user);
    const mark = `/offline/?${language}`;
    const wanted = (await match(cache, path)) ? [] : [path];
    if (!(await match(cache, mark))) {
      wanted.push(WORDS, AWAY);
      for (const { url } of await cache.keys())
        if (url.includes(`${AWAY}?`)) await cache.delete(url);
      await cache.put(mark, new Response(""));
    }
    for (const one of wanted) await keep(cache, one);
    await fill();
    for (const client of await worker.clients.matchAll()) client.postMessage({ t: "kept", path });
  }

  /**
   * Another version: pages that name files of the old one are fetched anew. This is done as soon as the new files are
   * here, and not when this worker takes over: a browser lets the old one finish first, which may take minutes. It
   * serves the new pages as well, since files are looked for in every version.
   */
  async function renew() {
    const cache = await pages();
    for (const { url } of (await cache?.keys()) ?? []) {
      const { pathname, search } = new URL(url);
      // Those that cannot be had now go on naming old files, which stay for that.
      if (cache && !search) await keep(cache, pathname).catch(() => {});
    }
  }

  /** Only one old version stays. */
  async function dropOld() {
    const old = (await caches.keys()).filter((name) => name.startsWith(STATIC) && name !== CURRENT);
    await Promise.all(old.slice(0, -1).map((name) => caches.delete(name)));
  }

  worker.addEventListener("install", (/** @type {any} */ event) => {
    worker.skipWaiting();
    event.waitUntil(spare(fill().then(renew)));
  });
  worker.addEventListener("activate", (/** @type {any} */ event) => {
    event.waitUntil(dropOld().then(() => worker.clients.claim()));
  });
  worker.addEventListener("message", (/** @type {any} */ event) => {
    if (event.data?.t === "keep") event.waitUntil(spare(keepPage(event.data)));
  });
  worker.addEventListener("fetch", (/** @type {any} */ event) => {
    const { request } = event;
    const { origin, pathname } = new URL(request.url);
    if (request.method !== "GET" || origin !== worker.location.origin) return;
    if (pathname.startsWith(shell.root)) event.respondWith(asset(request, pathname));
    else if (pathname === WORDS) event.respondWith(words(request));
    else if (request.mode === "navigate" && request.destination === "document") {
      event.respondWith(page(event, pathname));
    }
  });
}
