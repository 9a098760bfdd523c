#!/bin/sh
# Everything that can be judged without running the product: format, lint, types, contracts, and that each file
# written by a tool is what the tool would write now. Runs all of it, then fails when one part did.
set -u
cd "$(dirname "$0")/.."

py=.venv/bin/python
tmp=$(mktemp -d "${TMPDIR:-/tmp}/flint-check.XXXXXX") || exit 1
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT TERM HUP
export NO_COLOR=1
failed=

part() {
    name=$1
    shift
    printf '%s\n' "-- $name"
    "$@" || failed="$failed
  $name"
}

templates() {
    find templates webapp -name '*.html' -type f -print0 2>/dev/null | xargs -0 -r .venv/bin/djade --check
}

migrations() {
    # An empty home: what the developer's own database holds must not decide.
    FLINT_TESTING=1 FLINT_HOME="$tmp" SECRET_KEY=check DATABASE_URL= "$py" manage.py makemigrations --check --dry-run
}

# Compares names and versions only: an index may gain a file, and so a hash, for a version that is already locked.
same_lock() {
    lock=$1
    shift
    cp "$lock" "$tmp/$lock"
    if ! .ci/lock.sh one "$tmp/$lock" "$@" 2>"$tmp/uv.log"; then
        if grep -qiE 'error sending request|failed to fetch|dns error|connect error|network|offline' "$tmp/uv.log"; then
            echo "$lock was not compared with pyproject.toml: the package index did not answer."
            return 0
        fi
        cat "$tmp/uv.log" >&2
        return 1
    fi
    grep -E '^[A-Za-z0-9]' "$lock" >"$tmp/have"
    grep -E '^[A-Za-z0-9]' "$tmp/$lock" >"$tmp/want"
    diff -u "$tmp/have" "$tmp/want" || { echo "$lock does not follow pyproject.toml. Run make lock." >&2; return 1; }
}

locks() {
    same_lock requirements.txt && same_lock requirements-dev.txt --group dev -c requirements.txt
}

part "format (Python)" "$py" -m ruff format --check --quiet .
part "lint (Python)" "$py" -m ruff check --quiet .
part "types (Python)" "$py" -m mypy
part "import contracts" .venv/bin/python -c 'from importlinter.cli import lint_imports_command as c; c()' --no-logo
part "templates" templates
part "format and lint (JavaScript, CSS)" node_modules/.bin/biome ci --colors=off
part "types (JavaScript)" node_modules/.bin/tsc --noEmit
part "vendored files" node .ci/vendor/build.mjs --check
part "migrations" migrations
part "catalogues" .ci/messages.sh --check
part "locks" locks

[ -z "$failed" ] || { printf '%s\n' "These parts of make check failed:$failed" >&2; exit 1; }
echo "make check: all parts passed."
