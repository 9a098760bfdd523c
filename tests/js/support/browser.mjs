/** What a browser has and Node lacks, as far as the page's modules need it. */

import "fake-indexeddb/auto";

/** Web Locks of one browser: a name is held until its holder's page is gone. */
export class Locks {
  #held = new Map();

  /** Ends every page, as the browser's death does. */
  endAll() {
    this.#held.clear();
  }

  /** Returns the lock manager as one page sees it. */
  page() {
    const page = {};
    return {
      end: () => {
        for (const [name, owner] of this.#held) if (owner === page) this.#held.delete(name);
      },
      request: async (name, _options, work) => {
        if (this.#held.has(name)) return work(null);
        this.#held.set(name, page);
        await work({ name });
        this.#held.delete(name);
      },
    };
  }
}

/** sessionStorage of one tab. */
export class TabMemory {
  #items = new Map();
  getItem(name) {
    return this.#items.get(name) ?? null;
  }
  setItem(name, value) {
    this.#items.set(name, value);
  }
}
