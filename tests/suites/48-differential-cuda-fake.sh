#!/usr/bin/env bash
# Random programs on device `cuda`, whose kernels the fake driver carries out, against the interpreter. Programs run one
# after the other in a process, so that each finds memory that others have written. DIFFERENTIAL_CUDA_SECONDS says for how
# long (default 30), DIFFERENTIAL_SEED from which seed.
set -u
cd "$(dirname "$0")/../.." || exit 1
build=${GF_BUILD:-build}
export GRIDFENCE_CUDA_LIBRARY=$PWD/$build/tests/fake_cuda/libcuda.so.1 FAKE_CUDA_RUN=1
[ "${build:0:1}" = / ] && GRIDFENCE_CUDA_LIBRARY=$build/tests/fake_cuda/libcuda.so.1
"$build/tests/differential" --device cuda --plain --seconds "${DIFFERENTIAL_CUDA_SECONDS:-30}" \
    --seed "${DIFFERENTIAL_SEED:-4000}" --jobs "${JOBS:-2}"
