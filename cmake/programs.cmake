# The program `quadrille`. All of it but main() is a library, so that tests run commands in their own process.
# quadrille-mpi has its own file, mpi.cmake.

# The options that `quadrille` and quadrille-mpi share.
file(GLOB_RECURSE QUADRILLE_OPTIONS_SOURCES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/quadrille/options/*.cc)
list(FILTER QUADRILLE_OPTIONS_SOURCES EXCLUDE REGEX "\\.(test|perf|fuzz)\\.cc$")
add_library(quadrille_options STATIC ${QUADRILLE_OPTIONS_SOURCES})
target_link_libraries(quadrille_options PUBLIC quadrille PRIVATE quadrille_flags fmt::fmt)
quadrille_reuse_precompiled(quadrille_options)

file(GLOB_RECURSE QUADRILLE_CLI_SOURCES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/quadrille/cli/*.cc)
list(FILTER QUADRILLE_CLI_SOURCES EXCLUDE REGEX "\\.(test|perf|fuzz)\\.cc$")
list(FILTER QUADRILLE_CLI_SOURCES EXCLUDE REGEX "/main\\.cc$")
add_library(quadrille_cli_lib STATIC ${QUADRILLE_CLI_SOURCES})
quadrille_group(quadrille_cli_lib ${QUADRILLE_CLI_SOURCES})
set_source_files_properties(${PROJECT_SOURCE_DIR}/src/quadrille/cli/run_command.cc PROPERTIES
  COMPILE_DEFINITIONS QUADRILLE_VERSION="${PROJECT_VERSION}")
target_link_libraries(quadrille_cli_lib
  PUBLIC quadrille_options quadrille PRIVATE quadrille_flags fmt::fmt)
quadrille_reuse_precompiled(quadrille_cli_lib)

add_executable(quadrille_cli ${PROJECT_SOURCE_DIR}/src/quadrille/cli/main.cc)
set_target_properties(quadrille_cli PROPERTIES OUTPUT_NAME quadrille)
target_link_libraries(quadrille_cli PRIVATE quadrille_cli_lib quadrille_flags)
