find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(pugixml REQUIRED)
find_package(Boost REQUIRED COMPONENTS graph)  # reads DOT; its headers need no flags
# CaDiCaL, METIS, bliss and the GMP that it counts with come without a CMake file: a header and a library each.
find_library(CADICAL_LIBRARY cadical REQUIRED)
find_path(CADICAL_INCLUDE_DIR cadical.hpp REQUIRED)
find_library(METIS_LIBRARY metis REQUIRED)
find_path(METIS_INCLUDE_DIR metis.h REQUIRED)
find_library(BLISS_LIBRARY bliss REQUIRED)
find_path(BLISS_INCLUDE_DIR bliss/graph.hh REQUIRED)
find_library(GMP_LIBRARY gmp REQUIRED)
find_package(ZLIB REQUIRED)

# Everything under src/quadrille but tests, benchmarks, fuzz targets and the folders of the two programs. A new file needs
# no list: the glob is checked at every build.
file(GLOB_RECURSE QUADRILLE_SOURCES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/quadrille/*.cc)
list(FILTER QUADRILLE_SOURCES EXCLUDE REGEX "\\.(test|perf|fuzz)\\.cc$")
list(FILTER QUADRILLE_SOURCES EXCLUDE REGEX "/src/quadrille/(cli|mpi|options)/")

# What searches have found (data/README.md), as literals of one generated source.
file(GLOB_RECURSE QUADRILLE_DATA CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/data/*.txt)
set(QUADRILLE_EMBEDDED ${PROJECT_BINARY_DIR}/generated/embedded_files.cc)
add_custom_command(OUTPUT ${QUADRILLE_EMBEDDED}
  COMMAND ${CMAKE_COMMAND} -DROOT=${PROJECT_SOURCE_DIR} -DOUTPUT=${QUADRILLE_EMBEDDED}
    -P ${PROJECT_SOURCE_DIR}/cmake/embed_data.cmake
  DEPENDS ${QUADRILLE_DATA} ${PROJECT_SOURCE_DIR}/cmake/embed_data.cmake
  COMMENT "Embedding data/" VERBATIM)

# The page that shows plans (web/README.md), as it is committed: `make viewer` makes it anew.
set(QUADRILLE_VIEWER ${PROJECT_BINARY_DIR}/generated/viewer_page.cc)
add_custom_command(OUTPUT ${QUADRILLE_VIEWER}
  COMMAND ${CMAKE_COMMAND} -DINPUT=${PROJECT_SOURCE_DIR}/web/viewer.html -DOUTPUT=${QUADRILLE_VIEWER}
    -P ${PROJECT_SOURCE_DIR}/cmake/embed_viewer.cmake
  DEPENDS ${PROJECT_SOURCE_DIR}/web/viewer.html ${PROJECT_SOURCE_DIR}/cmake/embed_viewer.cmake
  COMMENT "Embedding web/viewer.html" VERBATIM)

# The numbers in its statistics are GMP's where it was built so, as on Debian; a program must be told the same.
set_source_files_properties(${PROJECT_SOURCE_DIR}/src/quadrille/topology/queries/symmetry.cc PROPERTIES
  COMPILE_DEFINITIONS BLISS_USE_GMP)
# Compiled with its neighbours its inner loop takes a seventh more time.
set_source_files_properties(${PROJECT_SOURCE_DIR}/src/quadrille/algorithms/packing/colouring/edge_colouring.cc PROPERTIES
  SKIP_UNITY_BUILD_INCLUSION ON)

# What the library is made of, and what is parsed once for it.
function(quadrille_library target)
  target_include_directories(${target} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_link_libraries(${target} PRIVATE
    $<BUILD_INTERFACE:quadrille_flags> fmt::fmt $<BUILD_INTERFACE:nlohmann_json::nlohmann_json>
    pugixml::pugixml $<LINK_ONLY:Boost::graph> $<BUILD_INTERFACE:${CADICAL_LIBRARY}> $<INSTALL_INTERFACE:cadical>
    $<BUILD_INTERFACE:${METIS_LIBRARY}> $<INSTALL_INTERFACE:metis>
    $<BUILD_INTERFACE:${BLISS_LIBRARY}> $<INSTALL_INTERFACE:bliss> $<BUILD_INTERFACE:${GMP_LIBRARY}> $<INSTALL_INTERFACE:gmp>
    $<BUILD_INTERFACE:ZLIB::ZLIB> $<INSTALL_INTERFACE:z>)
  target_include_directories(${target} SYSTEM PRIVATE ${CADICAL_INCLUDE_DIR} ${METIS_INCLUDE_DIR} ${BLISS_INCLUDE_DIR})

  # Parsed once, for the library and both programs. Of ours only what two thirds of the files include, so that touching
  # one of them builds hardly more than it would anyway. What a file includes must still suffice: `make lint` goes without.
  target_precompile_headers(${target} PRIVATE <fmt/format.h> <algorithm> <array> <memory> <numeric> <optional> <span>
    <string> <string_view> <utility> <vector>
    <quadrille/base/check.h> <quadrille/base/input_error.h> <quadrille/schedule/problem.h> <quadrille/schedule/step.h>)
endfunction()

add_library(quadrille STATIC ${QUADRILLE_SOURCES} ${QUADRILLE_EMBEDDED} ${QUADRILLE_VIEWER})
add_library(quadrille::quadrille ALIAS quadrille)
quadrille_group(quadrille ${QUADRILLE_SOURCES})
quadrille_library(quadrille)

# For targets that are parsed like the library.
function(quadrille_reuse_precompiled target)
  target_precompile_headers(${target} REUSE_FROM quadrille)
  get_target_property(type ${target} TYPE)
  if(QUADRILLE_PIC AND type STREQUAL EXECUTABLE)
    # An executable is compiled with -fPIE, what was parsed with -fPIC is refused there.
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    target_compile_options(${target} PRIVATE -fPIC)
  endif()
endfunction()
