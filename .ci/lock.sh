#!/bin/sh
# Writes the locked requirements from pyproject.toml, for every platform and Python 3.11 to 3.13.
#
#   .ci/lock.sh                          both files, keeping what is pinned (UPGRADE=1 takes the newest)
#   .ci/lock.sh one FILE [ARGUMENT...]   one of them, to FILE
set -eu
cd "$(dirname "$0")/.."

one() {
    out=$1
    shift
    .venv/bin/python -m uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header \
        --no-annotate ${UPGRADE:+--upgrade} pyproject.toml "$@" -o "$out" >/dev/null
}

if [ "${1:-}" = one ]; then
    shift
    one "$@"
else
    one requirements.txt
    one requirements-dev.txt --group dev -c requirements.txt
fi
