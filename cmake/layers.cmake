# One library per layer, found by folder. Each links those below it, so a layer that reaches upwards does not link.
# A folder without .c files is skipped.

set(layers "")      # the libraries made, lowest first
set(layer_objects)  # of everything that belongs into libgridfence

# gf_<name> from the .c files under src/<folder>, over the layers in `below`.
function(add_layer name folder)
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${folder}/*.c)
    list(FILTER sources EXCLUDE REGEX "/src/cli/main\\.c$")
    if(NOT GF_HAVE_LLVM)
        list(FILTER sources EXCLUDE REGEX "/src/(emit/llvm|backend/cpu)/")
    endif()
    if(NOT sources)
        return()
    endif()
    add_library(gf_${name}_objects OBJECT ${sources})
    target_link_libraries(gf_${name}_objects PRIVATE gf_flags gf_llvm)
    add_library(gf_${name} STATIC $<TARGET_OBJECTS:gf_${name}_objects>)
    set_target_properties(gf_${name} PROPERTIES LINKER_LANGUAGE C)
    # Highest first: a static linker looks for what is missing from left to right.
    set(below ${ARGN})
    list(REVERSE below)
    target_link_libraries(gf_${name} PUBLIC ${below} gf_flags gf_llvm)
    set(layers ${layers} gf_${name} PARENT_SCOPE)
    if(NOT name STREQUAL "cli")
        set(layer_objects ${layer_objects} $<TARGET_OBJECTS:gf_${name}_objects> PARENT_SCOPE)
    endif()
endfunction()

foreach(name base ir text check plan emit dev)
    add_layer(${name} ${name} ${layers})
endforeach()

# Backends stand side by side: none sees another.
set(under_backends ${layers})
file(GLOB backends CONFIGURE_DEPENDS LIST_DIRECTORIES true RELATIVE ${PROJECT_SOURCE_DIR}/src/backend
     ${PROJECT_SOURCE_DIR}/src/backend/*)
foreach(name ${backends})
    if(IS_DIRECTORY ${PROJECT_SOURCE_DIR}/src/backend/${name})
        add_layer(${name} backend/${name} ${under_backends})
    endif()
endforeach()

foreach(name run io cli)
    add_layer(${name} ${name} ${layers})
endforeach()

add_library(gridfence-static STATIC ${layer_objects})
add_library(gridfence-shared SHARED ${layer_objects})
foreach(target gridfence-static gridfence-shared)
    set_target_properties(${target} PROPERTIES
        OUTPUT_NAME gridfence LINKER_LANGUAGE C VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
    target_include_directories(${target} INTERFACE
        $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    target_link_libraries(${target} PRIVATE Threads::Threads m ${CMAKE_DL_LIBS} xxhash $<BUILD_INTERFACE:gf_llvm>)
endforeach()
if(NOT GF_SANITIZE AND NOT GF_COVERAGE)
    set(exports ${PROJECT_SOURCE_DIR}/cmake/exports.map)
    target_link_options(gridfence-shared PRIVATE -Wl,--version-script=${exports})
    set_target_properties(gridfence-shared PROPERTIES LINK_DEPENDS ${exports})
endif()

if(EXISTS ${PROJECT_SOURCE_DIR}/src/cli/main.c)
    list(REVERSE layers)
    add_executable(gridfence ${PROJECT_SOURCE_DIR}/src/cli/main.c)
    target_link_libraries(gridfence PRIVATE ${layers} gf_flags)
    list(REVERSE layers)
    set_target_properties(gridfence PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
    put_llvm_inside(gridfence)
endif()
