#!/bin/bash
# Small programs with a race and without (tests/golden/races): under --check-races each race is named with both lines,
# and nothing else is.
cd "$(dirname "$0")/../.." || exit 1
exec /usr/bin/python3 tests/runner/golden.py --device interp --gridfence "${GF_BUILD:-build}/gridfence" "$@" tests/golden/races
