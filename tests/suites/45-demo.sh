#!/bin/bash
# The demo, with each of its results computed anew by breadth-first searches in Python.
cd "$(dirname "$0")/../.." || exit 1
. tests/suites/lib.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export GRIDFENCE=${GF_BUILD:-build}/gridfence

cat >"$work/index" <<'TEXT'
Package: app
Version: 1
Depends: liba (>= 2), libb | libc, mail-agent
Pre-Depends: base:any

Package: liba
Depends: base

Package: libb
Depends: libc, liba

Package: libc
Depends: nowhere

Package: base

Package: postman
Provides: mail-agent (= 3), other
Depends: base

Package: pigeon
Provides: mail-agent

Package: folded
Depends: liba,
 libc (<< 3)

Package: app
Version: 2
Depends: pigeon, app
TEXT

demo_here() {
    DEMO_OUT=$work/here scripts/demo.sh && /usr/bin/python3 tests/demo/check.py "$work/here"
}

demo_random() {
    DEMO_INDEX=none DEMO_OUT=$work/random scripts/demo.sh >"$work/out" 2>&1 && grep -q 'no package index here' "$work/out" &&
        /usr/bin/python3 tests/demo/check.py "$work/random"
}

demo_small() {
    DEMO_INDEX=$work/index DEMO_OUT=$work/small scripts/demo.sh base liba mail-agent 2>"$work/err" && return 1
    grep -q 'mail-agent' "$work/err" || return 1
    DEMO_INDEX=$work/index DEMO_OUT=$work/small scripts/demo.sh base liba libc >"$work/out" &&
        /usr/bin/python3 tests/demo/check.py "$work/small" && cat "$work/out" && grep -Eq '^ +0 +base +5 +2$' "$work/out" &&
        grep -Eq '^ +1 +liba +3 +1$' "$work/out" && grep -Eq '^ +2 +libc +3 +1$' "$work/out"
}

graph_small() {
    mkdir -p "$work/graph" && scripts/package-graph "$work/graph" "$work/index" 2>"$work/err" || return 1
    # app base folded liba libb libc pigeon postman; virtual packages stand for those that provide them
    diff <(tail -n +3 "$work/graph/depends.mtx" | tr '\n' ',') <(printf '1 2,1 4,1 5,1 6,1 7,1 8,3 4,3 6,4 2,5 4,5 6,8 2,') &&
        grep -q '8 packages, 12 dependencies; 1 names' "$work/err"
}

refuse_unknown() {
    DEMO_INDEX=$work/index DEMO_OUT=$work/small scripts/demo.sh libz 2>"$work/err"
    [ $? -eq 2 ] && grep -q "no package of that name in the index: libz" "$work/err"
}

refuse_many() {
    # shellcheck disable=SC2046
    DEMO_INDEX=$work/index DEMO_OUT=$work/small scripts/demo.sh $(seq 33) 2>"$work/err"
    [ $? -eq 2 ] && grep -q '33 packages' "$work/err"
}

check "the graph of a small index" graph_small
check "the demo on a small index" demo_small
check "a package that is not there" refuse_unknown
check "more packages than rules" refuse_many
check "the demo on this machine" demo_here
check "the demo on a random graph" demo_random
close_suite
