#!/usr/bin/env bash
# Random programs, each run as it stands and by its plan in several forms: the same bytes everywhere; those that depend
# on order or race are named. DIFFERENTIAL_SECONDS says for how long (default 75), DIFFERENTIAL_SEED from which seed.
set -u
cd "$(dirname "$0")/../.." || exit 1
"${GF_BUILD:-build}/tests/differential" --seconds "${DIFFERENTIAL_SECONDS:-75}" --seed "${DIFFERENTIAL_SEED:-1}" \
    --jobs "${JOBS:-2}"
