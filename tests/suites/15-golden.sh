#!/bin/bash
# The golden programs on the interpreter, by the build that ./x makes: what they hold of programs and plans, and every
# strategy.
cd "$(dirname "$0")/../.." || exit 1
exec /usr/bin/python3 tests/runner/golden.py --device interp --gridfence "${GF_BUILD:-build}/gridfence" "$@"
