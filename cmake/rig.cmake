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

# quadrille_add_rig_pairs(NAME MPI): without the library: a shim is loaded, or not.
function(quadrille_add_rig_pairs name mpi)
  add_executable(${name} ${PROJECT_SOURCE_DIR}/rig/pairs.c)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/src/quadrille_mpi)
  target_link_libraries(${name} PRIVATE quadrille_c_flags ${mpi})
  add_dependencies(quadrille_rig ${name})
endfunction()
if(TARGET quadrille_mpi_static)
  quadrille_add_rig_exchange(rig_exchange_openmpi quadrille_mpi)
  quadrille_add_rig_pairs(rig_pairs_openmpi quadrille_openmpi)
endif()
if(TARGET quadrille_mpi_mpich_static)
  quadrille_add_rig_exchange(rig_exchange_mpich quadrille_mpi_mpich)
  quadrille_add_rig_pairs(rig_pairs_mpich quadrille_mpich)
endif()

# The same program and the library, compiled for SimGrid's MPI, where that is.
find_program(QUADRILLE_SMPICC smpicc)
if(QUADRILLE_SMPICC)
  set(smpi_sources ${QUADRILLE_MPI_LIBRARY_SOURCES} ${PROJECT_SOURCE_DIR}/rig/exchange.c)
  add_custom_command(OUTPUT rig_exchange_smpi COMMAND ${QUADRILLE_SMPICC} -std=gnu11 -O2 -D_GNU_SOURCE -DQUADRILLE_SIMULATED
    -I${PROJECT_SOURCE_DIR}/src/quadrille_mpi -o rig_exchange_smpi ${smpi_sources} DEPENDS ${smpi_sources}
    ${PROJECT_SOURCE_DIR}/rig/common_start.h VERBATIM)
  add_custom_target(rig_exchange_smpi_program ALL DEPENDS rig_exchange_smpi)
  add_dependencies(quadrille_rig rig_exchange_smpi_program)
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
  if(QUADRILLE_SMPICC)
    add_test(NAME rig.smpi_exact COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/rig/smpi_compare.py --golden
      ${PROJECT_SOURCE_DIR}/tests/rig/smpi_exact.txt)
    set_tests_properties(rig.smpi_exact PROPERTIES LABELS mpi ENVIRONMENT QUADRILLE_BUILD=${PROJECT_BINARY_DIR}
      SKIP_RETURN_CODE 77)
  endif()
  set_tests_properties(rig.routes rig.refusals rig.teardown rig.links PROPERTIES LABELS mpi
    ENVIRONMENT QUADRILLE_BUILD=${PROJECT_BINARY_DIR})
  set_tests_properties(rig.teardown rig.links PROPERTIES SKIP_RETURN_CODE 77 RUN_SERIAL ON TIMEOUT 900)
  set_property(TEST rig.links PROPERTY LABELS mpi slow)
endif()
