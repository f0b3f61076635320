#!/usr/bin/env bash
# Random programs on the device that compiles for the CPU, against the interpreter: the same bytes by every strategy and
# by plans of several forms. DIFFERENTIAL_CPU_COUNT says how many (default 100), DIFFERENTIAL_SEED from which seed.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/suites/lib.sh
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
/usr/bin/python3 tests/differential/generate.py "${DIFFERENTIAL_SEED:-5000}" "${DIFFERENTIAL_CPU_COUNT:-100}" "$folder" || exit 1
mapfile -t programs < <(find "$folder" -name '*.gf' | sort -V)
count "${GF_BUILD:-build}/tests/differential" --device cpu "${programs[@]}"
close_suite
