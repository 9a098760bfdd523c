# The targets other tools rely on. Each recipe is one command, so that a signal to make reaches it, and every path is
# relative, so that a folder with spaces in its name works. What a target does is in .ci/.

.PHONY: run venv test test-model test-postgres check bench eval vendor messages lock ci
.NOTPARALLEL:
.DEFAULT_GOAL := run

# Everything from a bare checkout: packages, migrations, embedded services, web and worker. PORT, HOST, FLINT_HOME.
run:
	@exec .ci/venv.sh run .venv/bin/python -m webapp.appliance

# The virtual environment in .venv, with what the tests need.
venv:
	@exec .ci/venv.sh dev

# All tests, the browser's and the real model's included.
test:
	@exec .ci/venv.sh dev .ci/node.sh .ci/test.sh

# The main job with the real embedded model.
test-model:
	@exec .ci/venv.sh dev .ci/test.sh model

# What has to do with the database, on PostgreSQL at FLINT_TEST_POSTGRES; `make test` does it too when that is set.
test-postgres:
	@exec .ci/venv.sh dev .ci/test.sh postgres

# Format, lint, types, import contracts, files written by tools unchanged.
check:
	@exec .ci/venv.sh dev .ci/node.sh .ci/check.sh

# The benchmarks, one JSON object a line.
bench:
	@exec .ci/venv.sh dev .venv/bin/python -m tests.bench

# A model on the edit tasks, one JSON object a line; ARGS="--endpoint standard --format blocks". See docs/evaluation.md.
eval:
	@exec .ci/venv.sh dev .venv/bin/python -m tests.eval $(ARGS)

# static/vendor/ from package-lock.json.
vendor:
	@exec .ci/node.sh node .ci/vendor/build.mjs

# webapp/locale/ from what the source says: new texts come in empty, to be translated.
messages:
	@exec .ci/venv.sh dev .ci/messages.sh

# requirements*.txt from pyproject.toml; UPGRADE=1 takes the newest versions.
lock:
	@exec .ci/venv.sh dev .ci/lock.sh

# What every change must pass.
ci: check test
