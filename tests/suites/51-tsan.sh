#!/bin/bash
# Unit tests and the programs of the library again under ThreadSanitizer.
cd "$(dirname "$0")/../.." || exit 1
. tests/suites/lib.sh
export TSAN_OPTIONS=halt_on_error=1:second_deadlock_stack=1
# What has one thread only is no matter of it: memory that runs out, devices that fail, texts, checks, plans.
without='^faults_(memory|devices)|^unit_(text|ir|check|plan|io|interp|emit)_'
build() {
    cmake --preset tsan || return 1
    local tests
    tests=$(ctest --test-dir build-tsan -N -E "$without" | sed -n 's/^ *Test *#[0-9]*: //p')
    # shellcheck disable=SC2086
    cmake --build build-tsan -j "${JOBS:-2}" --target gridfence $tests
}
if ! build >build-tsan.log 2>&1; then
    tail -n 60 build-tsan.log
    rm -f build-tsan.log
    failed=1
    close_suite
fi
rm -f build-tsan.log
# Kernels that spread addresses widely are beyond this sanitizer unless the spread is off.
fixed=()
if setarch -R true 2>/dev/null; then
    fixed=(setarch -R)
fi
export FAULTS_ROUNDS=1 FAULTS_RUNS=300 FAULTS_NO_GPU=1
count "${fixed[@]}" tests/runner/ctest.py build-tsan -E "$without"
if [ -x build-tsan/gridfence ]; then
    count "${fixed[@]}" /usr/bin/python3 tests/runner/golden.py --quick --bin build-tsan/gridfence programs
fi
close_suite
