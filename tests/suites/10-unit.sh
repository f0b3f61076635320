#!/bin/bash
# The unit and conformance programs of the build that ./x makes; those of tests/faults have a suite of their own.
cd "$(dirname "$0")/../.." || exit 1
exec tests/runner/ctest.py build -E "^faults_"
