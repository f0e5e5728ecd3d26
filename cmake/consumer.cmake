# An outside project that uses what `cmake --install` leaves: installs into the build folder, looks at the headers that
# are there, then builds and runs tests/consumer twice, once through find_package and once through pkg-config.
set(prefix ${PROJECT_BINARY_DIR}/consumer/prefix)
set(consumer ${PROJECT_SOURCE_DIR}/tests/consumer)

# A library with sanitizers can only be linked by a program with the same.
set(consumer_flags "")
if(QUADRILLE_SANITIZE)
  set(consumer_flags -fsanitize=${QUADRILLE_SANITIZE})
endif()

add_test(NAME consumer.install COMMAND ${CMAKE_COMMAND} -DBINARY=${PROJECT_BINARY_DIR} -DPREFIX=${prefix}
  -P ${consumer}/install.cmake)
add_test(NAME consumer.headers COMMAND ${CMAKE_COMMAND} -DINCLUDE=${prefix}/${CMAKE_INSTALL_INCLUDEDIR}
  -P ${consumer}/check_headers.cmake)
add_test(NAME consumer.find_package COMMAND ${CMAKE_CTEST_COMMAND}
  --build-and-test ${consumer} ${PROJECT_BINARY_DIR}/consumer/find_package --build-generator Ninja
  --build-options -DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER} -DCMAKE_PREFIX_PATH=${prefix}
    -DCMAKE_CXX_FLAGS=${consumer_flags}
  --test-command ${PROJECT_BINARY_DIR}/consumer/find_package/consumer)
add_test(NAME consumer.pkg_config COMMAND ${CMAKE_COMMAND} -DCOMPILER=${CMAKE_CXX_COMPILER}
  -DFLAGS=${consumer_flags} -DSOURCE=${consumer}/main.cc -DBINARY=${PROJECT_BINARY_DIR}/consumer/with_pkg_config
  -DPKGCONFIG_DIR=${prefix}/${CMAKE_INSTALL_LIBDIR}/pkgconfig -P ${consumer}/with_pkg_config.cmake)

set_tests_properties(consumer.install PROPERTIES FIXTURES_SETUP installed)
set_tests_properties(consumer.headers PROPERTIES FIXTURES_REQUIRED installed)
set_tests_properties(consumer.find_package consumer.pkg_config PROPERTIES FIXTURES_REQUIRED installed
  PASS_REGULAR_EXPRESSION "alltoall on torus\\(4,4\\): 32 steps, at least 32")
