# One program of all benchmarks, each beside what it measures: x.perf.cc. `make bench` runs it optimised.
find_package(benchmark REQUIRED)
file(GLOB_RECURSE QUADRILLE_BENCHMARK_SOURCES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/quadrille/*.perf.cc)
list(FILTER QUADRILLE_BENCHMARK_SOURCES EXCLUDE REGEX "/src/quadrille/(cli|mpi|options)/")
if(QUADRILLE_BENCHMARK_SOURCES)
  add_executable(quadrille_bench ${QUADRILLE_BENCHMARK_SOURCES})
  target_link_libraries(quadrille_bench PRIVATE
    quadrille quadrille_flags benchmark::benchmark benchmark::benchmark_main fmt::fmt)
endif()
