/**
 * A small model of the server's room, for the browser's side to be tested against: one log a file, every
 * update one entry, rebased over each newer entry in turn, each (client, counter) applied once.
 */

import { ChangeSet, Text } from "../../../static/vendor/codemirror.js";

export const LIMITS = { push_bytes: 204800, frame_bytes: 262144, ack_bytes: 32768 };
const PERSON = { conn: "cccccccccccccccccccc", user: 1, name: "Ann", color: 2 };

export class Room {
  /** @type {Map<string, { path: string, text: Text, log: any[], first: number }>} */
  files = new Map();
  /** @type {Set<any>} */
  sockets = new Set();
  /** Refuses every push with this frame's fields, when set. */
  refusal = null;

  /** @param {Record<string, string>} texts by file id */
  constructor(texts) {
    for (const [file, text] of Object.entries(texts)) {
      const lines = Text.of(text.split("\n"));
      this.files.set(file, { path: `${file}.py`, text: lines, log: [], first: 0 });
    }
  }

  /** Takes one frame of a socket in and answers through `socket.deliver`. */
  receive(socket, frame) {
    const file = this.files.get(frame.file);
    switch (frame.t) {
      case "hello":
        socket.client = frame.client;
        socket.open = new Set();
        this.sockets.add(socket);
        return socket.deliver({
          t: "welcome",
          you: { ...PERSON, role: "owner" },
          session: { slug: "s", title: "S", team: "T" },
          files: [...this.files].map(([id, { path, log, first }]) => ({
            file: id,
            path,
            v: first + log.length,
            ending: "lf",
            size: 0,
          })),
          people: [],
          turns: [],
          models: [],
          endpoints: [],
          followups: { held: false, list: [] },
          limits: LIMITS,
        });
      case "open": {
        if (!file) return socket.deliver({ t: "error", code: "gone", message: "Gone." });
        socket.open.add(frame.file);
        const v = file.first + file.log.length;
        if (frame.v === undefined || frame.v < file.first) {
          const text = file.text.toString();
          return socket.deliver({ t: "file", file: frame.file, v, text, hunks: [], here: [] });
        }
        const list = file.log.slice(frame.v - file.first).map((entry) => this.#entry(entry));
        return socket.deliver({ t: "entries", file: frame.file, v, list });
      }
      case "close":
        return void socket.open.delete(frame.file);
      case "push":
        return this.#push(socket, frame, file);
      case "ping":
        return socket.deliver({ t: "pong", at: frame.at });
    }
  }

  /** Writes as the model does. */
  write(id, changes) {
    const by = { turn: "tttttttttttttttttttt", name: "Flint" };
    this.#commit(id, { changes, client: "flint", by, turn: by.turn, hunk: 1 });
  }

  leave(socket) {
    this.sockets.delete(socket);
  }

  #push(socket, frame, file) {
    if (this.refusal || !file) {
      const why = this.refusal ?? { code: "gone", message: "Gone." };
      return socket.deliver({ t: "rejected", id: frame.id, file: frame.file, ...why });
    }
    let updates = frame.updates.map(({ n, c }) => ({ n, changes: ChangeSet.fromJSON(c) }));
    for (const entry of file.log.slice(frame.v - file.first)) {
      if (entry.client === socket.client && entry.n === updates[0]?.n) {
        updates.shift();
        continue;
      }
      let over = entry.changes;
      updates = updates.map(({ n, changes }) => {
        const mapped = changes.map(over);
        over = over.map(changes, true);
        return { n, changes: mapped };
      });
    }
    const known = (n) => file.log.some((entry) => entry.client === socket.client && entry.n === n);
    for (const { n, changes } of updates) {
      if (known(n)) continue;
      this.#commit(frame.file, { changes, client: socket.client, n, by: PERSON });
    }
    const v = file.first + file.log.length;
    socket.deliver({ t: "pushed", id: frame.id, file: frame.file, v });
  }

  #commit(id, entry) {
    const file = this.files.get(id);
    file.text = entry.changes.apply(file.text);
    file.log.push(entry);
    entry.v = file.first + file.log.length;
    for (const socket of this.sockets) {
      if (socket.open.has(id)) socket.deliver({ t: "entry", file: id, ...this.#entry(entry) });
    }
  }

  #entry({ changes, ...rest }) {
    return { ...rest, c: changes.toJSON(), kind: "edit" };
  }
}
