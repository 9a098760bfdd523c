"""From a parser's events to edits of a project, whatever the format. Pure.

Live turns (live/writing.py) and the command `applyedits` run the same landings over a workspace of
their own.

- landing.py    which landing a format has
- whole.py, blocks.py (also json), patch.py   where the edits of a format go
- finding.py    which file a path of the model's means
- operations.py the deletes and moves of a message: dry run, order, what stands in their way
- desk.py       one edit after another: written, refused, frozen or yielded
- edit.py       one of them
- parting.py    a flush without the places that wait for a word
- telling.py    what became of them, and who is told
- withheld.py   an edit that is not written, and why
- held.py       what can still become of it
- workspace.py  what they need of a project
- memory.py     a project in memory
- applying.py   a message applied to one
- writer.py     what turns an edit's text into changes of its file
- sentences.py  what people are told
"""
