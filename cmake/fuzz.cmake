# One libFuzzer program per x.fuzz.cc, called fuzz_x, and one test fuzz.x that runs it for QUADRILLE_FUZZ_SECONDS on
# its seeds, testdata/fuzz/x/. By hand: dev/fuzz.sh build/clang 60 x
if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  message(FATAL_ERROR "QUADRILLE_FUZZ needs clang: use the preset 'clang'")
endif()
set(QUADRILLE_FUZZ_SECONDS 20 CACHE STRING "How long a test runs a fuzz target")

# The library too counts which branches an input takes; only the fuzz programs get the fuzzer's main.
target_compile_options(quadrille_flags INTERFACE -fsanitize=fuzzer-no-link)
target_link_options(quadrille_flags INTERFACE -fsanitize=fuzzer-no-link)

option(QUADRILLE_FUZZ_ALONE "Compile of the library what fuzz targets reach; clang only reads the rest, and the command line" OFF)
# What `make fuzz` builds: all fuzz targets. All but the tests is compiled by clang, or read by it: that finds what it warns of, in a
# third of the time.
if(QUADRILLE_FUZZ_ALONE)
  set(fuzzed ${QUADRILLE_SOURCES})
  list(FILTER fuzzed INCLUDE REGEX "/src/quadrille/(base|topology|collective|model|schedule|stored|verify|program|transforms)/")
  set(read ${QUADRILLE_SOURCES} ${QUADRILLE_OPTIONS_SOURCES} ${QUADRILLE_CLI_SOURCES}
    ${PROJECT_SOURCE_DIR}/src/quadrille/cli/main.cc)
  list(REMOVE_ITEM read ${fuzzed})
  set(quadrille_of_fuzz quadrille_fuzzed)
  add_library(quadrille_fuzzed STATIC ${fuzzed} ${QUADRILLE_EMBEDDED})
  quadrille_group(quadrille_fuzzed ${fuzzed})
  quadrille_library(quadrille_fuzzed)
  add_library(quadrille_read OBJECT ${read})
  quadrille_group(quadrille_read ${read})
  target_include_directories(quadrille_read PRIVATE ${PROJECT_BINARY_DIR}/generated)
  target_include_directories(quadrille_read SYSTEM PRIVATE
    ${CADICAL_INCLUDE_DIR} ${METIS_INCLUDE_DIR} ${BLISS_INCLUDE_DIR})
  target_link_libraries(quadrille_read PRIVATE quadrille_fuzzed quadrille_flags fmt::fmt nlohmann_json::nlohmann_json
    pugixml::pugixml ZLIB::ZLIB)
  target_precompile_headers(quadrille_read REUSE_FROM quadrille_fuzzed)
  set_target_properties(quadrille_read PROPERTIES CXX_COMPILER_LAUNCHER ${PROJECT_SOURCE_DIR}/dev/read_only.sh)
  add_custom_target(quadrille_fuzz DEPENDS quadrille_read)
else()
  set(quadrille_of_fuzz quadrille)
  add_custom_target(quadrille_fuzz DEPENDS quadrille_cli)
endif()
file(GLOB_RECURSE QUADRILLE_FUZZ_SOURCES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/quadrille/*.fuzz.cc)
foreach(source IN LISTS QUADRILLE_FUZZ_SOURCES)
  get_filename_component(name ${source} NAME)
  string(REGEX REPLACE "\\.fuzz\\.cc$" "" name ${name})
  add_executable(fuzz_${name} ${source})
  target_link_libraries(fuzz_${name} PRIVATE ${quadrille_of_fuzz} quadrille_flags fmt::fmt)
  target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
  add_dependencies(quadrille_fuzz fuzz_${name})
  if(QUADRILLE_TESTS)
    add_test(NAME fuzz.${name}
      COMMAND ${PROJECT_SOURCE_DIR}/dev/fuzz.sh ${PROJECT_BINARY_DIR} ${QUADRILLE_FUZZ_SECONDS} ${name})
    math(EXPR fuzz_timeout "${QUADRILLE_FUZZ_SECONDS} + 120")
    set_tests_properties(fuzz.${name} PROPERTIES TIMEOUT ${fuzz_timeout})
  endif()
endforeach()
