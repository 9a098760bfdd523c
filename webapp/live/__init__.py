"""The shared room, while people are in it: everything between a socket and the log.

A frame's way: consumer → wire (text to message) → room (sequences) → journal (commits) → outboxes.
The room is synchronous on the event loop; whatever waits (a commit, a read, a model) comes back to
it as a call. The modules, from the socket inwards:

- `consumer`, `origins`, `meter`, `outbox`: one socket each, who it is, how fast it may send, what
  is on its way to it; no logic
- `wire`, `wire_fields`, `messages`, `roles`, `codes`, `sentences`, `answers`: frames, what each
  needs, how a refusal reads
- `hub`, `watching`, `ownership`, `ask`: the rooms open in this process, whose they are, how others
  reach them
- `room`: one session while it is open. Around it `door` (the way in for messages), `clients`,
  `presence`, `files` (one file, and how a push is rebased), `pushing`, `opening`, `tree`, `filing`,
  `adding` (files from outside)
- `commits`, `journal`, `statements`: entries out; `loading`, `reading`: rows in, and the threads
- `turns`: who runs. `turn_asks` (what pages ask of it), `questions` (a prompt apart from its page),
  `followups` and `followup_rows` (those that wait), `next_up` (who is next), `asking`,
  `redirection` and `endpoints` (what is asked, and whom), `warming`, `fetching` (before anything is
  asked), `running` (drives the engine), `writing` (its text into the room; `writing_*` a module a
  format), `showing` (what is told meanwhile, with `progress` and `prose`), `reverting`,
  `leftovers`; `turn_*`: rows, frames, hunks, files, sentences
- `ports`: what rooms and turns know of each other

May import limits, pairing, teams, notices, engine, document, lib. No Redis on this path.
"""
