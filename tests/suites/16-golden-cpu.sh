#!/bin/bash
# The golden programs on the device that compiles for the CPU: all as auto and as host, some by the other strategies and
# with 1, 2 and 4 threads.
cd "$(dirname "$0")/../.." || exit 1
exec /usr/bin/python3 tests/runner/golden.py --device cpu --gridfence "${GF_BUILD:-build}/gridfence" "$@"
