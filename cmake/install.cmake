# What `cmake --install` puts where: the library with its headers, the programs, and the two ways for an outside project
# to find them, find_package(quadrille) and pkg-config.
include(CMakePackageConfigHelpers)

install(TARGETS quadrille EXPORT quadrille ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/src/quadrille DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.h" PATTERN "*.inc" PATTERN "*.test.h" EXCLUDE PATTERN cli EXCLUDE PATTERN mpi EXCLUDE PATTERN options EXCLUDE)
if(TARGET quadrille_cli)
  install(TARGETS quadrille_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/quadrille)
install(EXPORT quadrille NAMESPACE quadrille:: FILE quadrille-targets.cmake DESTINATION ${package_dir})
configure_package_config_file(cmake/quadrille-config.cmake.in ${PROJECT_BINARY_DIR}/quadrille-config.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/quadrille-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/quadrille-config.cmake ${PROJECT_BINARY_DIR}/quadrille-config-version.cmake
  DESTINATION ${package_dir})

# The prefix in the .pc file is relative to the file, so that an installed tree can be moved.
set(pkgconfig_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH QUADRILLE_PC_PREFIX /prefix/${pkgconfig_dir} /prefix)
string(REGEX REPLACE "/$" "" QUADRILLE_PC_PREFIX ${QUADRILLE_PC_PREFIX})
configure_file(cmake/quadrille.pc.in ${PROJECT_BINARY_DIR}/quadrille.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/quadrille.pc DESTINATION ${pkgconfig_dir})
