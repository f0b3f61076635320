#!/bin/sh
# Everything that there is to run on a machine with a GPU. This file lies in a folder made by scripts/gpu-test, which
# needs nothing here but a shell, libc and the driver.
#
#     run.sh OUT [STEP...]
#
# Leaves a log for each step in OUT, and OUT/summary.txt, which is printed too: a line for each step, failures first.
# Without steps all of them are run, in this order:
#
#     ptx-ops        single operations, if ptx-ops-test is in the folder
#     memory         memory and transfers, if cuda-memory-test is in the folder
#     devices        what `gridfence devices` says
#     auto native persistent resident host    all cases by that strategy
#     together       two processes at once on one device, with many grid barriers
#     random         random programs against the interpreter, by plans of many forms
#     memcheck racecheck synccheck    a few cases under compute-sanitizer, if that is here
#     explain        measure.sh: what strategy auto takes of each program and why, beside the times of all
#     bench          if bench/gpu/run is in the folder
#
# From the environment: DEVICE (cuda), SHARDS: processes at once for the cases of one strategy (4), STEP_SECONDS: the
# limit for a step (400), CASE_SECONDS: for a case (20), ONLY: a text that the names of cases hold, SANITIZED: which
# cases the sanitizers see, TOGETHER_SECONDS (10), BENCH_SECONDS (480).
set -u
[ $# -ge 1 ] || {
    sed -n '2,24s/^# \{0,1\}//p' "$0"
    exit 2
}
mkdir -p "$1" || exit 2
out=$(cd "$1" && pwd)
shift
cd "$(dirname "$0")" || exit 2
device=${DEVICE:-cuda}
shards=${SHARDS:-4}
step_seconds=${STEP_SECONDS:-400}
case_seconds=${CASE_SECONDS:-20}
sanitized=${SANITIZED:-"golden/tests/golden/run golden/programs together/64"}
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
steps=${*:-"ptx-ops memory devices auto native persistent resident host together random memcheck racecheck synccheck explain bench"}

# limited SECONDS COMMAND...: status 124 where it took longer
limited() {
    if command -v timeout >/dev/null 2>&1; then
        timeout -k 10 "$@"
    else
        shift
        "$@"
    fi
}

clock() {
    date +%s
}

# The closing lines `N passed, N failed, N skipped` of these logs, added up.
add_up() {
    awk '/^[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$/ { p += $1; f += $3; s += $5; n++ }
        END { if (n > 0) printf "%d passed, %d failed, %d skipped\n", p, f, s }' "$@"
}

# What fails, by kind: numbers left out, the most frequent first, with the first case of each. A kind is the first
# message, or where there is none the first difference.
kinds() {
    awk 'function plain(text) {
            gsub(/0x[0-9a-f]+/, "N", text)
            gsub(/[0-9]+/, "N", text)
            sub(/^[^ ]*:N:N: /, "", text)
            return substr(text, 1, 150)
        }
        /^FAIL / { name = $0; sub(/^FAIL [^:]*: /, "", name); kind = ""; pair = ""; next }
        name == "" { next }
        /^  repeat: / {
            kind = kind != "" ? kind : pair
            if (count[kind]++ == 0) first[kind] = name
            name = ""
            next
        }
        /^expected |^found  / { if (lines[name]++ < 2) pair = pair substr(plain($0), 1, 60) "; "; next }
        /^it ran as / { next }
        kind == "" { kind = plain($0) }
        END { for (kind in count) printf "%6d x %s   (first: %s)\n", count[kind], kind, first[kind] }' "$@" |
        sort -rn | head -n 25
}

# cases LOG PROCESSES OPTION...: cases in several processes at once, a part each; each is started by $prefix
prefix=
cases() {
    into=$1 n=$2 i=0 pids=''
    : >"$work/refused"
    shift 2
    while [ "$i" -lt "$n" ]; do
        mkdir -p "$work/$i"
        # shellcheck disable=SC2086
        limited $((step_seconds + 30)) $prefix ./gridfence-cases cases.txt --device "$device" --must --shard "$i/$n" \
            --folder "$work/$i" --case-seconds "$case_seconds" --limit-seconds "$step_seconds" --log "$work/$i.cases" \
            ${ONLY:+--only "$ONLY"} "$@" >"$work/$i.log" 2>&1 &
        pids="$pids $!"
        i=$((i + 1))
    done
    status=0 i=0
    for pid in $pids; do
        wait "$pid" || status=$?
        cat "$work/$i.log" >>"$into"
        sort -k 2 -rn "$work/$i.cases" 2>/dev/null | head -n 5 >>"$work/slow"
        sed -n 's/^skip *[0-9.]* [a-z]*: \(.*\) (too large a grid, or no such strategy)$/\1/p' "$work/$i.cases" >>"$work/refused"
        rm -f "$work/$i.cases"
        i=$((i + 1))
    done
    {
        echo "the slowest:"
        sort -k 2 -rn "$work/slow" 2>/dev/null | head -n 5
        echo "failures by kind:"
        kinds "$into"
    } >>"$work/end"
    total=$(add_up "$into")
    { cat "$work/end"; [ -z "$total" ] || echo "$total"; } >>"$into"
    rm -f "$work/slow" "$work/end"
    return "$status"
}

find_sanitizer() {
    for place in $(command -v compute-sanitizer 2>/dev/null) /usr/local/cuda/bin/compute-sanitizer; do
        [ -x "$place" ] && echo "$place" && return 0
    done
    return 1
}

