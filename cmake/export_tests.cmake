# What `quadrille export` writes, given to those whom it is for.
set(export_tests ${PROJECT_SOURCE_DIR}/tests/exports)
add_test(NAME export.outside_readers COMMAND ${export_tests}/outside.sh $<TARGET_FILE:quadrille_cli> ${PROJECT_BINARY_DIR}/outside_readers)
set_tests_properties(export.outside_readers PROPERTIES LABELS cli)
if(NOT QUADRILLE_MPI_PROGRAMS)
  return()
endif()

# C files for MPI: compiled with warnings as errors, and held against the MPI library's own functions. Reductions of the
# second program go in the order of ranks.
# quadrille_mpi_c_test(NAME MPI START RANKS TOPOLOGY MOVING REDUCING): its last two are options of the plans.
function(quadrille_mpi_c_test name mpi start ranks topology moving reducing)
  set(folder ${PROJECT_BINARY_DIR}/exports/${name})
  file(MAKE_DIRECTORY ${folder})
  set(sources)
  foreach(collective alltoall allgather broadcast scatter gather allreduce reduce reduce_scatter)
    set(options ${moving})
    if(collective MATCHES reduce)
      set(options ${reducing})
    endif()
    add_custom_command(OUTPUT ${folder}/${collective}.c
      COMMAND quadrille_cli export ${collective} ${topology} ${options} --to mpi-c -o ${folder}/${collective}.c > ${folder}/log
      DEPENDS quadrille_cli VERBATIM)
    list(APPEND sources ${folder}/${collective}.c)
  endforeach()
  add_executable(export_${name} ${export_tests}/mpi_c.c ${sources})
  target_link_libraries(export_${name} PRIVATE ${mpi} quadrille_c_flags quadrille_c_sanitizers)
  add_test(NAME export.mpi_c_${name} COMMAND ${expect} 0 "^all right$" ${start} -n ${ranks} $<TARGET_FILE:export_${name}>)
  quadrille_mpi_properties(export.mpi_c_${name})
endfunction()

if(TARGET quadrille_openmpi AND QUADRILLE_OPENMPI_START)
  quadrille_mpi_c_test(openmpi_routers quadrille_openmpi ${QUADRILLE_OPENMPI_START} 6 "fat_tree(2,3)" "--pieces;2" "--pieces;2")
  quadrille_mpi_c_test(openmpi_ordered quadrille_openmpi ${QUADRILLE_OPENMPI_START} 4 "ring(4)" "--switching;wormhole"
    "--operator;ordered")
  # One table for all ranks, on a group that does not commute.
  quadrille_mpi_c_test(openmpi_alike quadrille_openmpi ${QUADRILLE_OPENMPI_START} 6 "star(3)" "--switching;wormhole"
    "--pieces;2")
endif()
if(TARGET quadrille_mpich AND QUADRILLE_MPICH_START)
  quadrille_mpi_c_test(mpich quadrille_mpich ${QUADRILLE_MPICH_START} 2 "line(2)" "--pieces;3" "--pieces;3")
endif()
