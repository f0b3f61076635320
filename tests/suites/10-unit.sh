#!/bin/bash
# The unit and conformance programs; those of tests/faults have a suite of their own.
cd "$(dirname "$0")/../.." || exit 1
exec tests/runner/ctest.py "${GF_BUILD:-build}" -E "^faults_"
