# Whether what `auto` chooses contradicts itself (tests/guidelines): a few small networks, and, behind `make test-slow`, all of
# them with and without sizes.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
set(guidelines ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tests/guidelines/guidelines.py --program
  $<TARGET_FILE:quadrille_cli>)
add_test(NAME guidelines.small_networks COMMAND ${guidelines} --only mesh2x3,one_way --sizes steps,64KiB)
add_test(NAME guidelines.named_and_from_a_file COMMAND ${guidelines} --only petersen,petersen-file --sizes steps)
add_test(NAME guidelines.all COMMAND ${guidelines} --sizes steps,64,64KiB,64MiB)
set_tests_properties(guidelines.small_networks guidelines.named_and_from_a_file PROPERTIES TIMEOUT 600)
set_tests_properties(guidelines.all PROPERTIES LABELS slow TIMEOUT 14400)
