#!/bin/bash
# What goes wrong around a run, in turn: memory, devices, disks, caches, signals (tests/faults/).
cd "$(dirname "$0")/../.." || exit 1
. tests/suites/lib.sh
build=${GF_BUILD:-build}
count tests/runner/ctest.py "$build" -R '^faults_'
for file in files cache signals; do
    count /usr/bin/python3 "tests/faults/$file.py" --bin "$build/gridfence"
done
close_suite
