"""Who somebody is and which team they belong to: User, Team, Membership, SignInLink.

May import notices, engine, document, lib. Rows of a team reach a view only through access.py.
"""
