#!/bin/bash
# Programs that are large in one way each are refused, planned or run within limits of time and memory.
cd "$(dirname "$0")/../.." || exit 1
. tests/suites/lib.sh
count python3 tests/limits/run.py
close_suite
