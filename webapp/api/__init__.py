"""What machines ask over HTTP: whether this process lives, whether it is of use, and its figures.

May import live, limits, pairing, teams, notices, engine, document, lib; never pages or accounts.
"""
