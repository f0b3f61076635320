#!/bin/bash
# Programs as PTX text (tests/golden/ptx), and all programs through ptxas where there is one. --update rewrites what is
# expected; PTX_ALL=1 takes every golden program to the assembler, not those of programs/ alone.
cd "$(dirname "$0")/../.." || exit 1
test=${GF_BUILD:-build}/tests/unit_emit_ptx_text
ptxas=$(command -v ptxas || ls /usr/local/cuda/bin/ptxas /usr/lib/nvidia-cuda-toolkit/bin/ptxas 2>/dev/null | head -n 1)
if [ -z "$ptxas" ]; then
    echo "skip ptxas: not installed (CUDA toolkit); the texts are compared alone"
    exec "$test" "$@"
fi
folders=(programs)
[ -n "${PTX_ALL:-}" ] && folders+=(tests/golden/run tests/conform)
exec "$test" "$@" --assemble "$ptxas" "${folders[@]}"
