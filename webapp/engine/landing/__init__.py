"""From a parser's events to edits of the project, whatever the format. Pure.

- withheld.py   an edit that is not written, and why
- held.py       what can still become of it
- writer.py     what turns an edit's text into changes of its file
- sentences.py  what people are told
"""
