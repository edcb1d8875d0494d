# Sourced by the other scripts: sets the program up if necessary, and stores its interpreter in $python. The caller may set
# `extras` to the extras of pyproject.toml that it needs.
#
# If ARMOON_PYTHON names an interpreter with all packages, nothing is set up.
# shellcheck shell=bash

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
venv=$root/.venv
python=$venv/bin/python
extras=${extras:-}

say() { printf 'armoon: %s\n' "$*" >&2; }

# System libraries that the Python packages open, and the Debian packages that contain them. libgl1 also installs Mesa, and
# libfontconfig1 a font.
system_libraries="libGL.so.1 libEGL.so.1 libglib-2.0.so.0 libgthread-2.0.so.0 libfreetype.so.6 libfontconfig.so.1"
system_packages="libgl1 libegl1 libglib2.0-0 libfreetype6 libfontconfig1"

# Folder inside the project for CPython fetched by uv, and for uv itself if it isn't on PATH.
own=$root/.venv-python

# Prints the first of these CPython versions (3.N), from the system or from $own, that can make virtual environments.
find_python() { # N...
    local minor candidate
    for minor in "$@"; do
        for candidate in "python3.$minor" python3 "$own"/cpython-3."$minor"*/bin/python3."$minor"; do
            if "$candidate" -c "import sys, venv, ensurepip; sys.exit(sys.version_info[:2] != (3, $minor))" >/dev/null 2>&1; then
                command -v "$candidate"
                return
            fi
        done
    done
    return 1
}

# Prints CPython 3.11 (for which pybullet has wheels), 3.10 or 3.12; otherwise 3.11 fetched by uv, or else 3.13.
find_or_fetch_python() {
    local uv
    find_python 11 10 12 && return
    if ! find_uv >/dev/null && ! python3 -c 'import venv, ensurepip' >/dev/null 2>&1; then
        apt_install python3-venv || {
            say "There is no Python with pip and venv here. Install Python 3.11 with pip and venv, or uv" \
                "(on Debian: apt-get update && apt-get install -y python3-venv), and start again."
            return 2
        }
        find_python 11 10 12 && return
    fi
    uv=$(find_uv || install_uv) || return
    say "There is no CPython 3.10 to 3.12 with pip and venv here: uv will fetch 3.11 into $own ..."
    UV_PYTHON_INSTALL_DIR=$own UV_PYTHON_INSTALL_BIN=0 "$uv" python install 3.11 >&2 && find_python 11 && return
    if find_python 13; then
        say "uv could not fetch CPython 3.11 (see its messages above), so 3.13 is used:" \
            "LiteRT tracks hands there, but playing with your head needs 3.11."
        return
    fi
    say "uv could not fetch CPython 3.11 (see its messages above). Install it with venv from your system's packages," \
        "or name a mirror for uv's downloads: UV_PYTHON_INSTALL_MIRROR=ADDRESS $0"
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

# Stores uv's path in $uv.
need_uv() {
    uv=$(find_uv || command -v "$(dirname "$python")/uv") && return
    say "uv is not installed: type scripts/play once, which installs it."
    exit 2
}

# Installs uv with any Python 3, in a separate environment.
install_uv() {
    if python3 -m venv "$own/uv" >&2 &&
        "$own/uv/bin/python" -m pip install --quiet --disable-pip-version-check uv >&2; then
        find_uv
        return
    fi
    say "uv could not be installed. Check the connection to the package index (see pip's messages above) and start again."
    return 2
}

# Installs Debian packages; returns 1 if it can't, for instance because sudo would ask for a password.
apt_install() {
    local sudo=
    [ "$(id -u)" = 0 ] || sudo=sudo
    command -v apt-get >/dev/null && { [ -z "$sudo" ] || sudo -n true 2>/dev/null; } || return 1
    {
        { [ -n "${apt_updated:-}" ] || $sudo apt-get update -qq; } && apt_updated=1 &&
            $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -qq --no-install-recommends "$@"
    } >&2 </dev/null || return 1
}

missing_libraries() {
    # shellcheck disable=SC2086  # several words
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
    # shellcheck disable=SC2086  # several words
    apt_install $system_packages && [ -z "$(missing_libraries "$1")" ] && return 0
    say "They could not be installed from here. Please type, as root or with sudo:"
    say "    apt-get update && apt-get install -y $system_packages"
    say "(or the packages with the same libraries on your system) and start again."
    return 2
}

install_python_packages() {
    "$python" -m pip install --quiet --disable-pip-version-check uv >&2 &&
        "$venv/bin/uv" pip install --quiet --python "$python" --overrides "$root/scripts/overrides.txt" \
            --constraints "$root/scripts/constraints.txt" --editable "$root${extras:+[$extras]}" >&2 && return
    say "The Python packages could not be installed." \
        "Check the connection to the package index (see the messages above) and start again."
    return 2
}

# Refuses systems for which packages are missing; docs/systems.md lists the systems.
check_system() {
    case "$(uname -s) $(uname -m)" in
        "Linux x86_64") ;;
        Linux*)
            say "The physics (pybullet) and the drawing (moderngl) have no package for Linux on $(uname -m):" \
                "armoon needs Linux on x86-64, Windows or a Mac (docs/systems.md)."
            return 2
            ;;
        "Darwin x86_64")
            say "On Intel Macs moderngl and sentencepiece are built from source, which needs a C++ compiler;" \
                "nobody has tried it (docs/systems.md)."
            ;;
    esac
}

# macOS has no sha256sum.
checksum() { if command -v sha256sum >/dev/null; then sha256sum; else shasum -a 256; fi; }

set_up() {
    # Install again if these files or the folder change, or if the installation's Python is missing.
    local stamp base
    stamp=$(cat "$root/pyproject.toml" "$root"/scripts/{setup.sh,overrides.txt,constraints.txt} | checksum)
    stamp="${stamp%% *} $root"
    if [ -x "$python" ] && { [ "$(cat "$venv/set-up-$extras" 2>/dev/null)" = "$stamp" ] ||
        [ "$(cat "$venv/set-up-test,lint" 2>/dev/null)" = "$stamp" ]; }; then
        return 0
    fi
    say "Setting up in $venv, which takes some minutes the first time ..."
    check_system || return
    base=$(find_or_fetch_python) || return
    install_system_packages "$base" || return
    # Remove the environment of a removed or updated Python.
    "$python" -c '' 2>/dev/null || { rm -rf "$venv" && "$base" -m venv "$venv" >&2; } || return 2
    install_python_packages || return
    printf '%s\n' "$stamp" >"$venv/set-up-$extras"
}

if [ -n "${ARMOON_PYTHON:-}" ]; then
    python=$ARMOON_PYTHON
else
    set_up || exit
fi
