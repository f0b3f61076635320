# LLVM 19, for the device `cpu`. Without it everything else is built, and that device is not there.
#
# Two ways to link it. The libraries, and most of what is built here, take the shared library, which lives in peace with
# another LLVM in the same process (Mesa and PoCL bring theirs). The command has LLVM inside: the shared library takes
# 10 ms to load, which is more than most runs.

option(GF_LLVM "Build the device `cpu`, which compiles with LLVM 19" ON)
if(GF_COVERAGE OR GF_FUZZ)
    set(llvm_inside OFF) # no suite starts the command of such a build
else()
    set(llvm_inside ON)
endif()
option(GF_LLVM_INSIDE "Link LLVM into the command, where its static libraries are here" ${llvm_inside})

# llvm_says(VARIABLE ARGUMENTS...): one line of llvm-config
function(llvm_says variable)
    execute_process(COMMAND ${GF_LLVM_CONFIG} ${ARGN} OUTPUT_VARIABLE said OUTPUT_STRIP_TRAILING_WHITESPACE
                    RESULT_VARIABLE status ERROR_VARIABLE why)
    if(NOT status EQUAL 0)
        set(said "")
    endif()
    set(${variable} "${said}" PARENT_SCOPE)
endfunction()

# Full names of the archives that the command needs for LLVM, in the order of linking; empty where one is missing.
function(find_llvm_archives variable)
    set(${variable} "" PARENT_SCOPE)
    llvm_says(archives --link-static --libfiles orcjit nativecodegen passes)
    separate_arguments(archives UNIX_COMMAND "${archives}")
    if(NOT archives)
        message(STATUS "no static libraries of LLVM: the command takes the shared one")
        return()
    endif()
    # Beside them the libraries of C++ and of compression, as archives too: each shared one would be looked up at every
    # start. llvm-config names more of them (libxml2, libz3), for parts that are not linked.
    foreach(name stdc++ z zstd)
        execute_process(COMMAND ${CMAKE_C_COMPILER} -print-file-name=lib${name}.a OUTPUT_VARIABLE file
                        OUTPUT_STRIP_TRAILING_WHITESPACE)
        if(NOT IS_ABSOLUTE "${file}")
            message(STATUS "lib${name}.a not found: the command takes the shared library of LLVM "
                           "(Debian: libstdc++-12-dev zlib1g-dev libzstd-dev)")
            return()
        endif()
        list(APPEND archives ${file})
    endforeach()
    set(${variable} "${archives}" PARENT_SCOPE)
endfunction()

add_library(gf_llvm INTERFACE)
set(GF_HAVE_LLVM OFF)
if(GF_LLVM)
    find_program(GF_LLVM_CONFIG NAMES llvm-config-19)
    if(GF_LLVM_CONFIG)
        llvm_says(llvm_include --includedir)
        llvm_says(llvm_libdir --libdir)
        target_include_directories(gf_llvm SYSTEM INTERFACE ${llvm_include})
        find_library(GF_LLVM_SHARED NAMES LLVM-19 HINTS ${llvm_libdir} REQUIRED)
        set(llvm_archives "")
        if(GF_LLVM_INSIDE)
            find_llvm_archives(llvm_archives)
        endif()
        # A target with the property LLVM_INSIDE takes the archives.
        set(inside $<BOOL:$<TARGET_PROPERTY:LLVM_INSIDE>>)
        target_link_libraries(gf_llvm INTERFACE $<IF:${inside},${llvm_archives},${GF_LLVM_SHARED}>)
        target_compile_definitions(gf_llvm INTERFACE GF_HAVE_LLVM=1)
        set(GF_HAVE_LLVM ON)
    else()
        message(STATUS "llvm-config-19 not found: no device `cpu` (Debian: llvm-19-dev)")
    endif()
endif()

# Puts LLVM inside an executable, if the archives are here. Their symbols are nobody else's business, their code lies
# where the linker put it (relocating it at the start would take longer than all else), and most of it is left out.
function(put_llvm_inside target)
    if(llvm_archives)
        set_target_properties(${target} PROPERTIES LLVM_INSIDE ON)
        target_link_options(${target} PRIVATE -no-pie -static-libgcc -Wl,--gc-sections)
        if(NOT GF_SANITIZE)
            # The runtime of a sanitizer is such a library too, and the C library must find its `malloc`.
            target_link_options(${target} PRIVATE -Wl,--exclude-libs,ALL)
        endif()
        target_link_libraries(${target} PRIVATE ${CMAKE_DL_LIBS})
    endif()
endfunction()
