"""From a parser's events to edits of the project, whatever the format. Pure.

- withheld.py  an edit that is not written, and why
"""
