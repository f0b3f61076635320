#!/bin/bash
# The C programs and console sessions in README.md and doc/*.md do what the documents say.
cd "$(dirname "$0")/../.." || exit 1
exec /usr/bin/python3 tests/runner/doc_code.py --build "${GF_BUILD:-build}"
