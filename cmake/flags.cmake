# How every file is compiled.

set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_C_FLAGS_RELEASE "-O2 -DNDEBUG")
if(NOT GF_SANITIZE)
    set(CMAKE_C_FLAGS_RELWITHDEBINFO "-O2 -g") # asserts stay
else()
    set(CMAKE_C_FLAGS_RELWITHDEBINFO "-O1 -gline-tables-only") # faster to build, and reports name the lines
endif()
if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE RelWithDebInfo)
endif()

find_package(Threads REQUIRED)
find_library(GF_XXHASH xxhash REQUIRED)
find_path(GF_XXHASH_INCLUDE xxhash.h REQUIRED)

add_library(gf_flags INTERFACE)
target_include_directories(gf_flags INTERFACE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
target_include_directories(gf_flags SYSTEM INTERFACE ${GF_XXHASH_INCLUDE})
target_compile_definitions(gf_flags INTERFACE _POSIX_C_SOURCE=200809L)
# Results must have the same bits everywhere: no contraction of a * b + c, nothing that fast-math allows.
target_compile_options(gf_flags INTERFACE
    -Wall -Wextra -Wshadow -Wswitch-enum -Wstrict-prototypes -Wvla -ffp-contract=off -fno-fast-math)
# Names and reasons of fixed length are cut on purpose; gcc sees that only where it optimises.
target_compile_options(gf_flags INTERFACE $<$<C_COMPILER_ID:GNU>:-Wno-format-truncation>)
target_link_libraries(gf_flags INTERFACE Threads::Threads m ${CMAKE_DL_LIBS} ${GF_XXHASH})
if(GF_WERROR)
    target_compile_options(gf_flags INTERFACE -Werror)
endif()

if(GF_FUZZ)
    add_compile_options(-fsanitize=fuzzer-no-link)
endif()
if(GF_SANITIZE)
    add_compile_options(-fsanitize=${GF_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    add_link_options(-fsanitize=${GF_SANITIZE})
endif()
# The interpreter's loop is one function of hundreds of cases, over which clang optimises for minutes once both
# sanitizers have put their checks in.
if(GF_SANITIZE MATCHES "undefined")
    set_source_files_properties(${PROJECT_SOURCE_DIR}/src/backend/interp/execute.c PROPERTIES COMPILE_OPTIONS -O0)
endif()
if(GF_COVERAGE)
    add_compile_options(--coverage)
    add_link_options(--coverage)
endif()
