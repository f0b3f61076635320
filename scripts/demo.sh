#!/bin/bash
# The main job on real input: which Debian packages depend, directly or not, on the packages named, and in how many hops.
# Called by `./x demo [PACKAGE...]`; 1 to 32 packages, a list of 32 where none is named.
#
# DEMO_OUT    folder for graph and results (build/demo)
# DEMO_INDEX  a file in the format of `apt-cache dumpavail` instead of this machine's index; `none`: as if there were none
# GRIDFENCE   the command (build/gridfence)
set -euo pipefail
cd "$(dirname "$0")/.."
gridfence=${GRIDFENCE:-build/gridfence}
out=${DEMO_OUT:-build/demo}
index=${DEMO_INDEX:-}
enough=1000 # fewer packages than this are what is installed, not what there is
defaults=(libc6 libgcc-s1 libstdc++6 zlib1g libssl3 perl python3 bash coreutils dpkg debconf libglib2.0-0 libx11-6
    libgtk-3-0 libqt5core5a libcurl4 libxml2 libsqlite3-0 libpng16-16 libsystemd0 libpcre2-8-0 libgmp10 libicu72
    ruby nodejs default-jre-headless r-base-core libboost-filesystem1.74.0 libopenmpi3 golang-go ghc emacs)

usage() {
    sed -n '2,8s/^# \{0,1\}//p' "$0"
}

case ${1:-} in
-h | --help) usage && exit 0 ;;
esac
if [ $# -gt 32 ]; then
    echo "demo: $# packages were named, and there are 32 rules at most" >&2
    exit 2
fi
mkdir -p "$out"

read_index() {
    if [ "$index" = none ] || { [ -z "$index" ] && ! command -v apt-cache >/dev/null; }; then
        return 1
    fi
    if [ -n "$index" ]; then
        scripts/package-graph "$out" "$index"
    else
        apt-cache dumpavail | scripts/package-graph "$out"
    fi
}

count_packages() {
    if [ -f "$out/packages.txt" ]; then wc -l <"$out/packages.txt"; else echo 0; fi
}

# The names are numbers: the vertices with the most edges that end there are the default.
make_random() {
    echo "demo: no package index here; a random graph of 65536 vertices (R-MAT) stands in, packages are numbers" >&2
    "$gridfence" rmat 16 4 1 | sort -u | awk '
        { from[NR] = $1; to[NR] = $2 }
        END {
            print "%%MatrixMarket matrix coordinate pattern general"
            print 65536, 65536, NR
            for (i = 1; i <= NR; i++) print from[i] + 1, to[i] + 1
        }' >"$out/depends.mtx"
    seq 0 65535 >"$out/packages.txt"
    mapfile -t defaults < <(awk 'NR > 2 { ends[$2 - 1]++ } END { for (v in ends) print ends[v], v }' "$out/depends.mtx" |
        sort -k1,1nr -k2,2n | head -n 32 | awk '{ print $2 }')
}

rm -f "$out/packages.txt" "$out/depends.mtx"
if ! read_index; then
    rm -f "$out/packages.txt"
fi
if [ -z "$index" ] && [ "$(count_packages)" -lt "$enough" ] && command -v apt-get >/dev/null; then
    echo "demo: the package index is empty or small; trying apt-get update" >&2
    root=
    [ "$(id -u)" -eq 0 ] || root="sudo -n"
    $root apt-get update >&2 || echo "demo: apt-get update failed; going on with what is here" >&2
    read_index || rm -f "$out/packages.txt"
fi
if [ "$(count_packages)" -eq 0 ]; then
    make_random
elif [ -z "$index" ] && [ "$(count_packages)" -lt "$enough" ]; then
    echo "demo: the index holds $(count_packages) packages only" >&2
fi

if [ $# -gt 0 ]; then
    targets=$(scripts/demo-table targets "$out/packages.txt" "$@")
else
    targets=$(scripts/demo-table targets "$out/packages.txt" --default "${defaults[@]}")
fi
# Of the reversed graph the rows are in-edges, along which what is known of a package goes to those that depend on it.
"$gridfence" run programs/flows_to.gf --csr row,col,n="$out/depends.mtx" --transpose --in target="$targets" \
    --out state="$out/state.npy" --out count="$out/count.npy" --out deepest="$out/deepest.npy" \
    --out count=- --out deepest=- --json >"$out/run.json"
scripts/demo-table show "$out/packages.txt" "$targets" "$out/run.json"
echo "$targets" | tr , '\n' >"$out/targets.txt"
echo "left in $out: state.npy (a word per package, in the order of packages.txt; bit r is rule r), count.npy, deepest.npy"