# What the sanitizers say of kernels in loops of graphs is not always to be trusted (seen with driver 580,
# compute-sanitizer 2025.3): of a kernel with a plain bar.sync in such a loop synccheck says that its threads diverge, some
# plans by steps end by an illegal address under each of the tools and under none without, and racecheck ends by SIGSEGV.
# So as much as can be goes by the driver as an older one, which has no such loops, and the rest by the driver as it is.
sanitize() {
    tool=$1 all=$2 only='' sanitized_status=0
    sanitizer=$(find_sanitizer) || {
        echo "skip $tool: no compute-sanitizer here" >"$all"
        return 77
    }
    for word in $sanitized; do
        only="$only --only $word"
    done
    : >"$work/sums"
    # shellcheck disable=SC2086
    sanitize_cases $only --strategy native --strategy persistent
    GRIDFENCE_CUDA_LIBRARY=$PWD/libcuda_old.so
    export GRIDFENCE_CUDA_LIBRARY
    # shellcheck disable=SC2086
    sanitize_cases $only --strategy resident
    unset GRIDFENCE_CUDA_LIBRARY
    set --
    while IFS= read -r name; do
        set -- "$@" --only "$name"
    done <"$work/refused"
    [ $# -eq 0 ] || [ "$tool" = racecheck ] || sanitize_cases "$@" --strategy resident
    grep 'ERROR SUMMARY' "$all"
    add_up "$work/sums" >>"$all"
    return "$sanitized_status"
}

# By these options; into $all.
sanitize_cases() {
    prefix="$sanitizer --tool $tool --error-exitcode 9"
    : >"$work/part"
    cases "$work/part" "$shards" --in-process --skip +kept "$@" || sanitized_status=$?
    prefix=
    sed 's/^\([0-9]* passed, [0-9]* failed, [0-9]* skipped\)$/together: \1/' "$work/part" >>"$all"
    tail -n 1 "$work/part" >>"$work/sums"
}

# Each says with its status whether it is fine; 77: there is nothing to run.
run_step() {
    step=$1 log=$2
    case $step in
    ptx-ops)
        [ -x ./ptx-ops-test ] || return 77
        limited "$step_seconds" ./ptx-ops-test >"$log" 2>&1
        ;;
    memory)
        [ -x ./cuda-memory-test ] || return 77
        limited "$step_seconds" ./cuda-memory-test >"$log" 2>&1
        ;;
    devices)
        limited 60 ./gridfence devices >"$log" 2>&1 && limited 60 ./gridfence devices --json >>"$log" 2>&1 &&
            grep -q "\"name\": \"$device" "$log"
        ;;
    auto | native | persistent | resident | host)
        cases "$log" "$shards" --strategy "$step"
        ;;
    together)
        # Not shards: each process does the same.
        pids=''
        for i in 1 2; do
            limited "$step_seconds" ./gridfence-cases cases.txt --device "$device" --must --only together/ --strategy \
                native --strategy persistent --folder "$work" --case-seconds "$case_seconds" --loop \
                "${TOGETHER_SECONDS:-10}" >"$work/together.$i" 2>&1 &
            pids="$pids $!"
        done
        status=0
        for pid in $pids; do
            wait "$pid" || status=$?
        done
        cat "$work/together.1" "$work/together.2" >"$log"
        add_up "$log" >"$work/sum" && cat "$work/sum" >>"$log"
        return "$status"
        ;;
    random)
        [ -x ./differential ] || return 77
        status=0
        for file in random/*.gf; do
            echo "$file"
        done | limited "$step_seconds" xargs -n 10 -P "$shards" ./differential --device "$device" >"$log" 2>&1 || status=$?
        add_up "$log" >"$work/sum" && cat "$work/sum" >>"$log"
        return "$status"
        ;;
    explain)
        limited "$step_seconds" ./measure.sh "$out" ./gridfence ./programs >"$log" 2>&1
        ;;
    memcheck | racecheck | synccheck)
        sanitize "$step" "$log"
        ;;
    bench)
        [ -x bench/gpu/run ] || return 77
        limited "${BENCH_SECONDS:-480}" bench/gpu/run "$out/bench" >"$log" 2>&1
        ;;
    *)
        echo "there is no step $step" >"$log"
        return 2
        ;;
    esac
}

: >"$work/bad"
: >"$work/good"
for step in $steps; do
    log=$out/$step.log
    : >"$log"
    begin=$(clock)
    run_step "$step" "$log"
    status=$?
    took=$(($(clock) - begin))
    said=$(add_up "$log" | tail -n 1)
    said=$(tail -n 1 "$log" | grep -E '^[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$' || echo "$said")
    case $status in
    0) line=$(printf 'ok   %-11s %4d s  %s' "$step" "$took" "$said") ;;
    77) line=$(printf 'skip %-11s %4d s  not here' "$step" "$took") ;;
    124) line=$(printf 'FAIL %-11s %4d s  took too long; %s' "$step" "$took" "$said") ;;
    *) line=$(printf 'FAIL %-11s %4d s  status %d; %s' "$step" "$took" "$status" "$said") ;;
    esac
    echo "$line"
    case $status in
    0 | 77) echo "$line" >>"$work/good" ;;
    *)
        echo "$line" >>"$work/bad"
        tail -n 40 "$log" | cut -c 1-300 | sed 's/^/    /'
        ;;
    esac
done
{
    echo "== summary"
    cat "$work/bad" "$work/good"
} | tee "$out/summary.txt"
[ ! -s "$work/bad" ]
