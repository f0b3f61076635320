# Memory, transfers and lost contexts of a GPU: checked and measured.
add_executable(cuda-memory-test ${CMAKE_CURRENT_LIST_DIR}/memory.c)
target_link_libraries(cuda-memory-test PRIVATE gf_cuda gf_flags)
set_target_properties(cuda-memory-test PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
