#!/usr/bin/env bash
# Random programs on the device that compiles for the CPU, against the interpreter: the same bytes by every strategy and
# by plans of several forms, each of which is compiled. DIFFERENTIAL_CPU_COUNT says how many (default 30),
# DIFFERENTIAL_SEED from which seed.
set -u
cd "$(dirname "$0")/../.." || exit 1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
count=${DIFFERENTIAL_CPU_COUNT:-30}
seed=${DIFFERENTIAL_SEED:-5000}
/usr/bin/python3 tests/differential/generate.py "$seed" "$count" "$folder/grid" || exit 1
# The same shapes one level down, in one workgroup.
/usr/bin/python3 tests/differential/generate.py "$seed" $((count / 3)) "$folder/group" --one-group || exit 1
# Two at a time: compiling keeps one core busy.
run() {
    find "$folder/$1" -name '*.gf' | sort -V | xargs -n 5 -P 2 "${GF_BUILD:-build}/tests/differential" --device cpu "${@:2}"
}
{ run grid; run group --one-group; } > "$folder/out" 2>&1
grep -v ' passed, ' "$folder/out"
awk -v groups=$(((count + 4) / 5 + (count / 3 + 4) / 5)) '
    / passed, / { passed += $1; failed += $3; skipped += $5; lines++ }
    END {
        if (lines < groups) { print groups - lines " drivers died"; failed += groups - lines }
        printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped
        exit failed > 0
    }' "$folder/out"
