#!/bin/bash
# The programs against NetworkX, SciPy and NumPy, on every device.
cd "$(dirname "$0")/../.." || exit 1
if ! missing=$(/usr/bin/python3 -c 'import networkx, scipy' 2>&1); then
    echo "skip ${missing##*$'\n'} (Debian: python3-networkx python3-scipy)"
    echo "0 passed, 0 failed, 1 skipped"
    exit 0
fi
exec /usr/bin/python3 tests/programs/check.py --bin "${GF_BUILD:-build}/gridfence"
