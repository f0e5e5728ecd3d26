find_package(GTest REQUIRED)
find_package(PkgConfig REQUIRED)
find_package(fmt REQUIRED)

file(GLOB_RECURSE QUADRILLE_TEST_SOURCES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/quadrille/*.test.cc)
list(FILTER QUADRILLE_TEST_SOURCES EXCLUDE REGEX "/src/quadrille/mpi/")
add_executable(quadrille_tests ${QUADRILLE_TEST_SOURCES})
find_library(RAPIDCHECK_LIBRARY rapidcheck REQUIRED)
target_link_libraries(quadrille_tests PRIVATE
  quadrille quadrille_flags GTest::gtest GTest::gmock GTest::gtest_main fmt::fmt TBB::tbb
  nlohmann_json::nlohmann_json PkgConfig::IGRAPH ${RAPIDCHECK_LIBRARY})
target_precompile_headers(quadrille_tests PRIVATE <gmock/gmock.h> <gtest/gtest.h> <fmt/format.h>
  <algorithm> <map> <memory> <numeric> <optional> <set> <span> <string> <vector>)
target_compile_definitions(quadrille_tests PRIVATE QUADRILLE_SOURCE_DIR="${PROJECT_SOURCE_DIR}")

# Shards of one program: as parallel as separate programs, without linking each.
set(QUADRILLE_TEST_SHARDS 4)
math(EXPR last_shard "${QUADRILLE_TEST_SHARDS} - 1")
foreach(shard RANGE ${last_shard})
  add_test(NAME unit.${shard} COMMAND quadrille_tests --gtest_brief=1)
  set_tests_properties(unit.${shard} PROPERTIES
    ENVIRONMENT "GTEST_TOTAL_SHARDS=${QUADRILLE_TEST_SHARDS};GTEST_SHARD_INDEX=${shard}")
endforeach()
