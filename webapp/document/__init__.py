"""The shared text, as pure functions and values: no framework, no input or output, no clock.

- changes.py  the algebra of changes (apply, compose, map, invert), equal to CodeMirror's;
              its inner walks are in sections.py, which nothing else needs
- text.py     units (UTF-16 offsets), lines, line endings, and JSON that keeps half a surrogate pair
- hunks.py    a range that one turn wrote, followed through every later change
- tree.py     which paths a project may hold

Imports nothing of Flint but `lib`; everything above may import it.
"""
