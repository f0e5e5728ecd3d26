# Whether what `auto` chooses contradicts itself (tests/guidelines): all networks behind `make test-slow`; a few small ones are asked
# by .ci/run of the optimised program (make check-figures).
find_package(Python3 REQUIRED COMPONENTS Interpreter)
set(guidelines ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tests/guidelines/guidelines.py --program
  $<TARGET_FILE:quadrille_cli>)
add_test(NAME guidelines.all COMMAND ${guidelines} --sizes steps,64,64KiB,64MiB)
set_tests_properties(guidelines.all PROPERTIES LABELS slow TIMEOUT 14400)
