// Runs inside the preview's frame, before the project's page: gives it what a page without an origin lacks, and
// tells the session's page what is logged. It stands in the frame's document as text, hence a classic script in a
// block, and nothing of it can be loaded from elsewhere. Whatever it tells is untrusted there.
{
  const host = parent;
  const LINES = 50;
  const EVERY_MS = 100;
  const LONGEST = 1000;

  /** @type {object[]} */
  let lines = [];
  let dropped = 0;
  let timer = 0;
  const post = host.postMessage.bind(host);
  const later = setTimeout.bind(window);

  const flush = () => {
    timer = 0;
    post({ t: "console", lines, dropped }, "*");
    lines = [];
    dropped = 0;
  };
  /** @param {string} level @param {string} text @param {string} [source] @param {number} [line] */
  const tell = (level, text, source = "", line = 0) => {
    if (lines.length < LINES) lines.push({ level, text: text.slice(0, LONGEST), source, line });
    else dropped += 1;
    if (!timer) timer = later(flush, EVERY_MS);
  };

  /** @param {unknown} value @param {number} depth @returns {string} */
  const shown = (value, depth) => {
    if (typeof value === "string") return depth ? JSON.stringify(value) : value;
    if (typeof value === "function") return `function ${value.name}`;
    if (value === null || typeof value !== "object") return String(value);
    if (value instanceof Error) return value.stack || String(value);
    if (value instanceof Element)
      return `<${value.localName}${value.id ? ` id="${value.id}"` : ""}>`;
    if (depth > 2) return Array.isArray(value) ? "[…]" : "{…}";
    const inner = (/** @type {unknown} */ each) => shown(each, depth + 1);
    if (Array.isArray(value)) return `[${value.slice(0, 50).map(inner).join(", ")}]`;
    if (value instanceof Map || value instanceof Set)
      return `${value.constructor.name}(${value.size}) ${inner([...value].slice(0, 50))}`;
    const pairs = Object.entries(value).slice(0, 50);
    return `{${pairs.map(([name, each]) => `${name}: ${inner(each)}`).join(", ")}}`;
  };
  /** @param {unknown[]} values */
  const words = (values) => {
    try {
      return values.map((value) => shown(value, 0)).join(" ");
    } catch {
      return "(a value that cannot be shown)";
    }
  };
  for (const level of /** @type {const} */ (["debug", "log", "info", "warn", "error"])) {
    console[level] = (...values) => tell(level, words(values));
  }
  console.assert = (holds, ...values) => {
    if (!holds) tell("error", `Assertion failed: ${words(values)}`);
  };
  console.table = (...values) => tell("log", words(values));
  console.dir = (...values) => tell("log", words(values));
  console.trace = (...values) => tell("log", words(values));

  /** A Storage that lasts as long as the page. */
  const storage = () => {
    const kept = new Map();
    return new Proxy(
      {
        getItem: (/** @type {string} */ name) => kept.get(String(name)) ?? null,
        setItem: (/** @type {string} */ name, /** @type {unknown} */ value) =>
          void kept.set(String(name), String(value)),
        removeItem: (/** @type {string} */ name) => void kept.delete(String(name)),
        clear: () => kept.clear(),
        key: (/** @type {number} */ index) => [...kept.keys()][index] ?? null,
      },
      {
        get: (target, name) =>
          name === "length"
            ? kept.size
            : (Reflect.get(target, name) ?? kept.get(String(name)) ?? undefined),
        set: (_target, name, value) => {
          kept.set(String(name), String(value));
          return true;
        },
        deleteProperty: (_target, name) => {
          kept.delete(String(name));
          return true;
        },
        ownKeys: () => [...kept.keys()],
        getOwnPropertyDescriptor: (_target, name) =>
          kept.has(name)
            ? { configurable: true, enumerable: true, value: kept.get(name) }
            : undefined,
      },
    );
  };
  const give = (/** @type {string} */ name, /** @type {unknown} */ value) =>
    Object.defineProperty(window, name, { configurable: true, value });
  give("localStorage", storage());
  give("sessionStorage", storage());
  // Ways around a policy that forbids connections.
  for (const name of ["RTCPeerConnection", "webkitRTCPeerConnection", "RTCDataChannel"])
    give(name, undefined);
  give("alert", (/** @type {unknown} */ text) => tell("info", `alert: ${text}`));
  give("confirm", (/** @type {unknown} */ text) => {
    tell("info", `confirm: ${text} (answered no)`);
    return false;
  });
  give("prompt", (/** @type {unknown} */ text) => {
    tell("info", `prompt: ${text} (answered nothing)`);
    return null;
  });

  // A document in this one has a window of its own, with all that was taken away above, and the policy lets those be
  // that load nothing (srcdoc, javascript:). They go before their scripts run, also out of a shadow tree.
  const { remove } = Element.prototype;
  const { querySelectorAll: inDocument } = Document.prototype;
  const { querySelectorAll: inShadow } = DocumentFragment.prototype;
  const { apply } = Reflect;
  const Observer = MutationObserver;
  const { observe } = Observer.prototype;
  const alone = (/** @type {Document | ShadowRoot} */ root) => {
    const find = root === document ? inDocument : inShadow;
    const clear = () => {
      const found = apply(find, root, ["iframe, frame, object, embed"]);
      for (let index = 0; index < found.length; index++) apply(remove, found[index], []);
    };
    apply(observe, new Observer(clear), [root, { childList: true, subtree: true }]);
  };
  const { attachShadow } = Element.prototype;
  Element.prototype.attachShadow = function (init) {
    const root = apply(attachShadow, this, [init]);
    alone(root);
    return root;
  };

  const listen = () => {
    alone(document);
    addEventListener(
      "error",
      (event) => {
        if (event instanceof ErrorEvent) {
          const text = event.message.replace("Failed to execute 'write' on 'Document': ", "");
          tell("error", text, event.filename, event.lineno);
        }
      },
      true,
    );
    addEventListener("unhandledrejection", ({ reason }) => {
      tell("error", `Unhandled rejection: ${reason instanceof Error ? reason : shown(reason, 0)}`);
    });
    document.addEventListener("click", (event) => {
      const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
      const address = link?.getAttribute("href") ?? "";
      if (!link || address.startsWith("#")) return;
      event.preventDefault();
      post({ t: "go", address }, "*");
    });
    addEventListener("message", heard);
    addEventListener("load", () => post({ t: "shown" }, "*"), { once: true });
  };

  /** @param {MessageEvent} event */
  const heard = ({ source, data }) => {
    if (source !== host) return;
    if (data.t === "ping") post({ t: "pong", at: data.at, scroll: [scrollX, scrollY] }, "*");
    if (data.t === "styles")
      for (const [path, text] of data.styles)
        for (const style of document.querySelectorAll("style[data-flint-style]"))
          if (style.getAttribute("data-flint-style") === path) style.textContent = text;
    if (data.t === "page") {
      const [x, y] = data.scroll;
      // Takes every listener of this document with it.
      document.open();
      listen();
      addEventListener("load", () => scrollTo(x, y), { once: true });
      document.write(data.html);
      document.close();
    }
  };
  addEventListener("message", heard);
  post({ t: "ready" }, "*");
}
