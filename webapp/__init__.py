"""Flint: live pair programming with a very fast model.

Each folder is a room; imports flow one way (pyproject.toml).
"""
