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
set(QUADRILLE_VERSION_FILE ${PROJECT_BINARY_DIR}/generated/quadrille_version.inc)
set(write_version ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR} -DVERSION=${PROJECT_VERSION}
  -DOUTPUT=${QUADRILLE_VERSION_FILE} -P ${PROJECT_SOURCE_DIR}/cmake/version.cmake)
execute_process(COMMAND ${write_version} COMMAND_ERROR_IS_FATAL ANY)  # for what reads sources without building
add_custom_target(quadrille_version BYPRODUCTS ${QUADRILLE_VERSION_FILE} COMMAND ${write_version})
add_dependencies(quadrille_cli_lib quadrille_version)
target_include_directories(quadrille_cli_lib PRIVATE ${PROJECT_BINARY_DIR}/generated)
target_link_libraries(quadrille_cli_lib
  PUBLIC quadrille_options quadrille PRIVATE quadrille_flags fmt::fmt)
quadrille_reuse_precompiled(quadrille_cli_lib)

add_executable(quadrille_cli ${PROJECT_SOURCE_DIR}/src/quadrille/cli/main.cc)
set_target_properties(quadrille_cli PROPERTIES OUTPUT_NAME quadrille)
target_link_libraries(quadrille_cli PRIVATE quadrille_cli_lib quadrille_flags)
# What reads DOT comes with Boost's regular expressions, and these with ICU: to load them takes a quarter of a short command. As
# archives they bring what is used alone, and whoever is not needed any more is not loaded.
find_library(BOOST_GRAPH_ARCHIVE libboost_graph.a)
find_library(BOOST_REGEX_ARCHIVE libboost_regex.a)
if(BOOST_GRAPH_ARCHIVE AND BOOST_REGEX_ARCHIVE)
  target_link_options(quadrille_cli PRIVATE -Wl,--as-needed)
  target_link_libraries(quadrille_cli PRIVATE quadrille_options quadrille ${BOOST_GRAPH_ARCHIVE} ${BOOST_REGEX_ARCHIVE})
endif()
