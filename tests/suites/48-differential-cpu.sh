#!/usr/bin/env bash
# Random programs on the device that compiles for the CPU, against the interpreter: the same bytes by every strategy and
# by plans of several forms, each of which is compiled. DIFFERENTIAL_CPU_COUNT says how many (default 30),
# DIFFERENTIAL_SEED from which seed.
set -u
cd "$(dirname "$0")/../.." || exit 1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
/usr/bin/python3 tests/differential/generate.py "${DIFFERENTIAL_SEED:-5000}" "${DIFFERENTIAL_CPU_COUNT:-30}" "$folder" || exit 1
# Two at a time: compiling keeps one core busy.
find "$folder" -name '*.gf' | sort -V | xargs -n 5 -P 2 "${GF_BUILD:-build}/tests/differential" --device cpu > "$folder/out" 2>&1
grep -v ' passed, ' "$folder/out"
awk -v groups="$(find "$folder" -name '*.gf' | sort -V | xargs -n 5 echo | wc -l)" '
    / passed, / { passed += $1; failed += $3; skipped += $5; lines++ }
    END {
        if (lines < groups) { print groups - lines " drivers died"; failed += groups - lines }
        printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped
        exit failed > 0
    }' "$folder/out"
