"""Code that people and models wrote is run here, and nowhere else.

- sandbox.py    runs one command on a set of files, walled in; alone starts processes
- bubble.py     the wall itself: how bubblewrap is called
- syscalls.py   the system calls that the command may not make, as a seccomp filter; pure
- processes.py  how much memory a tree of processes holds

May import limits, pairing, teams, notices, engine, document, lib; never live.
"""
