"""What a session is made of, at rest: Session, Lease, File, Entry, Turn, Hunk and more.

Rows here are written by `live` (through its journal) and read by everybody through access.py.
May import teams, notices, engine, document, lib.
"""
