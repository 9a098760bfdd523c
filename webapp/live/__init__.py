"""The shared room, while people are in it: everything between a socket and the log.

A frame's way: consumer → wire (text to message) → room (sequences) → journal (commits) → outboxes.
The room is synchronous on the event loop; whatever waits (a commit, a read, a model) comes back to
it as a call. The modules, from the socket inwards:

- `consumer`, `origins`, `meter`: one socket each, who it is, how fast it may send; no logic
- `wire`, `roles`, `codes`, `sentences`: frames, what each needs, how a refusal reads
- `hub`, `ownership`, `ask`: the rooms open in this process, whose they are, how others reach them
- `room`, `clients`, `files`, `presence`, `tree`, `opening`: one session while it is open
- `loading`, `journal`, `reading`: rows in, entries out, and the threads that do it
- `turns`: drives the engine

May import limits, pairing, teams, notices, engine, document, lib. No Redis on this path.
"""
