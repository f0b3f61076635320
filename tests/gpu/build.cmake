# What is carried to a machine with a GPU (scripts/gpu-test).
if(TARGET gf_cli AND NOT GF_FUZZ)
    file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/gpu/*.c)
    add_executable(gridfence-cases ${sources})
    target_link_libraries(gridfence-cases PRIVATE gf_cli gf_flags)
    target_include_directories(gridfence-cases PRIVATE ${PROJECT_SOURCE_DIR}/tests)
    set_target_properties(gridfence-cases PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
endif()
