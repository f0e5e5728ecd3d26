# The programs of examples/: each is built, run, and must print what lies beside it, x.cc and x.txt. They see what a user
# sees, so each includes the front door and no other header of ours.
file(GLOB QUADRILLE_EXAMPLES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/examples/*.cc)
set(check ${PROJECT_SOURCE_DIR}/tests/examples/check.cmake)
foreach(source IN LISTS QUADRILLE_EXAMPLES)
  get_filename_component(name ${source} NAME_WE)
  add_executable(example_${name} ${source})
  target_link_libraries(example_${name} PRIVATE quadrille quadrille_flags)
  set_target_properties(example_${name} PROPERTIES OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY examples)
  add_test(NAME example.${name} COMMAND ${CMAKE_COMMAND} -DPROGRAM=$<TARGET_FILE:example_${name}> -DSOURCE=${source}
    -DEXPECTED=${PROJECT_SOURCE_DIR}/examples/${name}.txt -P ${check})
endforeach()
add_test(NAME example.own_network_from_a_file COMMAND example_own_network
  ${PROJECT_SOURCE_DIR}/testdata/graphs/rack.graphml)
set_tests_properties(example.own_network_from_a_file PROPERTIES PASS_REGULAR_EXPRESSION "alltoall: [0-9]+ steps by ")
