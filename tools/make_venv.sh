#!/bin/sh
# Make the virtual environment named by the first argument, or say in words what the
# machine lacks. PYTHON names the interpreter to use; CC names the compiler.
set -eu

venv=$1

stop() {
    printf 'dissensus cannot be set up: %s\n' "$1" >&2
    shift
    for line in "$@"; do printf '  %s\n' "$line" >&2; done
    exit 1
}

new_enough() {
    "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null
}

find_python() {
    for name in ${PYTHON:-python3 python3.14 python3.13 python3.12 python3.11 python}; do
        if command -v "$name" >/dev/null 2>&1 && new_enough "$name"; then
            echo "$name"
            return
        fi
    done
}

find_compiler() {
    for name in ${CC:-cc gcc clang}; do
        if command -v "$name" >/dev/null 2>&1; then
            echo "$name"
            return
        fi
    done
}

python=$(find_python)
if [ -z "$python" ]; then
    stop "no Python 3.11 or later was found${PYTHON:+ (PYTHON is '$PYTHON')}." \
        "Debian 12, Ubuntu 24.04 or later:  sudo apt install python3 python3-venv" \
        "Fedora:                            sudo dnf install python3" \
        "macOS:                             brew install python" \
        "Or name one:                       make PYTHON=/path/to/python3.12 ..."
fi

if ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
    stop "$python cannot make virtual environments." \
        "Debian, Ubuntu:  sudo apt install python3-venv"
fi

if [ -z "$(find_compiler)" ]; then
    stop "no C compiler was found${CC:+ (CC is '$CC')}." \
        "Debian, Ubuntu:  sudo apt install gcc python3-dev" \
        "Fedora:          sudo dnf install gcc python3-devel" \
        "macOS:           xcode-select --install" \
        "Or name one:     make CC=/path/to/compiler ..."
fi

header=$("$python" -c \
    'import sysconfig; print(sysconfig.get_path("include") + "/Python.h")')
if [ ! -e "$header" ]; then
    stop "the header files of $python are missing ($header)." \
        "Debian, Ubuntu:  sudo apt install python3-dev" \
        "Fedora:          sudo dnf install python3-devel"
fi

if [ ! -x "$venv/bin/python" ]; then
    echo "== making the environment $venv with $("$python" --version)"
    "$python" -m venv "$venv"
fi
