"""The list of sessions and the session page: server-rendered, live parts come over the socket.

May import live, limits, pairing, teams, notices, engine, document, lib; never accounts or api.
"""
