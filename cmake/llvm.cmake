# LLVM 19, for the device `cpu`. Without it everything else is built, and that device is not there.

option(GF_LLVM "Build the device `cpu`, which compiles with LLVM 19" ON)

add_library(gf_llvm INTERFACE)
set(GF_HAVE_LLVM OFF)
if(GF_LLVM)
    find_program(GF_LLVM_CONFIG NAMES llvm-config-19)
    if(GF_LLVM_CONFIG)
        execute_process(COMMAND ${GF_LLVM_CONFIG} --includedir OUTPUT_VARIABLE llvm_include
                        OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
        execute_process(COMMAND ${GF_LLVM_CONFIG} --libdir OUTPUT_VARIABLE llvm_libdir
                        OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
        target_include_directories(gf_llvm SYSTEM INTERFACE ${llvm_include})
        find_library(GF_LLVM_SHARED NAMES LLVM-19 HINTS ${llvm_libdir} REQUIRED)
        target_link_libraries(gf_llvm INTERFACE ${GF_LLVM_SHARED})
        target_compile_definitions(gf_llvm INTERFACE GF_HAVE_LLVM=1)
        set(GF_HAVE_LLVM ON)
    else()
        message(STATUS "llvm-config-19 not found: no device `cpu` (Debian: llvm-19-dev)")
    endif()
endif()
