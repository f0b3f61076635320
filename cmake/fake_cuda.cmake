# A driver library of our own that plays NVIDIA GPUs for the tests of device `cuda`, where there are none.

file(GLOB fake_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/fake_cuda/*.c)
add_library(fake_cuda SHARED ${fake_sources})
target_link_libraries(fake_cuda PRIVATE gf_flags m)
set_target_properties(fake_cuda PROPERTIES OUTPUT_NAME cuda SOVERSION 1 C_VISIBILITY_PRESET default
                      LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests/fake_cuda)

# The same as a driver that is older, or the real one where that comes first in LD_LIBRARY_PATH.
add_library(old_cuda SHARED ${PROJECT_SOURCE_DIR}/tests/old_cuda/old_cuda.c)
target_link_libraries(old_cuda PRIVATE fake_cuda)
target_link_options(old_cuda PRIVATE -Wl,--no-as-needed -Wl,--defsym=cuGraphConditionalHandleCreate=0)
set_target_properties(old_cuda PROPERTIES OUTPUT_NAME cuda_old SKIP_BUILD_RPATH TRUE
                      LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests/old_cuda)

file(GLOB tests CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/unit/cuda/*.c
     ${PROJECT_SOURCE_DIR}/tests/unit/run/cuda_*.c
     ${PROJECT_SOURCE_DIR}/tests/faults/*.c)
foreach(source ${tests})
    cmake_path(GET source STEM stem)
    cmake_path(GET source PARENT_PATH folder)
    cmake_path(GET folder FILENAME layer)
    set(test unit_${layer}_${stem})
    if(layer STREQUAL "faults")
        set(test faults_${stem})
    endif()
    if(TARGET ${test})
        add_dependencies(${test} fake_cuda)
        target_compile_definitions(${test} PRIVATE
            GF_FAKE_CUDA="${PROJECT_BINARY_DIR}/tests/fake_cuda/libcuda.so.1")
    endif()
endforeach()

include(tests/gpu/memory/build.cmake)
