# What `gridfence bench` measures against: executables in build/peers, each only where its library is here. They are no
# part of the project's code: their own flags, those that give the fastest code without fast-math.
#
# Those in CUDA are built by `gpu-peers`, on demand, where nvcc is (bench/gpu/build); they end in bench-gpu/peers.
find_program(GF_NVCC nvcc HINTS /usr/local/cuda/bin)
mark_as_advanced(GF_NVCC)
if(GF_NVCC)
    add_custom_target(gpu-peers
        COMMAND ${CMAKE_COMMAND} -E env NVCC=${GF_NVCC} ${PROJECT_SOURCE_DIR}/bench/gpu/build
                ${PROJECT_BINARY_DIR}/bench-gpu
        USES_TERMINAL VERBATIM)
endif()

option(GF_PEERS "Build the peers of the benchmark" OFF)
if(NOT GF_PEERS)
    return()
endif()

add_custom_target(peers)
set(peers ${PROJECT_SOURCE_DIR}/bench/peers)
set(peers_out ${PROJECT_BINARY_DIR}/peers)

# peer-NAME from the files, over the libraries
function(add_peer name libraries)
    if(NOT ARGN)
        return()
    endif()
    add_executable(peer-${name} ${ARGN} ${peers}/peer.c)
    target_include_directories(peer-${name} PRIVATE ${peers})
    target_compile_options(peer-${name} PRIVATE -O3 -march=native -ffp-contract=fast -Wall -Wextra)
    target_link_libraries(peer-${name} PRIVATE m ${libraries})
    set_target_properties(peer-${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${peers_out} C_EXTENSIONS ON)
    add_dependencies(peers peer-${name})
endfunction()

find_package(OpenMP COMPONENTS C)
if(OpenMP_C_FOUND)
    file(GLOB sources CONFIGURE_DEPENDS ${peers}/openmp*.c)
    add_peer(openmp OpenMP::OpenMP_C ${sources})
endif()

find_library(GF_OPENCL OpenCL)
if(GF_OPENCL)
    file(GLOB sources CONFIGURE_DEPENDS ${peers}/opencl*.c)
    add_peer(opencl ${GF_OPENCL} ${sources})
    if(TARGET peer-opencl)
        target_compile_definitions(peer-opencl PRIVATE PEER_KERNELS="${peers}/opencl" CL_TARGET_OPENCL_VERSION=300)
    endif()
endif()

find_library(GF_GRAPHBLAS graphblas)
find_path(GF_GRAPHBLAS_INCLUDE GraphBLAS.h PATH_SUFFIXES suitesparse)
if(GF_GRAPHBLAS AND GF_GRAPHBLAS_INCLUDE)
    file(GLOB sources CONFIGURE_DEPENDS ${peers}/graphblas*.c)
    add_peer(graphblas "${GF_GRAPHBLAS}" ${sources})
    if(TARGET peer-graphblas)
        target_include_directories(peer-graphblas SYSTEM PRIVATE ${GF_GRAPHBLAS_INCLUDE})
        if(OpenMP_C_FOUND)
            target_link_libraries(peer-graphblas PRIVATE OpenMP::OpenMP_C)
        endif()
    endif()
endif()

if(EXISTS ${peers}/numba_peer.py)
    configure_file(${peers}/numba_peer.py ${peers_out}/peer-numba
        FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE COPYONLY)
endif()
