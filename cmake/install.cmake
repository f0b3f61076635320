# What `cmake --install` lays down: headers, both libraries, the command, pkg-config and CMake packages.

include(CMakePackageConfigHelpers)

file(GLOB public_headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/gridfence/*.h)
install(FILES ${public_headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/gridfence)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

set_target_properties(gridfence-shared PROPERTIES EXPORT_NAME gridfence)
set_target_properties(gridfence-static PROPERTIES EXPORT_NAME static)
install(TARGETS gridfence-shared gridfence-static EXPORT gridfence-targets
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(TARGET gridfence)
    install(TARGETS gridfence DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

# Both libraries take LLVM as a shared library. The archive's users link it themselves.
set(pc_llvm "")
set(package_llvm "")
if(GF_HAVE_LLVM)
    get_filename_component(package_llvm ${GF_LLVM_SHARED} NAME)
    get_filename_component(pc_llvm ${GF_LLVM_SHARED} NAME_WE)
    string(REGEX REPLACE "^lib" "-l" pc_llvm ${pc_llvm})
    string(PREPEND pc_llvm "-L${llvm_libdir} ")
    string(APPEND pc_llvm " ")
endif()

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/gridfence)
install(EXPORT gridfence-targets NAMESPACE gridfence:: DESTINATION ${package_dir})
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/gridfence-config.cmake.in
    ${PROJECT_BINARY_DIR}/gridfence-config.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/gridfence-config-version.cmake
    COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/gridfence-config.cmake ${PROJECT_BINARY_DIR}/gridfence-config-version.cmake
        DESTINATION ${package_dir})

# Paths relative to the .pc file, so that an installed tree can be moved.
file(RELATIVE_PATH pc_to_prefix ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(${PROJECT_SOURCE_DIR}/cmake/gridfence.pc.in ${PROJECT_BINARY_DIR}/gridfence.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/gridfence.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
