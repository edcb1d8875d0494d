# Sourced by the other scripts: sets the program up where that is still to be done, and leaves its
# interpreter in $python. The caller may set `extras` to the optional dependencies that it needs.
#
# ARMOON_PYTHON may name an interpreter that has everything already; then nothing is set up.
# shellcheck shell=bash

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
venv=$root/.venv
python=$venv/bin/python
extras=${extras:-}

say() { printf 'armoon: %s\n' "$*" >&2; }

# The system libraries that the Python packages open, and the Debian packages that bring them. Mesa comes
# with libgl1, a font with libfontconfig1.
system_libraries="libGL.so.1 libEGL.so.1 libglib-2.0.so.0 libgthread-2.0.so.0 libfreetype.so.6 libfontconfig.so.1"
system_packages="libgl1 libegl1 libglib2.0-0 libfreetype6 libfontconfig1"

# A CPython 3.10 or 3.11 that can make virtual environments; the newest first.
find_python() {
    local candidate
    for candidate in python3.11 python3.10 python3; do
        if "$candidate" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info[:2] not in ((3, 10), (3, 11)))' \
            >/dev/null 2>&1; then
            command -v "$candidate"
            return
        fi
    done
    say "There is no CPython 3.10 or 3.11 with pip and venv here." \
        "On Debian 12 type: sudo apt-get install python3 python3-pip python3-venv"
    return 2
}

missing_libraries() {
    # shellcheck disable=SC2086  # a list of words
    "$1" - $system_libraries <<'PYTHON'
import ctypes
import sys

for name in sys.argv[1:]:
    try:
        ctypes.CDLL(name)
    except OSError:
        print(name)
PYTHON
}

install_system_packages() {
    local missing sudo=
    [ "$(uname -s)" = Linux ] || return 0
    missing=$(missing_libraries "$1" | tr '\n' ' ')
    [ -n "$missing" ] || return 0
    [ "$(id -u)" = 0 ] || sudo=sudo
    say "The system lacks ${missing}- installing $system_packages"
    # shellcheck disable=SC2086  # lists of words
    if command -v apt-get >/dev/null && { [ -z "$sudo" ] || sudo -n true 2>/dev/null; } &&
        {
            $sudo apt-get update -qq &&
                $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -qq --no-install-recommends $system_packages
        } >&2 </dev/null &&
        [ -z "$(missing_libraries "$1")" ]; then
        return 0
    fi
    say "They could not be installed from here. Please type, as root or with sudo:"
    say "    apt-get update && apt-get install -y $system_packages"
    say "(or what your system calls them) and start again."
    return 2
}

install_python_packages() {
    local project=$root${extras:+[$extras]}
    if "$python" -m pip install --quiet --disable-pip-version-check uv >&2 &&
        "$venv/bin/uv" pip install --quiet --python "$python" --overrides "$root/scripts/overrides.txt" \
            --editable "$project" >&2; then
        return 0
    fi
    say "uv can't be used here, so pip installs everything (twice the size, some minutes)."
    "$python" -m pip install --quiet --disable-pip-version-check --editable "$project" >&2 && return 0
    say "The Python packages could not be installed." \
        "Check the connection to the package index (see pip's words above) and start again."
    return 2
}

set_up() {
    # What was installed for what: another state of these, another place or another Python means again.
    local stamp base
    stamp=$(cat "$root/pyproject.toml" "$root/scripts/setup.sh" "$root/scripts/overrides.txt" | sha256sum)
    stamp="${stamp%% *} $root"
    if [ -x "$python" ] && { [ "$(cat "$venv/set-up-$extras" 2>/dev/null)" = "$stamp" ] ||
        [ "$(cat "$venv/set-up-test,lint" 2>/dev/null)" = "$stamp" ]; }; then
        return 0
    fi
    say "Setting up in $venv, some minutes the first time ..."
    base=$(find_python) || return
    install_system_packages "$base" || return
    # A folder that a removed or renewed Python left behind is of no use.
    "$python" -c '' 2>/dev/null || { rm -rf "$venv" && "$base" -m venv "$venv" >&2; } || return 2
    install_python_packages || return
    printf '%s\n' "$stamp" >"$venv/set-up-$extras"
}

if [ -n "${ARMOON_PYTHON:-}" ]; then
    python=$ARMOON_PYTHON
else
    set_up || exit
fi
