#!/bin/bash
# Programs that are large in one way each are refused, planned or run within limits of time and memory; those that go on
# for ever end by their time limit.
cd "$(dirname "$0")/../.." || exit 1
. tests/suites/lib.sh
count python3 tests/limits/run.py --size 200000
count python3 tests/limits/timeout.py
close_suite
