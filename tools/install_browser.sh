#!/bin/sh
# Install Debian's chromium for the tests of pages, where that is possible: by root, with
# apt-get, and with packages within reach. Where it is not, this says so and the tests
# that need a browser are skipped; it is never an error. INSTALL=no leaves the machine
# alone.
set -u

if command -v chromium >/dev/null 2>&1 || command -v chromium-browser >/dev/null 2>&1; then
    exit 0
fi

skip() {
    echo "   no browser: $1; tests of pages are skipped"
    exit 0
}

[ "${INSTALL:-yes}" = no ] && skip "nothing is to be installed (INSTALL=no)"
[ "$(id -u)" = 0 ] || skip "apt-get needs root (apt-get install chromium)"
command -v apt-get >/dev/null 2>&1 || skip "there is no apt-get here"

echo "== installing chromium for the tests of pages"
export DEBIAN_FRONTEND=noninteractive
install() {
    timeout 600 apt-get install -qq -y --no-install-recommends chromium \
        -o Acquire::Retries=1 >/dev/null 2>&1
}
# The lists of packages may be old or absent: then once more, with new ones.
install || { timeout 300 apt-get update -qq >/dev/null 2>&1 && install; } ||
    skip "apt-get could not install chromium"
