# What a rig needs besides the programs (rig/README.md): ranks that sleep while they wait, and the program that is run there, for
# every MPI. None of it is installed.
add_library(rig_nap MODULE ${PROJECT_SOURCE_DIR}/rig/nap.c)
target_link_libraries(rig_nap PRIVATE quadrille_c_flags ${CMAKE_DL_LIBS})

add_custom_target(quadrille_rig DEPENDS rig_nap ${QUADRILLE_MPI_PROGRAMS})

# quadrille_add_rig_exchange(NAME LIBRARY)
function(quadrille_add_rig_exchange name library)
  add_executable(${name} ${PROJECT_SOURCE_DIR}/rig/exchange.c)
  target_link_libraries(${name} PRIVATE quadrille_c_flags quadrille_c_sanitizers ${library}_static)
  add_dependencies(quadrille_rig ${name})
endfunction()
if(TARGET quadrille_mpi_static)
  quadrille_add_rig_exchange(rig_exchange_openmpi quadrille_mpi)
endif()
if(TARGET quadrille_mpi_mpich_static)
  quadrille_add_rig_exchange(rig_exchange_mpich quadrille_mpi_mpich)
endif()

# Routes and refusals need nothing; the rest is for root, where the kernel has what it takes, and one at a time.
if(QUADRILLE_TESTS)
  enable_testing()
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  set(rig_test ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tests/rig/rig_test.py)
  add_test(NAME rig.routes COMMAND ${rig_test} routes --program $<TARGET_FILE:quadrille_cli>)
  add_test(NAME rig.refusals COMMAND ${rig_test} refusals --program $<TARGET_FILE:quadrille_cli>)
  add_test(NAME rig.teardown COMMAND ${rig_test} teardown --program $<TARGET_FILE:quadrille_cli>)
  add_test(NAME rig.links COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/rig/check.py --quick)
  set_tests_properties(rig.routes rig.refusals rig.teardown rig.links PROPERTIES LABELS mpi
    ENVIRONMENT QUADRILLE_BUILD=${PROJECT_BINARY_DIR})
  set_tests_properties(rig.teardown rig.links PROPERTIES SKIP_RETURN_CODE 77 RUN_SERIAL ON TIMEOUT 900)
  set_property(TEST rig.links PROPERTY LABELS mpi slow)
endif()
