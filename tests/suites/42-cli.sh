#!/bin/bash
# The command line from outside: options, formats, exit statuses.
cd "$(dirname "$0")/../.." || exit 1
exec /usr/bin/python3 tests/cli/cli.py --bin "${GF_BUILD:-build}/gridfence" "$@"
