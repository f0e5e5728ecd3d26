# One libFuzzer program per x.fuzz.cc, called fuzz_x, and one test fuzz.x that runs it for QUADRILLE_FUZZ_SECONDS on
# its seeds, testdata/fuzz/x/. By hand: dev/fuzz.sh build/clang 60 x
if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  message(FATAL_ERROR "QUADRILLE_FUZZ needs clang: use the preset 'clang'")
endif()
set(QUADRILLE_FUZZ_SECONDS 20 CACHE STRING "How long a test runs a fuzz target")

# The library too counts which branches an input takes; only the fuzz programs get the fuzzer's main.
target_compile_options(quadrille_flags INTERFACE -fsanitize=fuzzer-no-link)
target_link_options(quadrille_flags INTERFACE -fsanitize=fuzzer-no-link)

# What `make fuzz` builds: all of these, and the command line, so that all but the tests is compiled by clang.
add_custom_target(quadrille_fuzz DEPENDS quadrille_cli)
file(GLOB_RECURSE QUADRILLE_FUZZ_SOURCES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/quadrille/*.fuzz.cc)
foreach(source IN LISTS QUADRILLE_FUZZ_SOURCES)
  get_filename_component(name ${source} NAME)
  string(REGEX REPLACE "\\.fuzz\\.cc$" "" name ${name})
  add_executable(fuzz_${name} ${source})
  target_link_libraries(fuzz_${name} PRIVATE quadrille quadrille_flags fmt::fmt)
  target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
  add_dependencies(quadrille_fuzz fuzz_${name})
  if(QUADRILLE_TESTS)
    add_test(NAME fuzz.${name}
      COMMAND ${PROJECT_SOURCE_DIR}/dev/fuzz.sh ${PROJECT_BINARY_DIR} ${QUADRILLE_FUZZ_SECONDS} ${name})
    math(EXPR fuzz_timeout "${QUADRILLE_FUZZ_SECONDS} + 120")
    set_tests_properties(fuzz.${name} PROPERTIES TIMEOUT ${fuzz_timeout})
  endif()
endforeach()
