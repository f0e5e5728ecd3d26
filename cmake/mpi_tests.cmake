# quadrille-mpi over real ranks, for every MPI that it was built with. Containers are met half way: root may start ranks,
# there may be more ranks than cores, no remote shell is looked for, and messages go through shared memory; Open MPI looks for no
# fast networks, which is half of the time that a start takes, and who is told to end is not given a second for it. Leaks are not
# looked for: the MPI libraries keep what they have until the end.
set(expect ${PROJECT_SOURCE_DIR}/tests/mpi/expect.sh)
set(plans ${PROJECT_SOURCE_DIR}/tests/mpi)

function(quadrille_mpi_properties test)
  set_tests_properties(${test} PROPERTIES LABELS mpi TIMEOUT 120 PROCESSORS 2 ENVIRONMENT
    "ASAN_OPTIONS=detect_leaks=0:malloc_context_size=6:quarantine_size_mb=8:thread_local_quarantine_size_kb=256;OMPI_ALLOW_RUN_AS_ROOT=1;OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1;OMPI_MCA_plm=isolated;OMPI_MCA_pml=ob1;OMPI_MCA_odls_base_sigkill_timeout=0;OMPI_MCA_btl=self,vader;OMPI_MCA_btl_vader_single_copy_mechanism=none;OMPI_MCA_rmaps_base_oversubscribe=1;OMPI_MCA_hwloc_base_binding_policy=none;OMPI_MCA_mpi_yield_when_idle=1;HYDRA_LAUNCHER=fork")
endfunction()

# quadrille_mpi_test(NAME RANKS STATUS REGEX [AND REGEX]... ARGUMENTS...): once per MPI.
function(quadrille_mpi_test name ranks status regex)
  foreach(program IN LISTS QUADRILLE_MPI_PROGRAMS)
    set(start ${QUADRILLE_MPI_START_${program}})
    if(NOT start)
      continue()
    endif()
    set(words ${ARGN})
    set(regexes ${regex})
    list(GET words 0 first)
    while(first STREQUAL "AND")
      list(POP_FRONT words first another)
      list(APPEND regexes AND ${another})
      list(GET words 0 first)
    endwhile()
    add_test(NAME ${program}.${name}
      COMMAND ${expect} ${status} ${regexes} ${start} -n ${ranks} $<TARGET_FILE:${program}> ${words})
    quadrille_mpi_properties(${program}.${name})
  endforeach()
endfunction()

# quadrille_mpi_unlike_test(NAME STATUS REGEX RANKS DIRECTORY ARGUMENTS... AND RANKS DIRECTORY ARGUMENTS...): ranks that were
# started differently, some in one directory and with some arguments, some in another and with others.
function(quadrille_mpi_unlike_test name status regex)
  foreach(program IN LISTS QUADRILLE_MPI_PROGRAMS)
    set(start ${QUADRILLE_MPI_START_${program}})
    if(NOT start)
      continue()
    endif()
    set(words ${ARGN})
    list(FIND words AND middle)
    math(EXPR after "${middle} + 1")
    list(SUBLIST words 0 ${middle} first)
    list(SUBLIST words ${after} -1 second)
    list(POP_FRONT first ranks_1 directory_1)
    list(POP_FRONT second ranks_2 directory_2)
    add_test(NAME ${program}.${name}
      COMMAND ${expect} ${status} ${regex} ${start}
        -n ${ranks_1} -wdir ${directory_1} $<TARGET_FILE:${program}> ${first} :
        -n ${ranks_2} -wdir ${directory_2} $<TARGET_FILE:${program}> ${second})
    quadrille_mpi_properties(${program}.${name})
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
quadrille_mpi_test(root_by_label 6 0 ${right} run broadcast "mesh(2,3)" --root "(1,2)" --bytes 10)
quadrille_mpi_test(slices 4 0 "^rearranged +[0-9]+ blocks? by the busiest node$"
  run alltoall "mesh(2,2)" --ports one --switching wormhole --slices)
