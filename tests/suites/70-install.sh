#!/bin/bash
# The library installed into an empty prefix, and a program outside the tree that is built against it in every way that
# doc/embedding.md names.
cd "$(dirname "$0")/../.." || exit 1
. tests/suites/lib.sh
root=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix=$work/prefix

make_install() {
    cmake -S . -B "$work/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DGF_TESTS=OFF -DCMAKE_INSTALL_PREFIX="$prefix" &&
        cmake --build "$work/build" -j "${JOBS:-2}" && cmake --install "$work/build" --strip
}

# After a move, to see that nothing remembers where it was installed.
move_prefix() {
    mv "$prefix" "$work/moved" && prefix=$work/moved
    libdir=$(dirname "$(find "$prefix" -name libgridfence.so | head -n 1)")
    export PKG_CONFIG_PATH=$libdir/pkgconfig
}

use_pkg_config() {
    pkg-config --exact-version="$version" gridfence || return 1
    # shellcheck disable=SC2046
    gcc -std=c17 -Wall -Wextra -Werror -o "$work/shared" "$work/outside/main.c" $(pkg-config --cflags --libs gridfence) &&
        LD_LIBRARY_PATH=$libdir "$work/shared" "$version"
}

use_static() {
    # shellcheck disable=SC2046
    gcc -std=c17 -Wall -Wextra -Werror -o "$work/static" "$work/outside/main.c" $(pkg-config --cflags gridfence) \
        "$libdir/libgridfence.a" $(pkg-config --static --libs gridfence | sed 's/-lgridfence//') &&
        "$work/static" "$version"
}

use_cmake() {
    cmake -S "$work/outside" -B "$work/outside-build" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" &&
        cmake --build "$work/outside-build" && "$work/outside-build/with_shared" "$version" &&
        "$work/outside-build/with_static" "$version"
}

use_cpp() {
    # shellcheck disable=SC2046
    g++ -std=c++11 -Wall -Wextra -Werror -x c++ -o "$work/cpp" "$work/outside/main.c" -x none \
        $(pkg-config --cflags --libs gridfence) && LD_LIBRARY_PATH=$libdir "$work/cpp" "$version"
}

# Nothing but gf_... leaves the libraries.
check_symbols() {
    local others
    others=$({
        nm -D --defined-only "$libdir/libgridfence.so"
        nm -g --defined-only "$libdir/libgridfence.a" 2>/dev/null
    } | awk 'NF == 3 {print $3}' | grep -v '^gf_')
    [ -z "$others" ] || { echo "$others"; return 1; }
}

# What the public headers declare is there.
check_declared() {
    local name status=0
    nm -D --defined-only "$libdir/libgridfence.so" | awk '{print $3}' | sort >"$work/exported"
    for name in $(cat include/gridfence/*.h | tr '\n' ' ' | grep -oE 'GF_API [^;(]*\(' | grep -oE 'gf_[a-z0-9_]+ ?\($' |
        tr -d ' (' | sort -u); do
        grep -qx "$name" "$work/exported" || { echo "declared, not exported: $name"; status=1; }
    done
    return $status
}

run_command() {
    "$prefix/bin/gridfence" --version
}

# LLVM and what it needs are inside the command: nothing of it is looked up at the start.
command_is_whole() {
    local needed
    needed=$(readelf -d "$prefix/bin/gridfence" | grep NEEDED) || return 1
    if echo "$needed" | grep -E 'LLVM|stdc|libz|libgcc'; then
        return 1
    fi
    [ "$(nm -D --defined-only "$prefix/bin/gridfence" | grep -c '_ZN4llvm')" -eq 0 ]
}

# In a process that has LLVM of its own, the library's LLVM must be found under its own version.
library_takes_llvm() {
    readelf -d "$libdir/libgridfence.so" | grep -E 'NEEDED.*libLLVM'
}

version=$(sed -n 's/^#define GF_VERSION_[A-Z]* //p' include/gridfence/base.h | paste -sd.)
cp -r "$root/tests/install" "$work/outside"
check "install" make_install
move_prefix
check "a program by pkg-config" use_pkg_config
check "a program by pkg-config, static" use_static
check "a program by find_package" use_cmake
check "a program in C++" use_cpp
check "only gf_ names are exported" check_symbols
check "all public functions are exported" check_declared
if [ -f src/cli/main.c ]; then
    check "the installed command runs" run_command
    if grep -q '^GF_LLVM_INSIDE:BOOL=ON' "$work/build/CMakeCache.txt" && "$prefix/bin/gridfence" devices | grep -qx cpu; then
        check "LLVM is inside the command" command_is_whole
        check "LLVM is not inside the library" library_takes_llvm
    fi
fi
close_suite
