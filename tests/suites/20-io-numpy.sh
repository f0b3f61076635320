#!/bin/bash
# Files against NumPy and SciPy, both ways, with the libraries of the build that ./x makes.
cd "$(dirname "$0")/../.." || exit 1
build=${GF_BUILD:-build}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# The layer needs nothing between itself and the base.
if ! ${CC:-gcc} -std=c17 -D_POSIX_C_SOURCE=200809L -Wall -Wextra -Isrc -Iinclude -o "$work/io_tool" \
    tests/unit/io/tools/io_tool.c "$build/libgf_io.a" "$build/libgf_base.a" -lxxhash -lm -pthread; then
    echo "0 passed, 1 failed, 0 skipped"
    exit 1
fi
/usr/bin/python3 tests/unit/io/numpy_check.py "$work/io_tool"