quadrille_mpi_test(queues 4 0 "^queues +at most 0 blocks for one link, 0 from one$" run alltoall "ring(4)" --queues any)
quadrille_mpi_test(one_rank 1 0 ${right} run scatter "ring(1)")
quadrille_mpi_test(json 4 0 "\"bytes_checked\": 1600" run alltoall "ring(4)" --bytes 100 --json)
quadrille_mpi_test(large_messages 2 0 ${right} run alltoall "line(2)" --bytes 20000001)
quadrille_mpi_test(plan_file 3 0 ${right} run --plan ${plans}/gather.plan --bytes 50)
quadrille_mpi_test(reduction 3 0 ${right} run --plan ${plans}/reduce.plan --bytes 100000 --iterations 2)
quadrille_mpi_test(slots 5 0 ${right} run --plan ${plans}/slots.plan --bytes 10001 --repeat 3)
quadrille_mpi_test(slots_of_floats 5 0 ${right} run --plan ${plans}/slots.plan --bytes 10001 --type float)
quadrille_mpi_test(maps_in_order 5 0 ${right} run allreduce "ring(5)" --type int32 --op compose --bytes 1000)
quadrille_mpi_test(maps_in_slots 9 0 ${right} run reduce "torus(3,3)" --root "(1,1)" --type double --op compose)
quadrille_mpi_test(padded 6 0 "^elements +3 of float, sum. 3 chunks of 1 .padded by 2 bytes.$"
  run reduce "mesh(2,3)" --bytes 10 --pieces 3 --type float)
quadrille_mpi_test(bits_of_floats 3 2 "^error: --op band combines bits" run reduce "ring(3)" --type float --op band)
quadrille_mpi_test(any_order 4 2 "does not commute, and this plan need not combine ranks in order"
  run reduce "ring(4)" --type float --op compose --operator commutative)
quadrille_mpi_test(many_packets 9 0 ${right} run allgather "torus(3,3)" --packets many --pieces 4 --bytes 1001)
quadrille_mpi_test(shared 8 0 ${right} run allreduce "ring(8)" --switching shared --pieces 8 --bytes 4099 --type int8)
quadrille_mpi_test(times 4 0 "^time +min .*, median .*, max .* of 5 runs$" run alltoall "ring(4)" --repeat 5)
# What is stated is obeyed, with messages of MPI.
set(worms alltoall "mesh(2,3)" --ports one --switching wormhole --algorithm alltoall_mesh --bytes 1000)
quadrille_mpi_test(signals 6 0 "^obeyed +10 signals$" AND ${right} run ${worms} --sync signals --iterations 3)
quadrille_mpi_test(barriers 6 0 "^obeyed +3 barriers .MPI_Barrier.$" AND ${right} run ${worms} --sync barriers --iterations 3)
quadrille_mpi_test(priorities 6 0 "^obeyed +10 signals, for priorities, which MPI has not$" run ${worms} --sync priorities)
quadrille_mpi_test(null_messages 6 0 "\"null_messages\": 10" run ${worms} --sync signals --json)
quadrille_mpi_test(stated_signal 3 0 "^null messages +1$" run --plan ${plans}/signal.plan)
quadrille_mpi_test(spoilt_signal 3 1 "^step 2, transfer 1: \\[synchronisation\\] 1 may start this while 0 > 2"
  run --plan ${plans}/spoilt_signal.plan)
quadrille_mpi_test(spoilt_signal_passed_over 3 0 ${right} run --plan ${plans}/spoilt_signal.plan --sync none)
quadrille_mpi_test(tune_wrong_size 2 2 "^error: ring\\(4\\) has 4 endpoints, but 2 MPI ranks were started. start them with -n 4$"
  tune all "ring(4)" -o ${PROJECT_BINARY_DIR}/never)
