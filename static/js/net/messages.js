/**
 * The shapes of docs/protocol.md as types. This module has no code: it is imported by type comments only,
 * so that one page of the browser's side says what the frames hold.
 */

/** @typedef {[number, number]} Selection anchor and head, in UTF-16 code units */
/** @typedef {(number | [number, ...string[]])[]} ChangeJson CodeMirror's ChangeSet as JSON */

/** @typedef {{ conn: string, user: string, name: string, color: number }} Person */
/** @typedef {{ file?: string | null, v?: number | null, sel?: Selection | null }} Where */
/** @typedef {Person & Where & { role: string }} PersonWhere */
/** @typedef {Person | { turn: string, name: string }} By */

/** @typedef {{ file: string, path: string, v: number, ending: string, size: number, encoding?: string, bom?: boolean, binary?: boolean }} FileInfo */
/** @typedef {"open" | "applied" | "kept" | "yielded" | "reverted" | "rolled_back"} HunkStatus */
/**
 * @typedef {object} Hunk `start` to `end` of `file` at `v` stands where `old` stood
 * @property {string} turn
 * @property {number} ordinal
 * @property {string} file
 * @property {number} v
 * @property {number} start
 * @property {number} end
 * @property {string} old
 * @property {HunkStatus} status
 * @property {string} [by] the name of whoever kept or reverted it, or ""
 */
/**
 * @typedef {object} Withheld an edit that does not stand in the text; `old` stood there, `new` is what the model wanted
 * @property {string} turn
 * @property {number} ordinal
 * @property {"refused" | "frozen" | "yielded"} kind
 * @property {"open" | "taken" | "declined" | "expired"} state
 * @property {"edit" | "create" | "delete" | "move"} op
 * @property {string} path
 * @property {string} to where it would move, or ""
 * @property {string | null} file
 * @property {number | null} first the lines it is about, counted from 1
 * @property {number | null} last
 * @property {string} old
 * @property {string} new
 * @property {boolean} old_cut whether `old` goes on, and the server left that out; also all of it
 * @property {boolean} new_cut
 * @property {string} reason
 * @property {string} by who answered, or ""
 * @property {string | null} until when a frozen one is declined without an answer
 */
/** @typedef {{ ordinal: number, file: string, path: string, now: string, then: string, now_cut: boolean, then_cut: boolean }} Mixed a place where a person's text and the model's share a line */
/** @typedef {{ reverted: number[], mixed: Mixed[] }} Reverted */
/** @typedef {{ file: string, path: string, from_line: number | null, to_line: number | null }} Focus */
/** @typedef {"queued" | "starting" | "streaming" | "stopping" | "finished" | "stopped" | "redirected" | "failed" | "interrupted"} TurnState */
/**
 * @typedef {object} Turn
 * @property {string} id
 * @property {string | null} parent the turn it was redirected from
 * @property {string} author
 * @property {string} name
 * @property {string} prompt
 * @property {TurnState} state
 * @property {string} tier
 * @property {string} endpoint
 * @property {string} label
 * @property {string} model
 * @property {string} format
 * @property {Focus | null} focus
 * @property {string} created_at
 * @property {number | null} ttft_ms
 * @property {number | null} stop_ms
 * @property {number} tokens_in
 * @property {number} tokens_out
 * @property {boolean} estimated
 * @property {number} applied
 * @property {number} added
 * @property {number} removed
 * @property {string} html
 * @property {string} reason
 * @property {string} ended_by
 * @property {string} reverted_by
 * @property {boolean} revertable
 * @property {Hunk[]} hunks
 * @property {Withheld[]} [withheld]
 * @property {number} [edits] of its answer
 * @property {number} [refused] of those, how many could not be applied
 * @property {string | null} [repairs] the turn whose refused edits this one asks for again
 * @property {{ used: number, window: number } | null} [context]
 */
/**
 * @typedef {object} ModelStatus
 * @property {string} tier
 * @property {"offered" | "unfit" | "downloading" | "paused" | "missing" | "starting" | "ready" | "failed"} state
 * @property {string} name
 * @property {string} message
 * @property {number} done_bytes
 * @property {number} total_bytes
 * @property {number} bytes_per_s
 * @property {number | null} eta_s
 */
