#!/bin/bash
# The golden programs on device `cuda`, whose kernels the fake driver of tests/fake_cuda carries out: natively, by the plan
# and checked. CUDA_FAKE_ALL=1: by every strategy, in every way. And on a GPU of 40 multiprocessors, what wants many
# workgroups at once, and on one of a single multiprocessor prefix sums of more tiles than blocks,
# and rows of more. By every strategy what kernels of a graph do otherwise. And by a driver that has no loops of graphs.
cd "$(dirname "$0")/../.." || exit 1
. tests/suites/lib.sh
build=${GF_BUILD:-build}
export GRIDFENCE_CUDA_LIBRARY=$PWD/$build/tests/fake_cuda/libcuda.so.1 FAKE_CUDA_RUN=1
[ "${build:0:1}" = / ] && GRIDFENCE_CUDA_LIBRARY=$build/tests/fake_cuda/libcuda.so.1
how=(--quick)
[ -n "${CUDA_FAKE_ALL:-}" ] && how=(--full)
golden=(/usr/bin/python3 tests/runner/golden.py --device cuda "${how[@]}" --gridfence "$build/gridfence")
count "${golden[@]}" "$@"
count env FAKE_CUDA_SMS=40 "${golden[@]}" tests/golden/run/barrier_many_groups.gf
count env FAKE_CUDA_SMS=1 "${golden[@]}" --full tests/golden/run/scan_few_blocks.gf tests/golden/run/packs_rows.gf
count "${golden[@]}" --full tests/golden/run/reduce_many_blocks.gf tests/golden/run/turns_known.gf \
    tests/golden/run/scan_in_graph.gf tests/golden/run/joined_segments.gf \
    tests/golden/run/wrong_*.gf tests/golden/run/checked_in_stretch.gf
old=${GRIDFENCE_CUDA_LIBRARY%/fake_cuda/*}/old_cuda/libcuda_old.so
count env LD_LIBRARY_PATH="${GRIDFENCE_CUDA_LIBRARY%/*}" GRIDFENCE_CUDA_LIBRARY="$old" "${golden[@]}" --full \
    tests/golden/run/steps.gf tests/golden/run/steps_passes.gf tests/golden/run/wrong_in_steps.gf \
    tests/conform/loops_without_end.gf
close_suite