quadrille_mpi_test(tune_too_many_sizes 2 2 "^error: --sizes: 33 sizes are given. allowed are at most 32$"
  tune all "line(2)" -o ${PROJECT_BINARY_DIR}/never --sizes 1:4294967296)
quadrille_mpi_test(tune_no_collective 2 2 "^error: .*alltoal" tune alltoal "line(2)" -o ${PROJECT_BINARY_DIR}/never)
quadrille_mpi_test(tune_help 2 0 "--candidates" tune --help)
quadrille_mpi_test(help 2 0 "--iterations" run --help)

# Nodes that decide for themselves: every node is a rank, routers too. Those of many ranks are for an MPI whose ranks let go of a core.
set(QUADRILLE_MPI_PROGRAMS_OF_ALL ${QUADRILLE_MPI_PROGRAMS})
if(QUADRILLE_MPI_START_quadrille-mpi)
  set(QUADRILLE_MPI_PROGRAMS quadrille-mpi)
endif()
quadrille_mpi_test(local_weights 14 0 ${right} run broadcast "extended_ring(14,2)" --local --ports one --pieces 2)
quadrille_mpi_test(local_queues 15 0 "^nodes +15 processes, 7 of them routers"
  run alltoall "fat_tree(2^3)" --send-ports one --local --bytes 100 --iterations 2)
quadrille_mpi_test(local_table 16 0 "^tables +252 bytes" run alltoall "torus(4,4)" --ports one --local --bytes 1000)
set(QUADRILLE_MPI_PROGRAMS ${QUADRILLE_MPI_PROGRAMS_OF_ALL})
quadrille_mpi_test(local_buffers 7 0 ${right} run allgather "fat_tree(2^2)" --local --bytes 77)
quadrille_mpi_test(local_worms 8 0 ${right} run alltoall "ring(8)" --ports one --switching wormhole --local --bytes 5000
  --algorithm alltoall_wormhole_t1)
quadrille_mpi_test(local_json 5 0 "\"wrong_bytes\": 0" run alltoall "line(5)" --local --json)
quadrille_mpi_test(local_one_node 1 0 ${right} run broadcast "ring(1)" --local)

