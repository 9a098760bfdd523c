"""Sign-in, the one-time link, the profile, and `manage.py addmember`; allauth does the passwords.

May import live, limits, pairing, teams, notices, engine, document, lib; never pages or api.
"""
