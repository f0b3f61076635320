#!/usr/bin/env bash
# Random programs on the device that compiles for the CPU, against the interpreter: the same bytes by every strategy and
# by plans of several forms, each of which is compiled. DIFFERENTIAL_CPU_SECONDS says for how long (default 24), or
# DIFFERENTIAL_CPU_COUNT how many, DIFFERENTIAL_SEED from which seed.
set -u
cd "$(dirname "$0")/../.." || exit 1
limit=(--seconds "${DIFFERENTIAL_CPU_SECONDS:-24}")
[ -z "${DIFFERENTIAL_CPU_COUNT:-}" ] || limit=(--count "$DIFFERENTIAL_CPU_COUNT")
"${GF_BUILD:-build}/tests/differential" --device cpu --plain "${limit[@]}" --seed "${DIFFERENTIAL_SEED:-5000}" \
    --jobs "${JOBS:-2}"
