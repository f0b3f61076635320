#!/bin/bash
# What goes wrong around a run, in turn: memory, devices, disks, caches, signals (tests/faults/).
cd "$(dirname "$0")/../.." || exit 1
. tests/suites/lib.sh
count tests/runner/ctest.py "${GF_BUILD:-build}" -R '^faults_'
close_suite
