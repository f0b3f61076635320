#!/usr/bin/env bash
# Programs that once showed a difference, then random ones, each run as it stands and by its plan in several forms: the
# same bytes everywhere; those that depend on order or race are named. DIFFERENTIAL_SECONDS says for how long at most
# (default 45, and 20000 programs), or DIFFERENTIAL_COUNT how many, DIFFERENTIAL_SEED from which seed.
set -u
cd "$(dirname "$0")/../.." || exit 1
limit=(--seconds "${DIFFERENTIAL_SECONDS:-45}")
[ -n "${DIFFERENTIAL_SECONDS:-}" ] || limit+=(--count 20000)
[ -z "${DIFFERENTIAL_COUNT:-}" ] || limit=(--count "$DIFFERENTIAL_COUNT")
tool=${GF_BUILD:-build}/tests/differential
{
    "$tool" tests/fuzz/found/*.gf
    "$tool" "${limit[@]}" --seed "${DIFFERENTIAL_SEED:-1}" --jobs "${JOBS:-2}"
} | awk '
    / passed, .* skipped$/ { passed += $1; failed += $3; parts++; next }
    { print }
    END {
        if (parts < 2) { print "the driver died"; failed++ }
        printf "%d passed, %d failed, 0 skipped\n", passed, failed
        exit failed > 0
    }'
