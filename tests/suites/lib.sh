# Sourced by the suites: counting.
# shellcheck shell=bash
passed=0 failed=0 skipped=0

# check NAME COMMAND...: one case; its output is shown if it fails.
check() {
    local name=$1 out
    shift
    if out=$("$@" 2>&1); then
        passed=$((passed + 1))
        echo "ok   $name"
    else
        failed=$((failed + 1))
        echo "FAIL $name"
        printf '%s\n' "$out" | tail -n 1000
    fi
}

# count COMMAND...: runs something that ends with a closing line of its own, and takes its counts.
count() {
    local log status closing
    log=$(mktemp)
    "$@" 2>&1 | tee "$log" | grep -vE '^[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$'
    status=${PIPESTATUS[0]}
    closing=$(tail -n 1 "$log")
    rm -f "$log"
    if [[ $closing =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed,\ ([0-9]+)\ skipped$ ]]; then
        passed=$((passed + BASH_REMATCH[1]))
        failed=$((failed + BASH_REMATCH[2]))
        skipped=$((skipped + BASH_REMATCH[3]))
        if [ "$status" -ne 0 ] && [ "${BASH_REMATCH[2]}" -eq 0 ]; then
            failed=$((failed + 1))
        fi
    else
        failed=$((failed + 1))
        echo "FAIL $*: ended without its closing line, status $status"
    fi
}

close_suite() {
    echo "$passed passed, $failed failed, $skipped skipped"
    [ "$failed" -eq 0 ]
    exit
}
