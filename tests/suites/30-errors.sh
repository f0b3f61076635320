#!/bin/bash
# Messages for wrong programs, byte for byte (tests/golden/errors). --update rewrites what is expected.
cd "$(dirname "$0")/../.." || exit 1
exec "${GF_BUILD:-build}/tests/unit_check_errors" "$@"
