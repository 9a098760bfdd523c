#!/bin/sh
# Brings node_modules up to date with package-lock.json, then becomes the command it was given.
# Only checks, tests and `make vendor` need Node; running Flint does not.
set -eu
cd "$(dirname "$0")/.."

fail() { printf '%s\n' "$*" >&2; exit 1; }

command -v node >/dev/null 2>&1 && command -v npm >/dev/null 2>&1 ||
    fail "The checks and tests of the page need Node 18 or later with npm (on Debian and Ubuntu: apt install nodejs npm). Running Flint does not."
node -e 'process.exit(parseInt(process.versions.node, 10) < 18 ? 1 : 0)' ||
    fail "The checks and tests of the page need Node 18 or later, and this is $(node --version)."

stamp=node_modules/.installed-package-lock.json
if ! cmp -s package-lock.json "$stamp"; then
    npm ci --no-audit --no-fund --loglevel=error ||
        fail "The npm packages could not be installed; npm's reason is above. Check this machine's network and run make again."
    cp package-lock.json "$stamp"
fi

[ $# -eq 0 ] || exec "$@"
