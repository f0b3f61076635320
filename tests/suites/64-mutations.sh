#!/bin/bash
# Every mistake of tests/mutations still fits the file that it is to be made in; scripts/mutate makes them.
cd "$(dirname "$0")/../.." || exit 1
exec scripts/mutate --check
