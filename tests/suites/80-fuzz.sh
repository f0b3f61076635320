#!/bin/bash
# Each fuzz target for FUZZ_SECONDS from its corpus, two at a time; or the targets named. Unless it is set, all of them
# together take a minute and a half.
cd "$(dirname "$0")/../.." || exit 1
. tests/suites/lib.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export TMPDIR=$work
ASAN_SYMBOLIZER_PATH=$(command -v llvm-symbolizer-14) && export ASAN_SYMBOLIZER_PATH

targets=$(find tests/fuzz -maxdepth 1 -name '*.c' ! -name standalone.c -exec basename {} .c \; | sed 's/^fuzz_//' | sort)
[ $# -eq 0 ] || targets=$(printf '%s\n' "$@")
if [ -z "$targets" ]; then
    echo "no fuzz targets"
    close_suite
fi
if ! { cmake --preset fuzz && cmake --build build-fuzz -j "${JOBS:-2}" --target fuzz_targets; } >build-fuzz.log 2>&1; then
    tail -n 60 build-fuzz.log
    rm -f build-fuzz.log
    failed=1
    close_suite
fi
rm -f build-fuzz.log

seconds=${FUZZ_SECONDS:-$((180 / $(echo "$targets" | wc -w)))}

# What it finds anew goes to a scratch folder; what makes it fail is kept in build-fuzz/.
# shellcheck disable=SC2317 # called by xargs
run_target() {
    mkdir -p "$2/$1" build-fuzz/failures
    # Paths are whole: a target may go to a folder of its own.
    local more=("$2/$1")
    [ -d "tests/fuzz/corpus/$1" ] && more+=("$PWD/tests/fuzz/corpus/$1")
    [ -f "tests/fuzz/$1.dict" ] && more+=("-dict=$PWD/tests/fuzz/$1.dict")
    build-fuzz/fuzz/fuzz_"$1" -max_total_time="$3" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
        -artifact_prefix="$PWD/build-fuzz/failures/$1-" "${more[@]}" >"$2/$1.log" 2>&1
    echo $? >"$2/$1.status"
}
export -f run_target
# shellcheck disable=SC2086
printf '%s\n' $targets | xargs -P 2 -I{} bash -c 'run_target "$@"' _ {} "$work" "$seconds"
for target in $targets; do
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$work/$target.log")
    if [ "$(cat "$work/$target.status" 2>/dev/null)" = 0 ] && [ "${runs:-0}" -gt 0 ]; then
        passed=$((passed + 1))
        echo "ok   $target: $runs runs in $seconds s"
    else
        failed=$((failed + 1))
        echo "FAIL $target"
        tail -n 60 "$work/$target.log"
    fi
done
close_suite