/** @typedef {{ id: string, tier: string, label: string, model: string, format: "whole" | "blocks" | "patch" | "json", window: number, default: boolean, installed: boolean }} Endpoint */
/** @typedef {{ id: string, author: string | null, name: string, prompt: string, tier: string, endpoint: string, focus: Focus | null, created_at: string }} FollowUp */
/** @typedef {{ held: boolean, list: FollowUp[], message?: string }} FollowUps */
/** @typedef {{ kind: "rules" | "file" | "region" | "selection" | "mention" | "history" | "redirect" | "paths" | "prompt", label: string, tokens: number }} OutlinePart */
/** @typedef {{ parts: OutlinePart[], used: number, answer: number, window: number, fits: boolean, tier: string, endpoint: string, label: string, model: string, message?: string }} Outline */
/** @typedef {{ push_bytes: number, frame_bytes: number, ack_bytes: number }} Limits */

/** @typedef {{ v: number, c: ChangeJson, client: string, n?: number | null, by: By, turn?: string | null, hunk?: number | null, kind: string }} Entry */

/** @typedef {{ t: "welcome", you: Person & { role: string }, session: { slug: string, title: string, team: string }, files: FileInfo[], people: PersonWhere[], turns: Turn[], followups: FollowUps, models: ModelStatus[], endpoints: Endpoint[], limits: Limits }} WelcomeFrame */
/** @typedef {{ t: "file", file: string, v: number, text: string, hunks: Hunk[], here: ({ conn: string } & Where)[] }} FileFrame */
/** @typedef {{ t: "entries", file: string, v: number, list: Entry[] }} EntriesFrame */
/** @typedef {Entry & { t: "entry", file: string }} EntryFrame */
/** @typedef {{ t: "pushed", id: string, file: string, v: number }} PushedFrame */
/** @typedef {{ t: "rejected", id: string, file: string, code: string, message: string }} RejectedFrame */
/** @typedef {{ t: "tree", op: "create" | "rename" | "delete", file: string, path: string, by: By, v?: number | null, id?: string | null, ending?: string | null, size?: number | null, encoding?: string, bom?: boolean, binary?: boolean }} TreeFrame */
/** @typedef {{ t: "join", person: PersonWhere }} JoinFrame */
/** @typedef {{ t: "leave", conn: string }} LeaveFrame */
/** @typedef {{ t: "here", conn: string } & Where} HereFrame */
/** @typedef {{ t: "turn", turn: Turn }} TurnFrame */
/** @typedef {{ t: "progress", turn: string, tokens: number, applied: number, tps: number, ttft_ms?: number | null, file?: string | null, v?: number | null, at?: number | null }} ProgressFrame */
/** @typedef {{ t: "prose", turn: string, html: string }} ProseFrame */
/** @typedef {{ t: "hunk", hunk: Hunk }} HunkFrame */
/** @typedef {{ t: "withheld", withheld: Withheld }} WithheldFrame */
/** @typedef {{ t: "checkpoint", checkpoint: { seq: number, label: string, turn: string | null, name: string, at: string } }} CheckpointFrame */
/** @typedef {{ t: "rules", protected: string[], lines: number, percent: number, message: string }} RulesFrame */
/** @typedef {{ t: "model", model: ModelStatus }} ModelFrame */
/** @typedef {{ t: "followups", followups: FollowUps }} FollowUpsFrame */
/** @typedef {{ t: "endpoints", list: Endpoint[] }} EndpointsFrame */
/** @typedef {{ t: "ok", id: string, result?: any, message?: string }} OkFrame */
/** @typedef {{ t: "error", code: string, message: string, id?: string | null }} ErrorFrame */
/** @typedef {{ t: "resync", reason: string }} ResyncFrame */
/** @typedef {{ t: "pong", at: number }} PongFrame */

/**
 * @typedef {object} Frames every frame of the server by its kind
 * @property {WelcomeFrame} welcome
 * @property {FileFrame} file
 * @property {EntriesFrame} entries
 * @property {EntryFrame} entry
 * @property {PushedFrame} pushed
 * @property {RejectedFrame} rejected
 * @property {TreeFrame} tree
 * @property {JoinFrame} join
 * @property {LeaveFrame} leave
 * @property {HereFrame} here
 * @property {TurnFrame} turn
 * @property {ProgressFrame} progress
 * @property {ProseFrame} prose
 * @property {HunkFrame} hunk
 * @property {WithheldFrame} withheld
 * @property {CheckpointFrame} checkpoint
 * @property {RulesFrame} rules
 * @property {ModelFrame} model
 * @property {FollowUpsFrame} followups
 * @property {EndpointsFrame} endpoints
 * @property {OkFrame} ok
 * @property {ErrorFrame} error
 * @property {ResyncFrame} resync
 * @property {PongFrame} pong
 */

export {};
