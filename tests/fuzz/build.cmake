# The generator of random programs, and the differential test that tries them (tests/suites/47-differential.sh).
file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/fuzz/generate/*.c)
add_library(generate STATIC ${sources})
target_link_libraries(generate PUBLIC "${everything}" gf_flags)
target_include_directories(generate PUBLIC ${PROJECT_SOURCE_DIR}/tests)

if(TARGET gf_cli AND NOT GF_FUZZ)
    file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/fuzz/differential/*.c)
    add_executable(differential ${sources})
    target_link_libraries(differential PRIVATE generate gf_cli gf_flags)
    set_target_properties(differential PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
endif()
