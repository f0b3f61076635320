#!/bin/bash
# Unit and golden tests again under AddressSanitizer (leaks too) and UndefinedBehaviorSanitizer.
cd "$(dirname "$0")/../.." || exit 1
. tests/suites/lib.sh
export ASAN_OPTIONS=detect_leaks=1:strict_string_checks=1:detect_stack_use_after_return=1
export UBSAN_OPTIONS=print_stacktrace=1
ASAN_SYMBOLIZER_PATH=$(command -v llvm-symbolizer-14) && export ASAN_SYMBOLIZER_PATH
if ! { cmake --preset asan && cmake --build build-asan -j "${JOBS:-2}"; } >build-asan.log 2>&1; then
    tail -n 60 build-asan.log
    rm -f build-asan.log
    failed=1
    close_suite
fi
rm -f build-asan.log
# Of what fails in turn, fewer; what is stopped by other threads is looked at by the other sanitizer.
export FAULTS_SPARSE=17 FAULTS_RUNS=300
count tests/runner/ctest.py build-asan -E ^faults_stopping
# Each program natively, by its plan and after fmt; those made to be long are left to the plain build.
if [ -x build-asan/gridfence ]; then
    golden=(/usr/bin/python3 tests/runner/golden.py --quick --bin build-asan/gridfence)
    count "${golden[@]}" programs tests/conform
    # Compiling takes the time, and compiled code is not watched: the rest on the interpreter alone.
    count "${golden[@]}" --device interp tests/golden/run
fi
close_suite
