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

# Where a CPython lies that uv fetched, with uv itself if it was not on PATH: in the project, nowhere else.
own=$root/.venv-python
fitting='import sys, venv, ensurepip; sys.exit(sys.version_info[:2] not in ((3, 10), (3, 11), (3, 12)))'

# Where LiteRT finds the hands: only heads aren't found there (docs/systems.md).
newest='import sys, venv, ensurepip; sys.exit(sys.version_info[:2] != (3, 13))'

# A CPython 3.10 to 3.12 that can make virtual environments: the system's, 3.11 first (pybullet's own build), or ours.
find_python() {
    local candidate
    for candidate in python3.11 python3.10 python3.12 python3 "$own"/cpython-3.11*/bin/python3.11; do
        if "$candidate" -c "$fitting" >/dev/null 2>&1; then
            command -v "$candidate"
            return
        fi
    done
    return 1
}

find_newest() {
    local candidate
    for candidate in python3.13 python3; do
        if "$candidate" -c "$newest" >/dev/null 2>&1; then
            command -v "$candidate"
            return
        fi
    done
    return 1
}

# find_python, or else one that is brought: by Debian's python3-venv, or by uv into the project's folder.
bring_python() {
    local uv advice
    find_python && return
    if ! find_uv >/dev/null && ! python3 -c 'import venv, ensurepip' >/dev/null 2>&1; then
        apt_install python3-venv || {
            say_python_missing
            return 2
        }
        find_python && return
    fi
    uv=$(find_uv || install_uv) || return
    say "There is no CPython 3.10 to 3.12 with pip and venv here: uv fetches 3.11 into $own ..."
    if UV_PYTHON_INSTALL_DIR=$own UV_PYTHON_INSTALL_BIN=0 "$uv" python install 3.11 >&2 && find_python; then
        return
    fi
    if find_newest; then
        say "uv could not fetch CPython 3.11 (see its words above), so 3.13 is taken:" \
            "hands are found there, by LiteRT, but to play with your head takes 3.11."
        return
    fi
    advice=$(python_command)
    if [ -n "$advice" ]; then
        say "uv could not fetch CPython 3.11 (see its words above). Please type:"
        say "    $advice"
        say "and start again."
    else
        say "uv could not fetch CPython 3.11 (see its words above), and this system has no package of it." \
            "Where a network blocks uv's address, start with a mirror of it:"
        say "    UV_PYTHON_INSTALL_MIRROR=ADDRESS $0"
    fi
    return 2
}

find_uv() {
    local candidate
    for candidate in uv "$own/uv/bin/uv"; do
        if "$candidate" --version >/dev/null 2>&1; then
            command -v "$candidate"
            return
        fi
    done
    return 1
}

# Any Python 3 installs uv, into an environment of its own.
install_uv() {
    if python3 -m venv "$own/uv" >&2 &&
        "$own/uv/bin/python" -m pip install --quiet --disable-pip-version-check uv >&2; then
        find_uv
        return
    fi
    say "uv could not be installed. Check the connection to the package index (see pip's words above) and start again."
    return 2
}

say_python_missing() {
    say "There is no Python with pip and venv here. Please type:"
    if command -v apt-get >/dev/null; then
        say "    $(as_root)apt-get update && $(as_root)apt-get install -y python3-venv"
        say "and start again."
    else
        say "    what installs uv, or Python 3.11 with pip and venv, on this system, and start again."
    fi
}

# The one command that brings a fitting Python on this system, as far as it has one.
python_command() {
    local version
    if command -v apt-get >/dev/null; then
        for version in 3.11 3.10; do
            if [ -n "$(apt-cache show "python$version-venv" 2>/dev/null)" ]; then
                printf '%s\n' "$(as_root)apt-get install -y python$version-venv"
                return
            fi
        done
        if grep -qs '^ID=ubuntu' "${ARMOON_OS_RELEASE:-/etc/os-release}"; then
            printf '%s\n' "$(as_root)add-apt-repository -y ppa:deadsnakes/ppa && $(as_root)apt-get install -y python3.11-venv"
        fi
    elif command -v dnf >/dev/null; then
        printf '%s\n' "$(as_root)dnf install -y python3.11"
    elif command -v zypper >/dev/null; then
        printf '%s\n' "$(as_root)zypper install -y python311"
    elif command -v brew >/dev/null; then
        printf '%s\n' "brew install python@3.11"
    fi
}

