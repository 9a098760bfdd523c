"""Edit tasks for models: `make eval` asks a model for each, and a test in the sandbox decides.

- tasks/       one file a task: what a person asks for, the files, the test, a solution
- tasks.py     reads them
- asking.py    task → what the model is told → its answer, with tokens and times
- applying.py  the answer → edited files, through the landing that live turns use
- judging.py   edited files → a verdict
- running.py   all of these, task after task; one JSON line each
- serving.py   the embedded models, for the length of a run
- history.py   the runs that are kept, in history.json
- report.py    the table and the chart in docs/evaluation.md
- __main__.py  the command

The test_*.py here need no model: they hold the tasks to what they promise.
"""
