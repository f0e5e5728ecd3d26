# The tests of what runs on several threads, in a program of their own for ThreadSanitizer: `make tsan`. Only the shelves
# that they reach are compiled again, and of those not what reads and writes plans.
find_package(GTest REQUIRED)
set(QUADRILLE_THREAD_TESTS
  base/threads/thread_team.test.cc base/threads/both_at_once.test.cc runtime/executor.test.cc runtime/job.test.cc
  runtime/thread_transport.test.cc
  program/sample_schedules.test.cc verify/judge.test.cc verify/random_plans.test.cc)
list(TRANSFORM QUADRILLE_THREAD_TESTS PREPEND ${PROJECT_SOURCE_DIR}/src/quadrille/)
set(QUADRILLE_THREAD_SOURCES ${QUADRILLE_SOURCES})
list(FILTER QUADRILLE_THREAD_SOURCES INCLUDE REGEX
  "/src/quadrille/(base|topology|collective|model|schedule|local|verify|program|runtime)/")
list(FILTER QUADRILLE_THREAD_SOURCES EXCLUDE REGEX
  "/schedule/(json|text|delta|shared)/|/program/files/|/schedule/plan_(reader|format)|/schedule/stated_topology|/verify/reference")

add_executable(quadrille_thread_tests ${QUADRILLE_THREAD_TESTS} ${QUADRILLE_THREAD_SOURCES})
target_include_directories(quadrille_thread_tests PRIVATE ${PROJECT_SOURCE_DIR}/src)
target_link_libraries(quadrille_thread_tests PRIVATE quadrille_flags GTest::gtest GTest::gmock GTest::gtest_main fmt::fmt
  pugixml::pugixml ${BLISS_LIBRARY} ${GMP_LIBRARY} Boost::graph ${METIS_LIBRARY})
target_include_directories(quadrille_thread_tests SYSTEM PRIVATE ${METIS_INCLUDE_DIR})
target_precompile_headers(quadrille_thread_tests PRIVATE <fmt/format.h> <algorithm> <map> <memory> <numeric> <optional>
  <span> <string> <vector>)

add_test(NAME unit.threads COMMAND quadrille_thread_tests --gtest_brief=1)
set_tests_properties(unit.threads PROPERTIES TIMEOUT 300 ENVIRONMENT
  "GTEST_OUTPUT=xml:${PROJECT_BINARY_DIR}/test_results/unit.threads.xml;TSAN_OPTIONS=halt_on_error=1")