as_root() { [ "$(id -u)" = 0 ] || printf 'sudo '; }

# Installs Debian packages where that needs no question; 1 where it would.
apt_install() {
    local sudo=
    [ "$(id -u)" = 0 ] || sudo=sudo
    command -v apt-get >/dev/null && { [ -z "$sudo" ] || sudo -n true 2>/dev/null; } || return 1
    {
        $sudo apt-get update -qq &&
            $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -qq --no-install-recommends "$@"
    } >&2 </dev/null || return 1
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
    local missing
    [ "$(uname -s)" = Linux ] || return 0
    missing=$(missing_libraries "$1" | tr '\n' ' ')
    [ -n "$missing" ] || return 0
    say "The system lacks ${missing}- installing $system_packages"
    # shellcheck disable=SC2086  # a list of words
    apt_install $system_packages && [ -z "$(missing_libraries "$1")" ] && return 0
    say "They could not be installed from here. Please type, as root or with sudo:"
    say "    apt-get update && apt-get install -y $system_packages"
    say "(or what your system calls them) and start again."
    return 2
}

# The versions that were tested, for what pyproject.toml leaves open, with their files' hashes.
tested="$root/scripts/constraints.txt"

# The same without hashes, which pip takes only where everything has one, the checkout itself too.
versions_alone() { sed -E '/^ +--hash=/d; s/ \\$//' "$tested" >"$venv/versions.txt"; }

install_python_packages() {
    local project=$root${extras:+[$extras]}
    if "$python" -m pip install --quiet --disable-pip-version-check uv >&2 &&
        "$venv/bin/uv" pip install --quiet --python "$python" --overrides "$root/scripts/overrides.txt" \
            --constraints "$tested" --editable "$project" >&2; then
        return 0
    fi
    say "uv can't be used here, so pip installs everything (twice the size, some minutes, without comparing hashes)."
    versions_alone
    "$python" -m pip install --quiet --disable-pip-version-check --constraint "$venv/versions.txt" \
        --editable "$project" >&2 && return 0
    say "The Python packages could not be installed." \
        "Check the connection to the package index (see pip's words above) and start again."
    return 2
}

# Which systems the packages are made for; docs/systems.md has the table and the way for others.
check_system() {
    case "$(uname -s) $(uname -m)" in
        "Linux x86_64") ;;
        Linux*)
            say "The physics (pybullet) and the drawing (moderngl) have no package for Linux on $(uname -m):" \
                "armoon needs Linux on x86-64, Windows or a Mac (docs/systems.md)."
            return 2
            ;;
        "Darwin x86_64")
            say "On Intel Macs moderngl and sentencepiece are built from source, which takes a C++ compiler;" \
                "nobody has tried it (docs/systems.md)."
            ;;
    esac
}

# Macs call it otherwise.
checksum() { if command -v sha256sum >/dev/null; then sha256sum; else shasum -a 256; fi; }

set_up() {
    # What was installed for what: another state of these, another place or another Python means again.
    local stamp base
    stamp=$(cat "$root/pyproject.toml" "$root/scripts/setup.sh" "$root/scripts/overrides.txt" \
        "$tested" | checksum)
    stamp="${stamp%% *} $root"
    if [ -x "$python" ] && { [ "$(cat "$venv/set-up-$extras" 2>/dev/null)" = "$stamp" ] ||
        [ "$(cat "$venv/set-up-test,lint" 2>/dev/null)" = "$stamp" ]; }; then
        return 0
    fi
    say "Setting up in $venv, some minutes the first time ..."
    check_system || return
    base=$(bring_python) || return
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
