# The generator of random programs, what tries one of them, and the differential test that tries many
# (tests/suites/47-differential.sh).
file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/fuzz/generate/*.c)
add_library(generate STATIC ${sources})
target_link_libraries(generate PUBLIC "${everything}" gf_flags)
target_include_directories(generate PUBLIC ${PROJECT_SOURCE_DIR}/tests)

set(folder ${PROJECT_SOURCE_DIR}/tests/fuzz/differential)
add_library(trial STATIC ${folder}/trial.c ${folder}/data.c ${folder}/modes.c ${folder}/coverage.c)
target_link_libraries(trial PUBLIC generate gf_cli gf_flags)
set(fuzz_program_libraries trial) # of tests/fuzz/program.c
set(fuzz_command_libraries gf_cli)  # of tests/fuzz/command.c

if(NOT GF_FUZZ)
    add_executable(differential ${folder}/main.c ${folder}/hunt.c ${folder}/shrink.c)
    target_link_libraries(differential PRIVATE trial gf_flags)
    set_target_properties(differential PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
endif()
