# What the program does when the machine fails it: tests/faults/faults.py. A library that is loaded first refuses threads.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
add_library(quadrille_no_threads MODULE ${PROJECT_SOURCE_DIR}/tests/faults/no_threads.cc)
target_link_libraries(quadrille_no_threads PRIVATE ${CMAKE_DL_LIBS})
target_compile_features(quadrille_no_threads PRIVATE cxx_std_20)
add_test(NAME cli.faults COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tests/faults/faults.py
  --program $<TARGET_FILE:quadrille_cli> --no-threads $<TARGET_FILE:quadrille_no_threads>)
# Some faults cannot be had under sanitizers: `make test-slow` runs it once more, in the optimised build.
set_tests_properties(cli.faults PROPERTIES TIMEOUT 300 LABELS plain_build)
