#!/bin/bash
# Recorded cases (tests/gpu): here on the interpreter by its plans, and on a GPU by every strategy where there is one.
# What carries them out must find what is wrong: differences, crashes, cases that hang.
cd "$(dirname "$0")/../.." || exit 1
. tests/suites/lib.sh
build=$(cd "${GF_BUILD:-build}" && pwd) || exit 1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cases=$build/tests/gridfence-cases
jobs=${JOBS:-2}
quick=--quick
has_gpu=$("$build/gridfence" devices --json 2>/dev/null | grep -c '"name": "cuda')
[ "$has_gpu" -gt 0 ] && quick=

record() {
    # shellcheck disable=SC2086
    /usr/bin/python3 tests/gpu/record.py --build "$build" --jobs "$jobs" $quick "$folder/carry"
}

# carry FILE OPTION...: in the folder of the cases
carry() {
    (cd "$folder/carry" && "$cases" "$@" --folder "$folder" 2>&1)
}

# expect TEXT COMMAND...: its output holds the text
expect() {
    local text=$1 found
    shift
    found=$("$@")
    grep -qF -- "$text" <<<"$found" || {
        tail -n 30 <<<"$found"
        return 1
    }
}

# Cases with a value that is not what was recorded: one for each kind of line.
plant() {
    (cd "$folder/carry" && awk '
        /^case / { take = 0 }
        /^case golden\/tests\/golden\/run\// { take = "outputs" }
        /^case programs\/scan into .npy$/ { take = "file" }
        /^case golden\/tests\/conform\/.*\.gf [^+]*$/ { take = "status" }
        take != 0 && $1 == "=" && $2 == take && !had[take]++ { sub(/[0-9]/, "x"); count++ }
        { print > "planted.txt" }
        END { exit count != 3 }' cases.txt)
}

# A case without an end, one that is killed, and one behind them that is fine.
bad_company() {
    cp tests/gpu/endless.gf "$folder/carry/"
    (cd "$folder/carry" && {
        printf 'case hangs\narg run\narg endless.gf\narg --out\narg x=-\n= status 0\n'
        printf 'case dies\narg run\narg endless.gf\ndies\n= status 0\n'
        awk '/^case / { n++ } n == 1' cases.txt
    } >bad.txt)
}

check "recording" record
for strategy in auto host resident; do
    count carry cases.txt --device interp --strategy "$strategy" --log "$folder/log"
done
check "a wrong line of each kind is planted" plant
check "each planted one is found" expect " 3 failed," carry planted.txt --device interp --strategy native
bad_company
for text in "hangs: it was killed after 1 s" "crashed: signal 9" "1 passed, 2 failed, 0 skipped"; do
    check "bad company: $text" expect "$text" carry bad.txt --device interp --case-seconds 1
done
check "a device that is not here is skipped by its name" expect "skip device nowhere: it is not here" \
    carry cases.txt --device nowhere
check "or a failure" expect "0 passed, 1 failed, 0 skipped" carry cases.txt --device nowhere --must
if [ "$has_gpu" -gt 0 ]; then
    for strategy in auto native persistent resident host; do
        count carry cases.txt --device cuda --strategy "$strategy" --must
    done
else
    echo "skip device cuda: it is not here"
    skipped=$((skipped + 1))
fi
close_suite