# quadrille and quadrille-mpi choose the same algorithm for the same words, whatever options there are; what ranks share is what the program does alone;
# and they keep no plan of a file in memory. What an MPI does with messages is nothing to the first and the last: one will do.
set(first)
foreach(program IN LISTS QUADRILLE_MPI_PROGRAMS)
  set(start ${QUADRILLE_MPI_START_${program}})
  if(NOT start)
    continue()
  endif()
  if(NOT first)
    set(first ${program})
    add_test(NAME ${program}.chooses_what_quadrille_chooses
      COMMAND bash ${plans}/same_choice.sh $<TARGET_FILE:quadrille_cli> $<TARGET_FILE:${program}> ${start}
        ${plans}/same_choice.txt)
    quadrille_mpi_properties(${program}.chooses_what_quadrille_chooses)
    if(NOT QUADRILLE_SANITIZE)
      add_test(NAME ${program}.keeps_no_plan_file_in_memory
        COMMAND bash ${plans}/memory.sh $<TARGET_FILE:quadrille_cli> $<TARGET_FILE:${program}> ${start})
      quadrille_mpi_properties(${program}.keeps_no_plan_file_in_memory)
    endif()
  endif()
  add_test(NAME ${program}.shares_what_quadrille_does_alone
    COMMAND bash ${plans}/same_as_alone.sh $<TARGET_FILE:quadrille_cli> $<TARGET_FILE:${program}> ${start} 3
      ${plans}/same_as_alone.txt
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  quadrille_mpi_properties(${program}.shares_what_quadrille_does_alone)
  set(fails ${program}.one_rank_fails)
  get_target_property(mpi ${program} QUADRILLE_MPI)
  add_executable(${fails} ${plans}/one_rank_fails.cc
    ${PROJECT_SOURCE_DIR}/src/quadrille/mpi/mpi_transport.cc ${PROJECT_SOURCE_DIR}/src/quadrille/mpi/agreement.cc)
  target_compile_definitions(${fails} PRIVATE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)
  target_link_libraries(${fails} PRIVATE quadrille quadrille_flags ${mpi} fmt::fmt)
  add_test(NAME ${fails} COMMAND ${expect} 2 "^error: rank 1: it fails on purpose" ${start} -n 3 $<TARGET_FILE:${fails}>)
  quadrille_mpi_properties(${fails})
  add_test(NAME ${program}.stopped_rank COMMAND bash ${plans}/stopped_rank.sh $<TARGET_FILE:${program}> ${start})
  quadrille_mpi_properties(${program}.stopped_rank)
  # MPICH's launcher starts ranks of other machines as processes of this one, if it is told to, and they share no memory then.
  if(program STREQUAL quadrille-mpi-mpich)
    add_test(NAME ${program}.stopped_rank_of_another_machine COMMAND bash ${plans}/stopped_rank.sh $<TARGET_FILE:${program}>
      "${start} -launcher fork -hosts one,two,three")
    quadrille_mpi_properties(${program}.stopped_rank_of_another_machine)
  endif()
endforeach()

# What must be refused (a '.' stands for the semicolons, which CMake would split at), once, by rank 0, and without anybody waiting for ever.
quadrille_mpi_test(wrong_size 3 2 "^error: torus\\(4,4\\) has 16 endpoints, but 3 MPI ranks were started. start them with -n 16$"
  run alltoall "torus(4,4)")
quadrille_mpi_test(bad_spec 2 2 "^error: topology:1:1: " run alltoall "tours(2)")
quadrille_mpi_test(no_file 2 2 "^error: .*no_such_file.plan" run --plan ${plans}/no_such_file.plan)
quadrille_mpi_test(bad_plan 3 1 "^step 2, transfer 1: \\[sender_holds\\]" run --plan ${plans}/lost.plan)
quadrille_mpi_test(false_claim 3 1 "^steps: the plan states 9, the judge counts 2$" run --plan ${plans}/false_claim.plan)
quadrille_mpi_test(plan_and_other_problem 3 2 "^error: .*gather.plan is a plan for gather on .*, not for gather on ring\\(4\\)$"
  run gather "ring(4)" --plan ${plans}/gather.plan)
quadrille_mpi_test(wrong_algorithm 2 2 "^error: --algorithm: no algorithm is called 'magic'. those for alltoall: "
  run alltoall "ring(2)" --algorithm magic)
quadrille_mpi_test(algorithm_for_another 2 2 "^error: --algorithm: broadcast_bfs_tree is for broadcast, not for alltoall$"
  run alltoall "ring(2)" --algorithm broadcast_bfs_tree)
quadrille_mpi_test(unknown_option 2 2 "^error: .*--byts" run alltoall "ring(2)" --byts 3)
quadrille_mpi_test(too_many_bytes 2 2 "^error: blocks of 1125899906842624 bytes need .* GiB for the buffers of all ranks"
  run alltoall "line(2)" --bytes 1125899906842624)

quadrille_mpi_test(local_without_routers 4 2
  "^error: fat_tree\\(2.2\\) has 7 nodes, 3 of them routers, but 4 MPI ranks were started. with --local every node is a rank, start them with -n 7$"
  run alltoall "fat_tree(2^2)" --local)
quadrille_mpi_test(local_refused 9 2 "broadcast_fat_tree: it needs a fat tree" run broadcast "mesh(3,3)" --local)
quadrille_mpi_test(local_plan 3 2 "^error: --local makes no plan, nor does it take one: leave out --plan$"
  run --local --plan ${plans}/gather.plan)

# Ranks that are not of one mind: all stop before data moves, and one says why. None waits for ever (the tests have a time limit).
set(here ${plans}/here)
set(there ${plans}/there)
set(other "^error: rank 2: what is run must be the same on all ranks. here: .*. rank 0: ")
quadrille_mpi_unlike_test(unlike_sizes 2 ${other} 2 ${here} run alltoall "ring(4)" AND 2 ${here} run alltoall "ring(4)" --bytes 7)
quadrille_mpi_unlike_test(unlike_counts 2 ${other} 2 ${here} run alltoall "ring(4)" AND 2 ${here} run alltoall "ring(4)" --iterations 2)
set(line alltoall "line(4)" --ports one --switching wormhole --algorithm alltoall_mesh)
quadrille_mpi_unlike_test(unlike_synchronisation 2 ${other}
  2 ${here} run ${line} AND 2 ${here} run ${line} --sync barriers)
quadrille_mpi_unlike_test(unlike_algorithms 2 ${other}
  2 ${here} run alltoall "ring(4)" AND 2 ${here} run alltoall "ring(4)" --algorithm alltoall_direct)
quadrille_mpi_unlike_test(unlike_collectives 2 ${other} 2 ${here} run alltoall "ring(4)" AND 2 ${here} run allgather "ring(4)")
quadrille_mpi_unlike_test(unlike_graph_files 2 ${other}
  2 ${here} run alltoall "file(\"net.edges\")" AND 2 ${there} run alltoall "file(\"net.edges\")")
quadrille_mpi_unlike_test(unlike_networks 2 "^error: rank 2: .*here: .*line\\(4\\).*. rank 0: .*ring\\(4\\)"
  2 ${here} run alltoall "ring(4)" AND 2 ${here} run alltoall "line(4)")
quadrille_mpi_unlike_test(unlike_numbers_of_nodes 2 "^error: rank 2: .*ring\\(5\\) has 5 endpoints, but 4 MPI ranks"
  2 ${here} run alltoall "ring(4)" AND 2 ${here} run alltoall "ring(5)")
quadrille_mpi_unlike_test(unlike_roots 2 "^error: rank 2: .*here: .*, root 2.*. rank 0: .*, root 1"
  2 ${here} run broadcast "ring(4)" --root 1 AND 2 ${here} run broadcast "ring(4)" --root 2)
quadrille_mpi_unlike_test(unlike_tuning 2 "^error: rank 1: the arguments must be the same on all ranks. here: tune .*line\\(2\\).*. rank 0: tune .*ring\\(2\\)"
  1 ${here} tune all "ring(2)" -o no AND 1 ${here} tune all "line(2)" -o no)
quadrille_mpi_unlike_test(graph_file_of_some 2 "^error: rank 2: topology:1:6: cannot read 'only_here.edges': "
  2 ${here} run alltoall "file(\"only_here.edges\")" AND 2 ${there} run alltoall "file(\"only_here.edges\")")
quadrille_mpi_unlike_test(option_of_one 2 "^error: rank 3: .*--byts"
  3 ${here} run alltoall "ring(4)" AND 1 ${here} run alltoall "ring(4)" --byts 3)
quadrille_mpi_unlike_test(plan_of_some 2 "^error: rank 1: the arguments must be the same on all ranks. here: run --plan .*. rank 0: run alltoall"
  1 ${here} run alltoall "ring(3)" AND 2 ${here} run --plan ${plans}/gather.plan)
quadrille_mpi_unlike_test(help_of_some 2 "^error: rank 1: the arguments must be the same on all ranks"
  1 ${here} run alltoall "ring(3)" AND 2 ${here} run --help)
quadrille_mpi_test(graph_file_of_a_plan 4 2 "^error: .*a plan opens no file unless that is allowed" run --plan ${plans}/names_a_file.plan)
quadrille_mpi_unlike_test(graph_file_of_a_plan_allowed 0 ${right}
  2 ${here} run --allow-files --plan ${plans}/names_a_file.plan AND 2 ${here} run --allow-files --plan ${plans}/names_a_file.plan)
