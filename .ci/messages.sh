#!/bin/sh
# The message catalogues in webapp/locale/, from what the source says now: new texts come in empty, texts that are
# gone go. Translate the empty ones in the .po files, then run it again; it compiles them.
#
#   .ci/messages.sh          writes the catalogues
#   .ci/messages.sh --check  changes nothing; exits 1 when they do not say all that the source says
set -eu
cd "$(dirname "$0")/.."

command -v msgfmt >/dev/null 2>&1 || {
    echo "The catalogues need gettext (on Debian and Ubuntu: apt install gettext). Nothing was done." >&2
    exit 1
}
tmp=$(mktemp -d "${TMPDIR:-/tmp}/flint-messages.XXXXXX")
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT TERM HUP
py=$PWD/.venv/bin/python
languages="zh_Hans"

# A copy of nothing but our own source: what else lies in the folder has texts too.
mkdir "$tmp/source"
tar -cf - --exclude=__pycache__ --exclude=static/vendor manage.py webapp templates static | tar -xf - -C "$tmp/source"
cd "$tmp/source"
export FLINT_TESTING=1 FLINT_HOME="$tmp" SECRET_KEY=check DATABASE_URL=
for language in $languages; do
    mkdir -p "webapp/locale/$language/LC_MESSAGES"
    for domain in django djangojs; do
        only=html,txt,py
        [ "$domain" = django ] || only=js
        "$py" manage.py makemessages --locale "$language" --domain "$domain" --extension "$only" \
            --no-location --no-obsolete --no-wrap --verbosity 0
        # Texts only: the date of the last run would make each run another file.
        po=webapp/locale/$language/LC_MESSAGES/$domain.po
        sed -i '/^"POT-Creation-Date:/d' "$po"
        msgfmt --check-format -o "${po%.po}.mo" "$po"
    done
done
cd - >/dev/null

if [ "${1:-}" != --check ]; then
    cp -R "$tmp/source/webapp/locale/." webapp/locale/
    for po in webapp/locale/*/LC_MESSAGES/*.po; do msgfmt --statistics -o /dev/null "$po"; done
    exit 0
fi
bad=0
for po in "$tmp"/source/webapp/locale/*/LC_MESSAGES/*.po; do
    here=webapp/locale/${po#"$tmp/source/webapp/locale/"}
    cmp -s "$po" "$here" && cmp -s "${po%.po}.mo" "${here%.po}.mo" || {
        diff -u "$here" "$po" | head -n 40 || true
        echo "$here does not have what the source says, or its .mo is another. Run make messages." >&2
        bad=1
    }
    lacking=$(msgattrib --no-obsolete --untranslated "$po" | grep -c '^msgid "' || true)
    fuzzy=$(msgattrib --no-obsolete --only-fuzzy "$po" | grep -c '^msgid "' || true)
    if [ "$lacking" -gt 0 ] || [ "$fuzzy" -gt 0 ]; then
        msgattrib --no-obsolete --untranslated --no-wrap "$po" | grep '^msgid "' | sed 1d | head -n 20 >&2
        echo "$here lacks translations, or has some that only may fit (fuzzy). Translate them." >&2
        bad=1
    fi
done
exit "$bad"
