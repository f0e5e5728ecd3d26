# All tests of the library in one program, and the tests of the house itself. A test that takes more than a few seconds
# belongs to a suite whose name ends in Slow: `make test` leaves it out, `make test-slow` runs only those.
find_package(GTest REQUIRED)
find_library(RAPIDCHECK_LIBRARY rapidcheck REQUIRED)

file(GLOB_RECURSE QUADRILLE_TEST_SOURCES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/quadrille/*.test.cc)
list(FILTER QUADRILLE_TEST_SOURCES EXCLUDE REGEX "/src/quadrille/mpi/")
# Where the tree lies is told to one source alone, so that two checkouts share all others in a compiler cache.
set_source_files_properties(${PROJECT_SOURCE_DIR}/src/quadrille/testing/source_path.test.cc PROPERTIES
  COMPILE_DEFINITIONS QUADRILLE_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
  SKIP_PRECOMPILE_HEADERS ON SKIP_UNITY_BUILD_INCLUSION ON)
add_executable(quadrille_tests ${QUADRILLE_TEST_SOURCES})
quadrille_group(quadrille_tests ${QUADRILLE_TEST_SOURCES})
if(QUADRILLE_SANITIZE)
  # With sanitizers a third of the time goes to optimising tests, and little of it comes back.
  target_compile_options(quadrille_tests PRIVATE -O0)
endif()
target_link_libraries(quadrille_tests PRIVATE
  quadrille_cli_lib quadrille quadrille_flags GTest::gtest GTest::gmock GTest::gtest_main fmt::fmt
  nlohmann_json::nlohmann_json ${RAPIDCHECK_LIBRARY})
target_precompile_headers(quadrille_tests PRIVATE <gmock/gmock.h> <gtest/gtest.h> <fmt/format.h>
  <algorithm> <map> <memory> <numeric> <optional> <set> <span> <string> <vector>
  <quadrille/base/input_error.h> <quadrille/schedule/problem.h> <quadrille/schedule/step.h>
  <quadrille/topology/topology_spec.h>)

# Shards of one program: as parallel as separate programs, without linking each. RapidCheck's cases are the same at
# every run; by hand, `build/dev/quadrille_tests` draws new ones.
set(QUADRILLE_TEST_SHARDS 8)
# The sweeps (every card, every lender, every exhibit, every small optimum) ask the same of the code whichever compiler
# made it: one of the two is enough. Of some the quick tests take a sample (testing/sample.test.h).
option(QUADRILLE_SWEEPS "Run the suites that go through everything, too" ON)
string(CONCAT sweeps "Catalog/Conformance.*:Parts/Differential.*:Algorithms.SearchOnce*:Lending.*:Lending/*:LendInOrder.*"
  ":TimedLending.*:BySize.*:SizeReasons.*:OptimumTest.*:Exhibits/EveryExhibit.*"
  ":Frontier.*:Fronts.*:HalfDuplexPlans.*:EveryCard.*:PlanGroups.*:ProvedBy.NoWitnessProvesMoreThanTheOptimum")
set(not_run *Slow.*:*Slow/*)
if(NOT QUADRILLE_SWEEPS)
  string(APPEND not_run :${sweeps})
endif()
math(EXPR last_shard "${QUADRILLE_TEST_SHARDS} - 1")
foreach(shard RANGE ${last_shard})
  add_test(NAME unit.${shard} COMMAND quadrille_tests --gtest_brief=1 --gtest_filter=-${not_run})
  set(report xml:${PROJECT_BINARY_DIR}/test_results/unit.${shard}.xml)
  set_tests_properties(unit.${shard} PROPERTIES TIMEOUT 900 ENVIRONMENT
    "GTEST_TOTAL_SHARDS=${QUADRILLE_TEST_SHARDS};GTEST_SHARD_INDEX=${shard};GTEST_OUTPUT=${report};RC_PARAMS=seed=1")
endforeach()
add_test(NAME unit.slow COMMAND quadrille_tests --gtest_brief=1 --gtest_filter=*Slow.*:*Slow/*)
add_test(NAME unit.sweeps COMMAND quadrille_tests --gtest_brief=1 --gtest_filter=${sweeps})
set_tests_properties(unit.slow unit.sweeps PROPERTIES LABELS slow TIMEOUT 3600)
set_tests_properties(unit.sweeps PROPERTIES ENVIRONMENT "QUADRILLE_WHOLE_SWEEPS=1;RC_PARAMS=seed=1")

# The layering of the house, and that its checker can fail.
set(check_layers ${PROJECT_SOURCE_DIR}/dev/check_layers.cmake)
add_test(NAME house.layers COMMAND ${CMAKE_COMMAND} -DROOT=${PROJECT_SOURCE_DIR}/src/quadrille
  -DLAYERS=${PROJECT_SOURCE_DIR}/dev/layers.txt -P ${check_layers})
add_test(NAME house.layers_checker_sees_every_violation COMMAND ${CMAKE_COMMAND} -DCHECKER=${check_layers}
  -P ${PROJECT_SOURCE_DIR}/tests/layers/check_the_checker.cmake)

# That sources of a folder can be compiled as one (groups.cmake), and types of all headers linked as one program; and
# that this is looked at.
set(check_groups ${PROJECT_SOURCE_DIR}/dev/check_groups.py)
add_test(NAME house.groups COMMAND ${check_groups} ${PROJECT_SOURCE_DIR}/src/quadrille)
add_test(NAME house.groups_checker_sees_every_kind COMMAND ${check_groups} ${PROJECT_SOURCE_DIR}/tests/groups)
set_tests_properties(house.groups_checker_sees_every_kind PROPERTIES
  PASS_REGULAR_EXPRESSION "testing::StartsWith may mean.*::Twin is defined in.*seen hides the one of a.cc.*::Point is in.*::Names is in.*::kMost is in.*::read.int. is in")

# What `make lint` would find last: a wrong format. Who has no clang-format has `.ci/run`.
find_program(clang_format clang-format)
if(clang_format)
  add_test(NAME house.format COMMAND ${PROJECT_SOURCE_DIR}/dev/check_format.sh)
endif()

include(cmake/must_not_compile.cmake)
include(cmake/consumer.cmake)
include(cmake/examples.cmake)
include(cmake/cli_tests.cmake)
include(cmake/fault_tests.cmake)
include(cmake/guidelines_tests.cmake)
include(cmake/viewer_tests.cmake)
include(cmake/simgrid_tests.cmake)
if(QUADRILLE_MPI_PROGRAMS)
  include(cmake/mpi_tests.cmake)
  include(cmake/mpi_library_tests.cmake)
endif()
include(cmake/export_tests.cmake)
