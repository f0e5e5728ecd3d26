# What `cmake --install` puts where: the library with its public headers (public_headers.cmake), the programs, and the two
# ways for an outside project to find them, find_package(quadrille) and pkg-config.
include(CMakePackageConfigHelpers)

install(TARGETS quadrille EXPORT quadrille ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
# Found when installing, so that an include that comes or goes needs no new configuring.
install(CODE "
  include(\"${PROJECT_SOURCE_DIR}/cmake/public_headers.cmake\")
  quadrille_public_headers(headers \"${PROJECT_SOURCE_DIR}/src\")
  foreach(header IN LISTS headers)
    get_filename_component(folder \${header} DIRECTORY)
    file(INSTALL \"${PROJECT_SOURCE_DIR}/src/\${header}\"
      DESTINATION \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_INCLUDEDIR}/\${folder}\")
  endforeach()")
if(TARGET quadrille_cli)
  install(TARGETS quadrille_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
  # The program writes its manual and what shells offer.
  install(CODE "
    set(share \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATADIR}\")
    execute_process(COMMAND \"$<TARGET_FILE:quadrille_cli>\" docs man -o \"\${share}/man/man1\" COMMAND_ERROR_IS_FATAL ANY)
    foreach(shell IN ITEMS bash:bash-completion/completions/quadrille zsh:zsh/vendor-completions/_quadrille
        fish:fish/vendor_completions.d/quadrille.fish)
      string(REGEX MATCH \"^[a-z]+\" name \${shell})
      string(REGEX REPLACE \"^[a-z]+:\" \"\" path \${shell})
      execute_process(COMMAND \"$<TARGET_FILE:quadrille_cli>\" completion \${name} OUTPUT_VARIABLE script
        COMMAND_ERROR_IS_FATAL ANY)
      file(WRITE \"\${share}/\${path}\" \"\${script}\")
    endforeach()" COMPONENT program)
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
