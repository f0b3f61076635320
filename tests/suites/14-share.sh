#!/bin/bash
# Value numbering keeps what programs mean: the golden programs as src/plan/share.c leaves them, on the interpreter.
# A program that asks for checked runs in its own lines is left out: what is computed once is checked once, elsewhere.
cd "$(dirname "$0")/../.." || exit 1
build=${GF_BUILD:-build}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for file in tests/golden/run/*.gf tests/conform/*.gf programs/*.gf; do
    grep -q '^//! .*--checked' "$file" && continue
    "$build/tests/unit_plan_share" --print "$file" >"$folder/$(basename "$file")" 2>/dev/null ||
        rm -f "$folder/$(basename "$file")" # one that is wrong on purpose
done
exec /usr/bin/python3 tests/runner/golden.py --device interp --quick --gridfence "$build/gridfence" "$@" "$folder"
