"""The team's pages for its admins, at /team/<id>/: server-rendered, htmx for what changes.

Rows come from teams/access.py; what happens in a live session is asked through `live.ask`.
"""
