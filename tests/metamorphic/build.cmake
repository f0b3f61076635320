# The metamorphic test (tests/suites/49-metamorphic.sh): it reads the data of golden programs as the command does.
if(TARGET gf_cli AND NOT GF_FUZZ)
    file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/metamorphic/*.c)
    add_executable(metamorphic ${sources})
    target_link_libraries(metamorphic PRIVATE gf_cli gf_flags)
    target_include_directories(metamorphic PRIVATE ${PROJECT_SOURCE_DIR}/tests)
    set_target_properties(metamorphic PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
endif()
