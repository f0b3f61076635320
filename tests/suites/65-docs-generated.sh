#!/bin/bash
# Pages that are made from tables are what the tables give.
cd "$(dirname "$0")/../.." || exit 1
. tests/suites/lib.sh
check "doc/ops.md is up to date" scripts/gen-ops-doc --check
check "doc/errors.md is up to date" scripts/gen-errors-doc --check
check "doc/mutations.md is up to date" scripts/gen-mutations-doc --check
close_suite
