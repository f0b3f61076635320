#!/usr/bin/env bash
# Random programs on the device that compiles for the CPU, against the interpreter: the same bytes by every strategy and
# by plans of several forms, each of which is compiled. DIFFERENTIAL_CPU_SECONDS says for how long (default 24),
# DIFFERENTIAL_SEED from which seed.
set -u
cd "$(dirname "$0")/../.." || exit 1
"${GF_BUILD:-build}/tests/differential" --device cpu --plain --seconds "${DIFFERENTIAL_CPU_SECONDS:-24}" \
    --seed "${DIFFERENTIAL_SEED:-5000}" --jobs "${JOBS:-2}"
