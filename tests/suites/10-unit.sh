#!/bin/bash
# The unit and conformance programs of the build that ./x makes.
cd "$(dirname "$0")/../.." || exit 1
exec tests/runner/ctest.py build
