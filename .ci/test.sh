#!/bin/sh
# Every test, in an order that tells of the cheapest failure first. Each run is a process of its own, because
# Playwright's synchronous interface, pytest-asyncio and Django's ORM cannot share one.
#
#   .ci/test.sh [unit|js|postgres|browser|model]...   some of them; without a name, all
#
# Those on PostgreSQL run only where there is a server: FLINT_TEST_POSTGRES, a URL of a role that may make databases.
set -eu
cd "$(dirname "$0")/.."

py=.venv/bin/python

unit() {
    "$py" -m pytest tests --ignore=tests/browser --ignore=tests/model
}

js() {
    find tests/js -name '*.test.mjs' -type f -print0 | xargs -0 -r node --test
}

# Whatever has to do with the database once more, on PostgreSQL.
postgres() {
    if [ -z "${FLINT_TEST_POSTGRES:-}" ]; then
        echo "The tests on PostgreSQL need a server: set FLINT_TEST_POSTGRES to postgres://user@host:port/postgres, with a" \
            "role that may make databases. Nothing was tested." >&2
        exit 1
    fi
    DATABASE_URL=$FLINT_TEST_POSTGRES "$py" -m pytest --create-db \
        tests/live tests/pairing tests/teams tests/accounts tests/pages tests/api
}

# Without pytest-asyncio its settings are unknown ones; that alone is not worth a warning.
apart() {
    "$py" -m pytest -p no:asyncio -W "ignore:Unknown config option" "$@"
}

browser() {
    if ! { command -v chromium || command -v chromium-browser || command -v google-chrome; } >/dev/null; then
        echo "The browser tests need Chromium (on Debian: apt install chromium, as root). The tests before these ran." >&2
        exit 1
    fi
    apart tests/browser --timeout 180
}

# The main job with the real embedded model. Its weights come from outside the first time.
model() {
    apart tests/model --timeout 1200
}

[ $# -gt 0 ] || set -- unit js ${FLINT_TEST_POSTGRES:+postgres} browser model
for each in "$@"; do
    case $each in
    unit | js | postgres | browser | model)
        printf '%s\n' "-- tests: $each"
        "$each"
        ;;
    *)
        echo "There are no tests called $each; there are unit, js, postgres, browser and model." >&2
        exit 2
        ;;
    esac
done
