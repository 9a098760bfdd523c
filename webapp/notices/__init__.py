"""Typed notices: how rooms that must not know each other meet. May import engine, document, lib."""
