#!/bin/bash
# Formatting, clang-tidy, cppcheck, the direction of includes, and headers that compile alone.
cd "$(dirname "$0")/../.." || exit 1
. tests/suites/lib.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
jobs=${JOBS:-2}
llvm=()
if command -v llvm-config-19 >/dev/null; then
    llvm=(-isystem "$(llvm-config-19 --includedir)")
fi

c_files() {
    find src include tests bench -name '*.[ch]' 2>/dev/null | sort
}

check_format() {
    c_files | xargs clang-format-14 --dry-run -Werror
}

# Everything that the build compiles, as CMake says. The path-sensitive analyzer takes most of the time, so it looks at
# the library and the command alone, and not as deep as it can unless LINT_DEEP is set (`LINT_DEEP=1 ./x lint`).
compiled_files() {
    /usr/bin/python3 -c '
import json, os
root = os.getcwd()
for file in sorted({entry["file"] for entry in json.load(open("build/compile_commands.json"))}):
    if os.path.exists(file):
        print(os.path.relpath(file, root))'
}

run_tidy() {
    xargs -P "$jobs" -n 1 clang-tidy-14 -p build --quiet --warnings-as-errors='*' \
        --extra-arg=-Wno-unknown-warning-option "$@"
}

check_tidy() {
    local status=0
    local depth=(--extra-arg=-Xclang --extra-arg=-analyzer-config --extra-arg=-Xclang --extra-arg=mode=shallow)
    [ -n "${LINT_DEEP:-}" ] && depth=()
    compiled_files | grep '^src/' | run_tidy "${depth[@]}" >"$work/tidy" 2>&1 || status=1
    compiled_files | grep -v '^src/' | run_tidy '--checks=-clang-analyzer-*' >>"$work/tidy" 2>&1 || status=1
    grep -vE '^[0-9]+ warnings? (generated|treated)|^Suppressed|^Use -header-filter' "$work/tidy"
    return $status
}

check_cppcheck() {
    cppcheck --quiet --error-exitcode=1 --std=c11 --inline-suppr -j "$jobs" \
        --enable=warning,performance,portability --suppressions-list=.cppcheck \
        -I include -I src -D_POSIX_C_SOURCE=200809L src
}

check_header() {
    local compiler=$1 standard=$2 language=$3 header=$4
    echo "#include \"$header\"" >"$work/header.$language"
    echo 'int gf_header_compiles;' >>"$work/header.$language"
    "$compiler" -std="$standard" -Wall -Wextra -Wshadow -Wpedantic -Werror -D_POSIX_C_SOURCE=200809L -Iinclude -Isrc \
        "${llvm[@]}" -fsyntax-only "$work/header.$language"
}

check_public_headers() {
    local header
    for header in include/gridfence/*.h; do
        check_header gcc c17 c "gridfence/$(basename "$header")" || return 1
        check_header gcc c99 c "gridfence/$(basename "$header")" || return 1
        check_header g++ c++11 cc "gridfence/$(basename "$header")" || return 1
    done
}

check_inner_headers() {
    local header
    for header in $(cd src && find . -name '*.h' | sort); do
        check_header gcc c17 c "${header#./}" || return 1
    done
}

check "formatting" check_format
check "layers" scripts/layers
check "public headers alone, C and C++" check_public_headers
check "inner headers alone" check_inner_headers
check "cppcheck" check_cppcheck
check "clang-tidy" check_tidy
close_suite
