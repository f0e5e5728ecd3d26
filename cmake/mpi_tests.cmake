# quadrille-mpi over real ranks, for every MPI that it was built with. Containers are met half way: root may start ranks,
# there may be more ranks than cores, no remote shell is looked for, and messages go through shared memory. Leaks are not
# looked for: the MPI libraries keep what they have until the end.
set(expect ${PROJECT_SOURCE_DIR}/tests/mpi/expect.sh)
set(plans ${PROJECT_SOURCE_DIR}/tests/mpi)

# quadrille_mpi_test(NAME RANKS STATUS REGEX ARGUMENTS...): once per MPI.
function(quadrille_mpi_test name ranks status regex)
  foreach(program IN LISTS QUADRILLE_MPI_PROGRAMS)
    set(start ${QUADRILLE_MPI_START_${program}})
    if(NOT start)
      continue()
    endif()
    add_test(NAME ${program}.${name}
      COMMAND ${expect} ${status} ${regex} ${start} -n ${ranks} $<TARGET_FILE:${program}> ${ARGN})
    set_tests_properties(${program}.${name} PROPERTIES LABELS mpi TIMEOUT 120 PROCESSORS 2 ENVIRONMENT
      "ASAN_OPTIONS=detect_leaks=0;OMPI_ALLOW_RUN_AS_ROOT=1;OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1;OMPI_MCA_plm=isolated;OMPI_MCA_btl=self,vader;OMPI_MCA_btl_vader_single_copy_mechanism=none;OMPI_MCA_rmaps_base_oversubscribe=1;OMPI_MCA_hwloc_base_binding_policy=none;OMPI_MCA_mpi_yield_when_idle=1;HYDRA_LAUNCHER=fork")
  endforeach()
endfunction()

find_program(QUADRILLE_OPENMPI_START NAMES mpirun.openmpi)
find_program(QUADRILLE_MPICH_START NAMES mpiexec.mpich mpiexec.hydra)
if(QUADRILLE_OPENMPI_START)
  set(QUADRILLE_MPI_START_quadrille-mpi ${QUADRILLE_OPENMPI_START})
endif()
if(QUADRILLE_MPICH_START)
  set(QUADRILLE_MPI_START_quadrille-mpi-mpich ${QUADRILLE_MPICH_START})
endif()

set(right "^wrong bytes +0$")
quadrille_mpi_test(alltoall 16 0 ${right} run alltoall "torus(4,4)" --bytes 1000 --iterations 3)
quadrille_mpi_test(one_port 6 0 ${right} run alltoall "ring(6)" --ports one --pieces 2 --bytes 65537)
quadrille_mpi_test(empty_blocks 4 0 ${right} run alltoall "ring(4)" --bytes 0)
quadrille_mpi_test(odd_blocks 6 0 ${right} run allgather "mesh(2,3)" --bytes 3)
quadrille_mpi_test(routers 8 0 ${right} run broadcast "fat_tree(2^3)" --root 5 --bytes 777)
quadrille_mpi_test(worms 8 0 ${right} run alltoall "hypercube(3)" --switching wormhole --pieces 3 --bytes 100)
quadrille_mpi_test(one_rank 1 0 ${right} run scatter "ring(1)")
quadrille_mpi_test(json 4 0 "\"bytes_checked\": 1600" run alltoall "ring(4)" --bytes 100 --json)
quadrille_mpi_test(large_messages 2 0 ${right} run alltoall "line(2)" --bytes 20000001)
quadrille_mpi_test(plan_file 3 0 ${right} run --plan ${plans}/gather.plan --bytes 50)
quadrille_mpi_test(reduction 3 0 ${right} run --plan ${plans}/reduce.plan --bytes 100000 --iterations 2)
quadrille_mpi_test(help 2 0 "--iterations" run --help)

# What must be refused (a '.' stands for the semicolons, which CMake would split at), once, by rank 0, and without anybody waiting for ever.
quadrille_mpi_test(wrong_size 3 2 "^error: torus\\(4,4\\) has 16 endpoints, but 3 MPI ranks were started. start them with -n 16$"
  run alltoall "torus(4,4)")
quadrille_mpi_test(bad_spec 2 2 "^error: topology:1:1: " run alltoall "tours(2)")
quadrille_mpi_test(no_file 2 2 "^error: .*no_such_file.plan" run --plan ${plans}/no_such_file.plan)
quadrille_mpi_test(bad_plan 3 1 "^step 2, transfer 1: \\[sender_holds\\]" run --plan ${plans}/lost.plan)
quadrille_mpi_test(wrong_algorithm 2 2 "^error: --algorithm: no algorithm is called 'magic'. those for alltoall: "
  run alltoall "ring(2)" --algorithm magic)
quadrille_mpi_test(algorithm_for_another 2 2 "^error: --algorithm: broadcast_bfs_tree is for broadcast, not for alltoall$"
  run alltoall "ring(2)" --algorithm broadcast_bfs_tree)
quadrille_mpi_test(unknown_option 2 2 "^error: .*--byts" run alltoall "ring(2)" --byts 3)
quadrille_mpi_test(too_many_bytes 2 2 "^error: blocks of 1125899906842624 bytes need .* GiB for the buffers of all ranks"
  run alltoall "line(2)" --bytes 1125899906842624)
