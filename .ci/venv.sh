#!/bin/sh
# Brings .venv up to date, then becomes the command it was given.
#
#   .ci/venv.sh run|dev [COMMAND [ARGUMENT...]]
#
# `run` installs requirements.txt, `dev` requirements-dev.txt (which holds everything of the first). Nothing is
# installed when the lock is the one that was installed last: a copy of it inside .venv is the stamp. The command
# replaces this shell, so a signal sent to make reaches it; during the installation a signal ends pip as well.
# A failure is a sentence that says what to do.
set -eu
cd "$(dirname "$0")/.."

say() { printf '%s\n' "$*" >&2; }
fail() { say "$@"; exit 1; }

# A background child in a shell ignores Ctrl-C, so the trap passes the end on.
child=
stop() { [ -z "$child" ] || kill "$child" 2>/dev/null || :; wait || :; exit 130; }
patiently() {
    trap stop INT TERM HUP
    "$@" </dev/null & child=$!
    code=0; wait "$child" || code=$?
    child=; trap - INT TERM HUP
    return "$code"
}

new_enough() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; }
can_make_one() { "$1" -c 'import venv, ensurepip' 2>/dev/null; }

# Prints the Python to build with: the one that was asked for, else the first that will do.
choose_python() {
    old= bare=
    for each in ${PYTHON:-python3 python3.13 python3.12 python3.11}; do
        command -v "$each" >/dev/null 2>&1 || continue
        if ! new_enough "$each"; then old=$each; continue; fi
        if ! can_make_one "$each"; then bare=$each; continue; fi
        printf '%s\n' "$each"; return
    done
    if [ -n "$bare" ]; then
        version=$("$bare" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
        fail "Python $version is here, but without the module that makes virtual environments. Install it" \
            "(on Debian and Ubuntu: apt install python3-venv, or python$version-venv) and run make again."
    elif [ -n "$old" ]; then
        fail "Flint needs Python 3.11 or later, and $old is $("$old" -c 'import platform; print(platform.python_version())' 2>/dev/null || echo unusable)." \
            "Install a newer Python and run make again, or name one: make run PYTHON=/path/to/python3.12"
    else
        fail "Flint needs Python 3.11 or later, and found none. Install it (on Debian and Ubuntu: apt install" \
            "python3 python3-venv) and run make again."
    fi
}

why_pip_failed() {
    tail -n 5 "$1" >&2
    if grep -qiE 'NewConnectionError|ConnectTimeout|name resolution|Network is unreachable|ProxyError|Connection(Error|ResetError| refused| broken)|timed out|Max retries' "$1"; then
        fail "The package index did not answer, so the packages could not be installed. Nothing else was changed:" \
            "check this machine's network and run make again."
    elif grep -qi 'No space left' "$1"; then
        fail "The disk is full, so the packages could not be installed. Free about 1 GB and run make again."
    elif grep -qiE 'do not match the hashes|THESE PACKAGES' "$1"; then
        fail "A downloaded package is not the one that $2 names, so it was not installed. Run make again; if this" \
            "stays, something between this machine and the package index changes files."
    fi
    fail "The packages of $2 could not be installed (pip's last words are above, all of them in $1)."
}

install() {
    lock=$1 kept=.venv/.installed-$1
    ! cmp -s "$lock" "$kept" || return 0
    [ -w .venv ] || fail "The packages in $PWD/.venv are out of date and $(id -un) may not change them. Run make as their owner, or remove that folder."
    say "Installing the packages of $lock; the first time takes a minute or two."
    log=.venv/pip.log
    patiently .venv/bin/python -m pip install --quiet --disable-pip-version-check --no-input --retries 3 \
        --root-user-action=ignore --require-hashes -r "$lock" >"$log" 2>&1 || why_pip_failed "$log" "$lock"
    rm -f "$log"
    cp "$lock" "$kept"
}

[ $# -ge 1 ] || fail "Usage: .ci/venv.sh run|dev [COMMAND [ARGUMENT...]]"
purpose=$1
shift

# A moved folder leaves scripts that point to where it was; a removed Python leaves a link to nothing.
if [ -e .venv ]; then
    if ! .venv/bin/python -c 'import pip' 2>/dev/null || ! new_enough .venv/bin/python ||
        { [ -e .venv/.place ] && [ "$(cat .venv/.place)" != "$PWD" ]; }; then
        rm -rf .venv 2>/dev/null || fail "The folder $PWD/.venv is out of date and may not be removed by $(id -un). Remove it and run make again."
    fi
fi
if [ ! -e .venv ]; then
    python=$(choose_python)
    [ -w . ] || fail "Flint keeps its packages in $PWD/.venv, but $(id -un) may not write to that folder. Copy Flint to a folder of yours and run make there."
    patiently "$python" -m venv .venv || { rm -rf .venv; fail "The virtual environment could not be made; what Python said is above."; }
fi
if [ ! -e .venv/.place ] && [ -w .venv ]; then printf '%s\n' "$PWD" >.venv/.place; fi

case $purpose in
run) install requirements.txt ;;
dev)
    install requirements-dev.txt
    # It holds the first lock whole, so that one needs no installation of its own.
    cmp -s requirements.txt .venv/.installed-requirements.txt || cp requirements.txt .venv/.installed-requirements.txt
    ;;
*) fail "Usage: .ci/venv.sh run|dev [COMMAND [ARGUMENT...]]" ;;
esac

[ $# -eq 0 ] || exec "$@"
