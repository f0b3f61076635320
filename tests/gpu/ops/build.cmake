# Single values in PTX on a device. The program needs no CUDA to be built, and says `skipped` where there is none.
if(TARGET gf_emit AND NOT GF_FUZZ)
    add_executable(ptx-ops-test ${PROJECT_SOURCE_DIR}/tests/gpu/ops/ops_ptx.c
                                ${PROJECT_SOURCE_DIR}/tests/gpu/ops/driver.c)
    target_link_libraries(ptx-ops-test PRIVATE gf_emit gf_flags ${CMAKE_DL_LIBS})
    target_include_directories(ptx-ops-test PRIVATE ${PROJECT_SOURCE_DIR}/tests)
    set_target_properties(ptx-ops-test PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
endif()
