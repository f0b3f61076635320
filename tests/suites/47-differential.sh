#!/usr/bin/env bash
# Random programs, each run as it stands and by its plan in several forms: the same bytes everywhere; those that depend
# on order or race are named. DIFFERENTIAL_SECONDS says for how long (default 75), or DIFFERENTIAL_COUNT how many,
# DIFFERENTIAL_SEED from which seed.
set -u
cd "$(dirname "$0")/../.." || exit 1
limit=(--seconds "${DIFFERENTIAL_SECONDS:-75}")
[ -z "${DIFFERENTIAL_COUNT:-}" ] || limit=(--count "$DIFFERENTIAL_COUNT")
"${GF_BUILD:-build}/tests/differential" "${limit[@]}" --seed "${DIFFERENTIAL_SEED:-1}" --jobs "${JOBS:-2}"
