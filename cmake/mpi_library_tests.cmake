# The library over real ranks: every collective against the MPI library's own, one launch for each number of ranks, and
# what is said where something is wrong. Sets of programs are made first.
# (A '.' in a regex stands for a semicolon, at which CMake would split.)
find_package(Threads REQUIRED)
set(library_tests ${PROJECT_SOURCE_DIR}/tests/mpi_library)
set(sets ${PROJECT_BINARY_DIR}/program_sets)
set(networks_1 "complete(1)")
set(networks_2 "line(2)")
set(networks_3 "ring(3)")
set(networks_4 "torus(2,2)")
set(networks_6 "mesh(2,3)")
set(networks_8 "hypercube(3)")
set(networks_9 "torus(3,3)")
set(networks_12 "mesh(3,4)")
set(networks_16 "torus(4,4)")
foreach(ranks 1 2 3 4 6 8 9 12 16)
  add_test(NAME mpi_library.set_${ranks} COMMAND quadrille_cli export all ${networks_${ranks}} --to program-set
    --sizes 64,64K --every-size -o ${sets}/${ranks})
  set_tests_properties(mpi_library.set_${ranks} PROPERTIES LABELS mpi FIXTURES_SETUP mpi_set_${ranks})
endforeach()
# That leave messages below 1,000 bytes to the MPI library.
foreach(ranks 2 4)
  add_test(NAME mpi_library.set_short_left_${ranks} COMMAND sh -c
    "rm -rf short_left_${ranks} && cp -r ${ranks} short_left_${ranks} && sed -i 's/^\\(program [a-z_]* [-0-9]*\\) 0 /\\1 1000 /' short_left_${ranks}/programs.txt"
    WORKING_DIRECTORY ${sets})
  set_tests_properties(mpi_library.set_short_left_${ranks} PROPERTIES LABELS mpi FIXTURES_SETUP mpi_set_short_left_${ranks}
    FIXTURES_REQUIRED mpi_set_${ranks})
endforeach()
# For operators that do not commute.
foreach(ranks 2 4)
  add_test(NAME mpi_library.set_ordered_${ranks} COMMAND quadrille_cli export reduce,reduce_scatter,allreduce ${networks_${ranks}} --operator ordered
    --to program-set --sizes 64,64K --every-size -o ${sets}/ordered_${ranks})
  set_tests_properties(mpi_library.set_ordered_${ranks} PROPERTIES LABELS mpi FIXTURES_SETUP mpi_set_ordered_${ranks})
endforeach()

# Ranks of MPICH never let go of a core: of them only as many as cost little.
set(ranks_of_quadrille_mpi 1 2 3 4 6 8 9 12 16)
set(ranks_of_quadrille_mpi_mpich 1 2)
set(shared_of_quadrille_mpi "2:2" "4:3")
set(shared_of_quadrille_mpi_mpich "1:2")
set(start_of_quadrille_mpi ${QUADRILLE_OPENMPI_START})
set(start_of_quadrille_mpi_mpich ${QUADRILLE_MPICH_START})

function(quadrille_library_program source library)
  get_filename_component(name ${source} NAME)
  add_executable(${library}_${name} ${library_tests}/${source}.c)
  target_link_libraries(${library}_${name} PRIVATE ${library}_static quadrille_c_flags quadrille_c_sanitizers)
endfunction()

# quadrille_wrong_test(LIBRARY NAME RANKS STATUS WORD.. CASE REGEX [CASE REGEX]...): cases of what_goes_wrong in one launch, and what is said of each.
function(quadrille_wrong_test library name ranks status)
  set(words ${ARGN})
  set(cases)
  set(regexes)
  while(words)
    list(POP_FRONT words case)
    list(APPEND cases ${case})
    if(case STREQUAL "at_once")
      continue()
    endif()
    string(REGEX MATCH "^[a-z_]+" what ${case})
    list(POP_FRONT words regex)
    list(APPEND regexes AND "^${what}: said: quadrille: ${regex}")
  endwhile()
  list(POP_FRONT regexes)
  add_test(NAME ${library}.${name} COMMAND ${expect} ${status} ${regexes} ${start_of_${library}} -n ${ranks}
    $<TARGET_FILE:${library}_what_goes_wrong> ${cases})
  quadrille_mpi_properties(${library}.${name})
  set_tests_properties(${library}.${name} PROPERTIES FIXTURES_REQUIRED "mpi_set_1;mpi_set_2;mpi_set_3;mpi_set_4")
endfunction()

# quadrille_stopped_test(LIBRARY NAME CASE REGEX [CASE REGEX]...): cases of stopped_in_context, all in one launch, and what rank 1 of each is told.
function(quadrille_stopped_test library name)
  set(ranks 0)
  set(cases)
  set(regexes)
  set(words ${ARGN})
  while(words)
    list(POP_FRONT words case regex)
    list(APPEND cases ${case})
    string(REGEX MATCH "^([0-9]+),([a-z]+),([a-z]+)," found ${case})
    math(EXPR ranks "${ranks} + ${CMAKE_MATCH_1}")
    list(APPEND regexes AND "^${CMAKE_MATCH_2}, ${CMAKE_MATCH_3}: rank 1 was told: quadrille: rank 1: ${regex}. no word from rank 0$")
  endwhile()
  list(POP_FRONT regexes)
  add_test(NAME ${library}.${name} COMMAND ${expect} 3 ${regexes} ${start_of_${library}} -n ${ranks}
    $<TARGET_FILE:${library}_stopped_in_context> ${cases})
  quadrille_mpi_properties(${library}.${name})
  set_tests_properties(${library}.${name} PROPERTIES FIXTURES_REQUIRED
    "mpi_set_1;mpi_set_2;mpi_set_4;mpi_set_short_left_2;mpi_set_short_left_4" TIMEOUT 120)
  set_property(TEST ${library}.${name} APPEND PROPERTY ENVIRONMENT QUADRILLE_TIMEOUT=2)
endfunction()

# Runtimes of devices that are not there, under the names of those that may be.
set(device_runtimes)
foreach(name cuda:so.1 amdhip64:so.6)
  string(REPLACE ":" ";" name ${name})
  list(GET name 0 stem)
  list(GET name 1 suffix)
  add_library(fake_${stem} MODULE ${library_tests}/devices/runtime.c)
  target_link_libraries(fake_${stem} PRIVATE quadrille_c_flags)
  set_target_properties(fake_${stem} PROPERTIES OUTPUT_NAME ${stem} SUFFIX .${suffix} LIBRARY_OUTPUT_DIRECTORY
    ${PROJECT_BINARY_DIR}/device_runtimes)
  target_link_options(fake_${stem} PRIVATE -Wl,-soname,lib${stem}.${suffix})
  list(APPEND device_runtimes ${stem})
endforeach()
target_compile_definitions(fake_cuda PRIVATE FAKE_CUDA)

foreach(library IN LISTS QUADRILLE_MPI_LIBRARIES)
  if(NOT start_of_${library})
    continue()
  endif()
  quadrille_library_program(every_call ${library})
  quadrille_library_program(what_goes_wrong ${library})
  foreach(ranks IN LISTS ranks_of_${library})
    add_test(NAME ${library}.every_call_${ranks} COMMAND ${expect} 0 "^all right$" ${start_of_${library}} -n ${ranks}
      $<TARGET_FILE:${library}_every_call> ${sets}/${ranks})
    quadrille_mpi_properties(${library}.every_call_${ranks})
    set_tests_properties(${library}.every_call_${ranks} PROPERTIES FIXTURES_REQUIRED mpi_set_${ranks})
  endforeach()
  # Communicators with a graph.
  quadrille_library_program(graphs ${library})
  foreach(ranks 2 8 16)
    if(NOT ranks IN_LIST ranks_of_${library})
      continue()
    endif()
    add_test(NAME ${library}.graphs_${ranks} COMMAND ${expect} 0 "^all right$" ${start_of_${library}} -n ${ranks}
      $<TARGET_FILE:${library}_graphs> ${sets}/${ranks})
    quadrille_mpi_properties(${library}.graphs_${ranks})
    set_tests_properties(${library}.graphs_${ranks} PROPERTIES FIXTURES_REQUIRED mpi_set_${ranks})
  endforeach()
  add_test(NAME ${library}.graphs_of_networks COMMAND ${expect} 0 "^all right$" $<TARGET_FILE:${library}_graphs>)
  quadrille_mpi_properties(${library}.graphs_of_networks)
  # Contexts of several threads.
  quadrille_library_program(threads ${library})
  target_link_libraries(${library}_threads PRIVATE Threads::Threads)
  add_test(NAME ${library}.threads COMMAND ${expect} 0 "^all right" ${start_of_${library}} -n 2 $<TARGET_FILE:${library}_threads> ${sets}/2)
  quadrille_mpi_properties(${library}.threads)
  set_tests_properties(${library}.threads PROPERTIES FIXTURES_REQUIRED mpi_set_2)
  # Messages of more than 2 GiB, where there is the memory for them.
  quadrille_library_program(large ${library})
  add_test(NAME ${library}.large COMMAND ${start_of_${library}} -n 2 $<TARGET_FILE:${library}_large> ${sets}/2)
  quadrille_mpi_properties(${library}.large)
  set_tests_properties(${library}.large PROPERTIES FIXTURES_REQUIRED mpi_set_2 LABELS "mpi;slow" RUN_SERIAL ON SKIP_RETURN_CODE 77 TIMEOUT 600)
  # Who does calls is tried in the first of them.
  quadrille_library_program(online ${library})
  foreach(ranks 2 4)
    if(NOT ranks IN_LIST ranks_of_${library})
      continue()
    endif()
    add_test(NAME ${library}.online_${ranks} COMMAND ${expect} 0 "^all right$" ${start_of_${library}} -n ${ranks} $<TARGET_FILE:${library}_online> ${sets}/${ranks})
    quadrille_mpi_properties(${library}.online_${ranks})
    set_tests_properties(${library}.online_${ranks} PROPERTIES FIXTURES_REQUIRED mpi_set_${ranks})
    set_property(TEST ${library}.online_${ranks} APPEND PROPERTY ENVIRONMENT QUADRILLE_TUNE=online)
  endforeach()
  # Buffers of one rank on a device, those of the others not; also between leaders.
  quadrille_library_program(devices/devices ${library})
  foreach(runtime IN LISTS device_runtimes)
    foreach(mode known late)
      set(file ${PROJECT_BINARY_DIR}/device_runtimes/$<TARGET_FILE_NAME:fake_${runtime}>)
      set(test ${library}.devices_${mode}_${runtime})
      add_test(NAME ${test} COMMAND ${expect} 0 "^all right$" ${start_of_${library}} -n 2 $<TARGET_FILE:${library}_devices> ${mode}
        ${sets}/2 ${file})
      quadrille_mpi_properties(${test})
      set_tests_properties(${test} PROPERTIES FIXTURES_REQUIRED mpi_set_2)
    endforeach()
    if(NOT 4 IN_LIST ranks_of_${library})
      continue()
    endif()
    foreach(mode known late)
      set(test ${library}.devices_of_nodes_${mode}_${runtime})
      add_test(NAME ${test} COMMAND ${expect} 0 "^all right$" ${start_of_${library}} -n 4 $<TARGET_FILE:${library}_devices> ${mode}
        ${sets}/2 ${PROJECT_BINARY_DIR}/device_runtimes/$<TARGET_FILE_NAME:fake_${runtime}>)
      quadrille_mpi_properties(${test})
      set_tests_properties(${test} PROPERTIES FIXTURES_REQUIRED mpi_set_2)
      set_property(TEST ${test} APPEND PROPERTY ENVIRONMENT QUADRILLE_RANKS_PER_NODE=2)
    endforeach()
  endforeach()
  # Several ranks for each endpoint of the network: leaders do what they can.
  foreach(case IN LISTS shared_of_${library})
    string(REPLACE ":" ";" case ${case})
    list(GET case 0 endpoints)
    list(GET case 1 each)
    math(EXPR ranks "${endpoints} * ${each}")
    add_test(NAME ${library}.${each}_a_node_${endpoints} COMMAND ${expect} 0
      "^reversed: [0-9]+ checks, 0 failed. [1-9][0-9]* calls served.* between the leaders of ${endpoints} nodes of ${each} ranks$"
      ${start_of_${library}} -n ${ranks} $<TARGET_FILE:${library}_every_call> ${sets}/${endpoints} ${each})
    quadrille_mpi_properties(${library}.${each}_a_node_${endpoints})
    set_tests_properties(${library}.${each}_a_node_${endpoints} PROPERTIES TIMEOUT 300 FIXTURES_REQUIRED mpi_set_${endpoints})
    set_property(TEST ${library}.${each}_a_node_${endpoints} APPEND PROPERTY ENVIRONMENT QUADRILLE_RANKS_PER_NODE=${each})
    # Whether a program or the MPI library exchanges what leaders have, is tried, too.
    add_test(NAME ${library}.${each}_a_node_${endpoints}_online COMMAND ${expect} 0 "^all right$"
      ${start_of_${library}} -n ${ranks} $<TARGET_FILE:${library}_every_call> ${sets}/${endpoints} ${each})
    quadrille_mpi_properties(${library}.${each}_a_node_${endpoints}_online)
    set_tests_properties(${library}.${each}_a_node_${endpoints}_online PROPERTIES TIMEOUT 300 FIXTURES_REQUIRED mpi_set_${endpoints})
    set_property(TEST ${library}.${each}_a_node_${endpoints}_online APPEND PROPERTY ENVIRONMENT QUADRILLE_RANKS_PER_NODE=${each}
      QUADRILLE_TUNE=online)
  endforeach()
  # By programs, and by leaders, in the order of ranks.
  foreach(case 2:1 4:1 2:2)
    string(REPLACE ":" ";" case ${case})
    list(GET case 0 endpoints)
    list(GET case 1 each)
    math(EXPR ranks "${endpoints} * ${each}")
    if(NOT ranks IN_LIST ranks_of_${library})
      continue()
    endif()
    set(test ${library}.ordered_${each}_a_node_${endpoints})
    add_test(NAME ${test} COMMAND ${expect} 0 "^all right$" ${start_of_${library}} -n ${ranks} $<TARGET_FILE:${library}_every_call>
      ${sets}/ordered_${endpoints} ${each})
    quadrille_mpi_properties(${test})
    set_tests_properties(${test} PROPERTIES TIMEOUT 300 FIXTURES_REQUIRED mpi_set_ordered_${endpoints})
    set_property(TEST ${test} APPEND PROPERTY ENVIRONMENT QUADRILLE_RANKS_PER_NODE=${each})
  endforeach()
  # A rank stops: however the others wait, they say who it is.
  quadrille_library_program(stopped_in_context ${library})
  set(r 4)
  if(NOT 4 IN_LIST ranks_of_${library})
    set(r 2)
  endif()
  set(set ${sets}/${r})
  set(by_program "nothing moves for 2 s in alltoall .*, step [0-9]+: .* outstanding")
  set(by_numbers "nothing moves for 2 s while ranks agree about sizes of alltoallv: a message from rank [0-9] is outstanding")
  foreach(call alltoall alltoallv)
    set(words ${by_program})
    if(call STREQUAL "alltoallv")
      set(words ${by_numbers})
    endif()
    set(cases)
    foreach(how now test wait waitall persistent)
      list(APPEND cases ${r},${how},${call},20,${set} ${words})
    endforeach()
    quadrille_stopped_test(${library} rank_stops_in_${call} ${cases})
  endforeach()
  quadrille_stopped_test(${library} rank_stops_elsewhere
    ${r},now,allreduce,20,${set} "nothing moves for 2 s in allreduce .* outstanding"
    ${r},now,barrier,20,${set} "nothing moves for 2 s while ranks meet before the MPI library does barrier: a message from rank [0-9] is outstanding"
    ${r},test,barrier,20,${set} "nothing moves for 2 s while the MPI library does a call that was passed on to it"
    ${r},now,library,20,${sets}/short_left_${r} "nothing moves for 2 s while ranks meet before the MPI library does broadcast: .*"
    ${r},create,none,0,${set} "nothing moves for 2 s while ranks make a context")
  # Leaders, and the ranks beside them, which have memory together from their first call on. Also where ranks compare their calls, take turns, or have
  # buffers that may be on a device.
  set(of_a_node ${sets}/1,QUADRILLE_RANKS_PER_NODE=2)
  quadrille_stopped_test(${library} rank_stops_with_settings
    2,now,allreduce,0,${of_a_node} "not all ranks came to a call that its node does together within 2 s"
    2,wait,allreduce,5,${of_a_node} "nothing moves for 2 s among the ranks of its node, in allreduce"
    2,now,alltoallv,5,${of_a_node} "not all ranks came to the comparison of counts within 2 s"
    ${r},now,alltoallv,20,${set},QUADRILLE_CHECK=2 "not all ranks came to alltoallv within 2 s"
    ${r},now,alltoall,20,${set},QUADRILLE_CHECK=2 "not all ranks came to alltoall of 2000 bytes within 2 s"
    ${r},now,alltoall,20,${set},QUADRILLE_DEVICE=1 "not all ranks came to the question whose buffers are on a device within 2 s"
    ${r},now,allreduce,20,${set},QUADRILLE_TUNE=online "(not all ranks came to the turns of QUADRILLE_TUNE=online within|nothing moves for) 2 s.*")
  # The same from C++.
  add_executable(${library}_wrapper ${library_tests}/wrapper.cc)
  target_link_libraries(${library}_wrapper PRIVATE ${library}_static quadrille_flags quadrille_c_sanitizers)
  target_compile_definitions(${library}_wrapper PRIVATE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)
  foreach(ranks 1 2 4)
    if(NOT ranks IN_LIST ranks_of_${library})
      continue()
    endif()
    add_test(NAME ${library}.wrapper_${ranks} COMMAND ${expect} 0 "^all right$" ${start_of_${library}} -n ${ranks}
      $<TARGET_FILE:${library}_wrapper> ${sets}/${ranks})
    quadrille_mpi_properties(${library}.wrapper_${ranks})
    set_tests_properties(${library}.wrapper_${ranks} PROPERTIES FIXTURES_REQUIRED mpi_set_${ranks})
  endforeach()
  set(set ${sets}/3)
  quadrille_wrong_test(${library} refuses_what_makes_no_context 3 1
    topology,${set} "the topology must be the same on all ranks: rank 1 gives 'line\\(3\\)', rank 0 'ring\\(3\\)'$"
    other_topology,${set} "the programs of '.*' are for ring\\(3\\), not for line\\(3\\)$"
    map,${set} ".*rank 1 puts rank 1 on 2, rank 0 on 1$"
    map_of_one,${set} ".*rank 1 gives one, rank 0 none$"
    twice,${set} "the map of ranks puts rank 1 on 0. each of the 3 endpoints has one rank$"
    no_communicator,${set} "a context needs a communicator, and this is MPI_COMM_NULL$"
    create,${sets}/none "cannot read '.*/none/programs.txt': No such file"
    create,- "no programs: neither the argument nor QUADRILLE_PROGRAMS"
    create,${set},QUADRILLE_TUNE=yes "QUADRILLE_TUNE is 'yes'. allowed is online$"
    create,${set},QUADRILLE_DEVICE=gpu "QUADRILLE_DEVICE is 'gpu'. allowed are 0 and 1$"
    create,${sets}/4 ".*are for torus\\(2,2\\) with 4 endpoints, and the communicator has 3 ranks$"
    create,${sets}/1,QUADRILLE_RANKS_PER_NODE=2
    ".*are for complete\\(1\\) with 1 endpoints, and the communicator has 3 ranks on 2 nodes: a rank for each endpoint or as many on each is needed$")
  # Calls that are not the same on all ranks.
  set(unlike "a call must be the same on all ranks: rank 1 calls")
  set(checked ${set},QUADRILLE_CHECK=60)
  quadrille_library_program(stopped_in_library ${library})
  # Rank 1 stops with both; what a launcher makes of a stopped process's end is its own.
  add_test(NAME ${library}.names_a_call_in_which_a_rank_stops COMMAND ${expect} 0
    "^quadrille: rank 0: the MPI library is not done with allreduce after 1 s: a rank has stopped" AND
    "^quadrille: rank 2: the MPI library is not done with allreduce after 1 s: a rank has stopped" AND "^5 calls passed on$"
    sh -c "! \"$@\"" sh ${start_of_${library}} -n 3 $<TARGET_FILE:${library}_stopped_in_library> ${sets}/3)
  quadrille_mpi_properties(${library}.names_a_call_in_which_a_rank_stops)
  set_tests_properties(${library}.names_a_call_in_which_a_rank_stops PROPERTIES FIXTURES_REQUIRED mpi_set_3)
  set_property(TEST ${library}.names_a_call_in_which_a_rank_stops APPEND PROPERTY ENVIRONMENT QUADRILLE_TIMEOUT=1)
  # Calls that can be none; the last fails on the way, and keeps its request.
  quadrille_wrong_test(${library} refuses_what_is_no_call 3 1
    no_context,${set} "no context is given$"
    no_request,${set} "rank 2: no place for a request is given$"
    fewer_than_none,${set} "rank 2: a count of -4 is given for what allreduce sends$"
    fewer_from_root,${set} "rank 2: a count of -1 is given for what scatter receives$"
    fewer_of_one,${set} "rank 2: a count of -3 is given for what allgather receives$"
    no_counts,${set} "rank 2: no counts are given for what reduce_scatter sends$"
    no_counts_to_send,${set} "rank 2: no counts are given for what alltoall sends$"
    no_counts_later,${set} "rank 2: no counts are given for what alltoall receives$")
  quadrille_wrong_test(${library} refuses_unlike_calls 3 1
    bytes,${checked} "${unlike} alltoall of 28 bytes, rank 0 alltoall of 20 bytes$"
    collective,${checked} "${unlike} barrier, rank 0 allgather of 80 bytes$"
    root,${checked} "${unlike} broadcast of 400 bytes, root 2, rank 0 broadcast of 400 bytes, root 0$"
    operator,${checked}
    "${unlike} allreduce of 40 bytes, MPI_MAX of integers of 4 bytes, rank 0 allreduce of 40 bytes, MPI_SUM of integers of 4 bytes$"
    elements,${checked}
    "${unlike} allreduce of 40 bytes, MPI_SUM of floating-point numbers of 4 bytes, rank 0 allreduce of 40 bytes, MPI_SUM of integers of 4 bytes$"
    counts,${checked} "${unlike} allgatherv of 24 bytes in all, digest of counts [0-9a-f]+, rank 0 allgatherv of 24 bytes"
    unlike_counts,${set} "rank 2: rank 1 sends 4 bytes in alltoall, and its counts here say 8$")
  # Of two nodes one has counts that are wrong: both do the next call together.
  add_test(NAME ${library}.refuses_unlike_counts_of_nodes COMMAND ${expect} 1
    "^of_nodes: said: quadrille: node 1: node 0 sends 36 bytes in alltoall, and its counts here say 32$"
    AND "^of_nodes: said: quadrille: rank 2: rank 2 sends 12 bytes in allgather, and its counts here say 8$"
    AND "^also said: quadrille: node 0: node 1 sends 20 bytes in allgather, and its counts here say 16$"
    AND "^also said: quadrille: rank 1: the leader of its node says what is wrong$"
    ${start_of_${library}} -n 4 $<TARGET_FILE:${library}_what_goes_wrong> of_nodes,${sets}/2,QUADRILLE_RANKS_PER_NODE=2)
  quadrille_mpi_properties(${library}.refuses_unlike_counts_of_nodes)
  set_tests_properties(${library}.refuses_unlike_counts_of_nodes PROPERTIES FIXTURES_REQUIRED mpi_set_2)
  # Somebody does not come.
  set(of_a_node ${sets}/1,QUADRILLE_TIMEOUT=2,QUADRILLE_RANKS_PER_NODE=3)
  quadrille_wrong_test(${library} names_a_rank_that_never_comes 15 3 at_once
    late,${set},QUADRILLE_TIMEOUT=2
    "rank 2: nothing moves for 2 s in allreduce .*, step 1: a message from rank 1 and [0-9]+ messages of [0-9]+ bytes are outstanding. no word from rank 1$"
    late,${of_a_node} "rank 2: not all ranks came to a call that its node does together within 2 s. no word from rank 1$"
    late_to_start,${of_a_node} "rank 2: nothing moves for 2 s among the ranks of its node, in allreduce"
    one_less,${set},QUADRILLE_CHECK=2 "rank 2: not all ranks came to allgather of 80 bytes within 2 s. no word from rank 1$"
    in_place,${set} "rank 2: MPI_IN_PLACE is given for what gather sends$")
endforeach()

# What reads files believes nothing of them.
add_executable(quadrille_mpi_spoilt_files ${library_tests}/spoilt_files.c ${PROJECT_SOURCE_DIR}/src/quadrille_mpi/program.c
  ${PROJECT_SOURCE_DIR}/src/quadrille_mpi/program_file.c)
target_include_directories(quadrille_mpi_spoilt_files PRIVATE ${PROJECT_SOURCE_DIR}/src/quadrille_mpi)
target_link_libraries(quadrille_mpi_spoilt_files PRIVATE quadrille_c_flags quadrille_c_sanitizers)
# A network whose ranks do unlike things, and one with files of all three versions.
foreach(ranks 6 8)
  set(scratch ${PROJECT_BINARY_DIR}/spoilt_files_${ranks})
  file(MAKE_DIRECTORY ${scratch})
  add_test(NAME mpi_library.spoilt_files_${ranks} COMMAND quadrille_mpi_spoilt_files ${sets}/${ranks} ${scratch})
  set_tests_properties(mpi_library.spoilt_files_${ranks} PROPERTIES LABELS mpi FIXTURES_REQUIRED mpi_set_${ranks})
endforeach()

# The tuner: what follows from times; what it writes is a set that library and shim obey.
if(TARGET quadrille_openmpi)
  add_executable(quadrille_tune_choice ${library_tests}/tune_choice.c ${PROJECT_SOURCE_DIR}/src/quadrille_mpi/tune_choice.c
    ${PROJECT_SOURCE_DIR}/src/quadrille_mpi/tune_race.c ${PROJECT_SOURCE_DIR}/src/quadrille_mpi/program.c)
  target_include_directories(quadrille_tune_choice PRIVATE ${PROJECT_SOURCE_DIR}/src/quadrille_mpi)
  target_link_libraries(quadrille_tune_choice PRIVATE quadrille_c_flags quadrille_c_sanitizers quadrille_openmpi m)
  add_test(NAME mpi_library.tune_choice COMMAND quadrille_tune_choice)
  set_tests_properties(mpi_library.tune_choice PROPERTIES LABELS mpi)
endif()
# quadrille_tune_test(PROGRAM LIBRARY START RANKS NETWORK COLLECTIVES)
function(quadrille_tune_test program library start ranks network collectives)
  set(tuned ${sets}/tuned_${program})
  add_test(NAME ${program}.tune COMMAND ${expect} 0 "^written +.*tuned_${program}$" ${start} -n ${ranks} $<TARGET_FILE:${program}>
    tune ${collectives} ${network} -o ${tuned} --sizes 4,40000 --milliseconds 1 --candidates 2)
  quadrille_mpi_properties(${program}.tune)
  set_tests_properties(${program}.tune PROPERTIES FIXTURES_SETUP tuned_${program})
  add_test(NAME ${program}.tuned_set COMMAND ${expect} 0 "^all right$" ${start} -n ${ranks} $<TARGET_FILE:${library}_every_call> ${tuned})
  quadrille_mpi_properties(${program}.tuned_set)
  set_tests_properties(${program}.tuned_set PROPERTIES FIXTURES_REQUIRED tuned_${program})
  # The programs that were measured, whatever came of it, are tried in the program.
  add_test(NAME ${program}.tuned_online COMMAND ${expect} 0 "^all right$" ${start} -n ${ranks} $<TARGET_FILE:${library}_online> ${tuned})
  quadrille_mpi_properties(${program}.tuned_online)
  set_tests_properties(${program}.tuned_online PROPERTIES FIXTURES_REQUIRED tuned_${program})
  set_property(TEST ${program}.tuned_online APPEND PROPERTY ENVIRONMENT QUADRILLE_TUNE=online)
endfunction()
if(TARGET quadrille_openmpi AND QUADRILLE_OPENMPI_START)
  quadrille_tune_test(quadrille-mpi quadrille_mpi ${QUADRILLE_OPENMPI_START} 3 "line(3)" alltoall,allreduce)
  add_test(NAME quadrille-mpi.tune_rules COMMAND ${expect} 0 "^3 # alltoall$" cat ${sets}/tuned_quadrille-mpi/openmpi_rules.conf)
  set_tests_properties(quadrille-mpi.tune_rules PROPERTIES LABELS mpi FIXTURES_REQUIRED tuned_quadrille-mpi)
endif()
if(TARGET quadrille_mpich AND QUADRILLE_MPICH_START)
  quadrille_tune_test(quadrille-mpi-mpich quadrille_mpi_mpich ${QUADRILLE_MPICH_START} 2 "line(2)" alltoall,allreduce)
  add_test(NAME quadrille-mpi-mpich.tune_own COMMAND ${expect} 0 "\"bytes\": 4, \"by\": \"library\", \"algorithm\": \"scattered\""
    cat ${sets}/tuned_quadrille-mpi-mpich/tuning.json)
  add_test(NAME quadrille-mpi-mpich.tune_selection COMMAND ${expect} 0 "algorithm=MPIR_Alltoall_intra_pairwise" cat
    ${sets}/tuned_quadrille-mpi-mpich/mpich_selection.json)
  set_tests_properties(quadrille-mpi-mpich.tune_selection PROPERTIES LABELS mpi FIXTURES_REQUIRED tuned_quadrille-mpi-mpich)
  # MPICH reads such a file, and does what it says.
  add_executable(mpich_selection ${library_tests}/mpich_selection.c ${PROJECT_SOURCE_DIR}/src/quadrille_mpi/tune_mpich.c
    ${PROJECT_SOURCE_DIR}/src/quadrille_mpi/tune_choice.c ${PROJECT_SOURCE_DIR}/src/quadrille_mpi/program.c)
  target_link_libraries(mpich_selection PRIVATE quadrille_c_flags quadrille_c_sanitizers quadrille_mpich m ${CMAKE_DL_LIBS})
  set(selection ${PROJECT_BINARY_DIR}/mpich_selection.json)
  add_test(NAME mpich_selection.write COMMAND ${expect} 0 "^written$" $<TARGET_FILE:mpich_selection> write ${selection})
  set_tests_properties(mpich_selection.write PROPERTIES LABELS mpi FIXTURES_SETUP mpich_selection)
  foreach(case "without:four ranks of 1000 bytes: recursive halving" "with:four ranks of 1000 bytes: pairwise"
      "elsewhere:four ranks of 20000 bytes: recursive halving" "of_another_size:three ranks of 1000 bytes: recursive halving")
    string(REGEX MATCH "^([a-z_]+):(.*)$" case ${case})
    set(test mpich_selection.${CMAKE_MATCH_1})
    add_test(NAME ${test} COMMAND ${expect} 0 "^${CMAKE_MATCH_2}$" ${QUADRILLE_MPICH_START} -n 4 $<TARGET_FILE:mpich_selection> run)
    quadrille_mpi_properties(${test})
    set_tests_properties(${test} PROPERTIES FIXTURES_REQUIRED mpich_selection)
    if(NOT test STREQUAL "mpich_selection.without")
      set_property(TEST ${test} APPEND PROPERTY ENVIRONMENT MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE=${selection})
    endif()
  endforeach()
  set_tests_properties(quadrille-mpi-mpich.tune_own PROPERTIES LABELS mpi FIXTURES_REQUIRED tuned_quadrille-mpi-mpich)
endif()

# The shim under programs that know nothing of it, in C and in Fortran (both of its interfaces): who did the calls is what
# the statistics say. Fortran is compiled by the MPI's own wrapper, where it is there.
set(run ${PROJECT_BINARY_DIR}/quadrille-run)
find_program(QUADRILLE_FORTRAN gfortran)
find_program(QUADRILLE_OPENMPI_FORTRAN mpif90.openmpi)
find_program(QUADRILLE_MPICH_FORTRAN mpif90.mpich)

# quadrille_shim_test(MPI NAME REGEX [AND REGEX].. COMMAND...)
function(quadrille_shim_test mpi name regex)
  add_test(NAME shim.${mpi}.${name} COMMAND ${expect} 0 ${regex} ${ARGN})
  quadrille_mpi_properties(shim.${mpi}.${name})
  set_tests_properties(shim.${mpi}.${name} PROPERTIES FIXTURES_REQUIRED "mpi_set_2;mpi_set_4;mpi_set_short_left_2;mpi_set_short_left_4")
  set_property(TEST shim.${mpi}.${name} APPEND PROPERTY ENVIRONMENT QUADRILLE_STATS=1)
endfunction()

function(quadrille_shim_tests mpi target shim wrong_shim ranks start fortran)
  add_executable(plain_${mpi} ${library_tests}/plain.c)
  target_link_libraries(plain_${mpi} PRIVATE ${target} quadrille_c_flags)
  set(with_set ${run} --programs ${sets}/${ranks} -n ${ranks} --mpi ${mpi})
  quadrille_shim_test(${mpi} serves "^all right$" AND "rank 0: alltoall: 10 calls served .* [1-9][0-9]* passed on"
    AND "rank 0: allgather with counts: 5 calls served .* [1-9][0-9]* passed on" ${with_set} $<TARGET_FILE:plain_${mpi}>)
  # What comes between the start of a persistent collective and its end, which the MPI library does.
  add_executable(plain_persistent_${mpi} ${library_tests}/plain_persistent.c)
  target_link_libraries(plain_persistent_${mpi} PRIVATE ${target} quadrille_c_flags)
  quadrille_shim_test(${mpi} persistent "^all right$" AND "rank 0: allreduce: 19 calls served .* 0 passed on$" ${with_set}
    $<TARGET_FILE:plain_persistent_${mpi}>)
  # Short messages are left to the library here, and what else comes and goes says nothing.
  add_executable(plain_shortcut_${mpi} ${library_tests}/plain_shortcut.c)
  target_link_libraries(plain_shortcut_${mpi} PRIVATE ${target} quadrille_c_flags)
  quadrille_shim_test(${mpi} shortcut "^all right$" AND "rank 0: alltoall: 36 calls served .* 156 passed on$" AND
    "rank 0: broadcast: 36 calls served .* 156 passed on$" AND "rank 0: gather: 36 calls served .* 156 passed on$"
    ${run} --programs ${sets}/short_left_${ranks} -n ${ranks} --mpi ${mpi} $<TARGET_FILE:plain_shortcut_${mpi}>)
  # Threads whose communicators get their contexts at once; every call is served, and counted.
  add_executable(plain_threads_${mpi} ${library_tests}/plain_threads.c)
  target_link_libraries(plain_threads_${mpi} PRIVATE ${target} quadrille_c_flags Threads::Threads)
  quadrille_shim_test(${mpi} threads "^all right$" AND "rank 0: allreduce: 400 calls served .* 0 passed on$" ${with_set}
    $<TARGET_FILE:plain_threads_${mpi}>)
  # The same where short messages are passed on, and watched: each thread is in a call of its own.
  quadrille_shim_test(${mpi} threads_watched "^all right$" AND "rank 0: allreduce: .* [1-9][0-9]* passed on$"
    ${run} --programs ${sets}/short_left_${ranks} -n ${ranks} --mpi ${mpi} $<TARGET_FILE:plain_threads_${mpi}>)
  set_property(TEST shim.${mpi}.threads_watched APPEND PROPERTY ENVIRONMENT QUADRILLE_TIMEOUT=60)
  quadrille_shim_test(${mpi} serves_alltoallv "rank 0: alltoall with counts: 10 calls served .* [1-9][0-9]* passed on" ${with_set}
    $<TARGET_FILE:plain_${mpi}>)
  set_property(TEST shim.${mpi}.serves_alltoallv APPEND PROPERTY ENVIRONMENT QUADRILLE_ALLTOALLV=1)
  # Calls by chance, as the library itself does them.
  add_executable(plain_random_${mpi} ${library_tests}/plain_random.c)
  target_link_libraries(plain_random_${mpi} PRIVATE ${target} quadrille_c_flags)
  quadrille_shim_test(${mpi} random "^all right$" AND "rank 0: alltoall with counts: [1-9][0-9]* calls served " ${with_set}
    $<TARGET_FILE:plain_random_${mpi}> 150 7)
  set_property(TEST shim.${mpi}.random APPEND PROPERTY ENVIRONMENT QUADRILLE_ALLTOALLV=1)
  quadrille_shim_test(${mpi} nodes_random_right "^all right$" ${run} --programs ${sets}/2 -n 4 --mpi ${mpi}
    $<TARGET_FILE:plain_random_${mpi}> 100 3)
  set_property(TEST shim.${mpi}.nodes_random_right APPEND PROPERTY ENVIRONMENT QUADRILLE_RANKS_PER_NODE=2)
  # Settings that make no sense.
  foreach(setting STATS=yes CHAIN=2 ALLTOALLV=on RANKS_PER_NODE=0 RANKS_PER_NODE=two TIMEOUT=soon CHECK=-1 TUNE=always)
    string(REGEX MATCH "^(.*)=(.*)$" setting ${setting})
    set(test shim.${mpi}.wrong_${CMAKE_MATCH_1}_${CMAKE_MATCH_2})
    add_test(NAME ${test} COMMAND ${expect} 0 "^quadrille: QUADRILLE_${CMAKE_MATCH_1} is '${CMAKE_MATCH_2}'. allowed .*: plain MPI$"
      ${with_set} $<TARGET_FILE:plain_${mpi}>)
    quadrille_mpi_properties(${test})
    set_tests_properties(${test} PROPERTIES FIXTURES_REQUIRED mpi_set_${ranks})
    set_property(TEST ${test} APPEND PROPERTY ENVIRONMENT QUADRILLE_${CMAKE_MATCH_1}=${CMAKE_MATCH_2})
  endforeach()
  # What is set to nothing is not set.
  quadrille_shim_test(${mpi} empty_settings "^all right$" AND "rank 0: alltoall: 10 calls served .* [1-9][0-9]* passed on" ${with_set}
    $<TARGET_FILE:plain_${mpi}>)
  foreach(setting CHAIN ALLTOALLV RANKS_PER_NODE TIMEOUT CHECK TUNE DEVICE)
    set_property(TEST shim.${mpi}.empty_settings APPEND PROPERTY ENVIRONMENT QUADRILLE_${setting}=)
  endforeach()
  quadrille_shim_test(${mpi} tries_online "rank 0: reduce of 4 bytes: being tried: the MPI library and [12] programs take turns, round 0 of 7"
    AND "^all right$" ${with_set} $<TARGET_FILE:plain_${mpi}>)
  set_property(TEST shim.${mpi}.tries_online APPEND PROPERTY ENVIRONMENT QUADRILLE_TUNE=online)
  # Twice as many ranks as the network has endpoints: leaders exchange what two have, of calls with counts, too. And where they
  # try who does it.
  set(by_nodes ${run} --programs ${sets}/2 -n 4 --mpi ${mpi} $<TARGET_FILE:plain_${mpi}>)
  quadrille_shim_test(${mpi} nodes_serve "rank 0: reduce: 6 calls served .*last by programs between the leaders of nodes.* 3 passed on"
    AND "rank 0: allgather with counts: 6 calls served .* 1 passed on" AND "^all right$" ${by_nodes})
  quadrille_shim_test(${mpi} nodes_online "^all right$" ${by_nodes})
  quadrille_shim_test(${mpi} nodes_of_another_number "^quadrille-run: .*plain MPI unless there are 2 on each of 2 nodes" ${by_nodes})
  foreach(name nodes_serve nodes_online)
    set_property(TEST shim.${mpi}.${name} APPEND PROPERTY ENVIRONMENT QUADRILLE_RANKS_PER_NODE=2)
  endforeach()
  set_property(TEST shim.${mpi}.nodes_online APPEND PROPERTY ENVIRONMENT QUADRILLE_TUNE=online QUADRILLE_CHECK=60)
  # A rank that stops is named, whoever it is; leaders and the ranks beside them wait no longer either; also where ranks agree about what they are to
  # send, before they have a context and where they compare calls. Two wait here, so two tests do at once.
  add_executable(stopped_rank_${mpi} ${library_tests}/stopped_rank.c)
  target_link_libraries(stopped_rank_${mpi} PRIVATE ${target} quadrille_c_flags)
  foreach(case "rank_0_stops:TIMEOUT=1:2:0 19:rank 1: nothing moves for 1 s in allreduce .*: a message from rank 0 and"
      "rank_1_stops:TIMEOUT=1:2:1 19:rank 0: nothing moves for 1 s in allreduce .*: a message from rank 1 and"
      "rank_stops_in_alltoall:TIMEOUT=1:2:0 19 alltoall:rank 1: nothing moves for 1 s in alltoall .*: (a message from|a send to) rank 0 and"
      "rank_stops_in_alltoallv_after_51:TIMEOUT=1:2:0 19 alltoallv 51:rank 1: nothing moves for 1 s while ranks agree about sizes of alltoallv: a message from rank 0 is outstanding. no word from rank 0$"
      "rank_stops_in_alltoallv_after_0:TIMEOUT=1:2:0 19 alltoallv 0:rank 1: nothing moves for 1 s while ranks make a context. no word from rank 0$"
      "rank_stops_in_allreduce_after_0:TIMEOUT=1:2:0 19 allreduce 0:rank 1: nothing moves for 1 s while ranks make a context. no word from rank 0$"
      "rank_stops_in_allgatherv_after_51:TIMEOUT=1:2:0 19 allgatherv 51:rank 1: nothing moves for 1 s in allgather .*: a message from rank 0 and .* are outstanding. no word from rank 0$"
      "rank_stops_where_calls_are_compared:CHECK=1:2:0 19 alltoallv:rank 1: not all ranks came to alltoallv within 1 s. no word from rank 0$"
      "leader_stops:TIMEOUT=1:4:2 19:the leader of node 0: nothing moves for 1 s in allreduce .*: a message from the leader of node 1 and")
    string(REGEX MATCH "^([a-z_0-9]+):([A-Z]+=1):([24]):([a-z0-9 ]+):(.*)$" case ${case})
    set(test shim.${mpi}.${CMAKE_MATCH_1})
    string(REPLACE " " ";" arguments ${CMAKE_MATCH_4})
    add_test(NAME ${test} COMMAND ${expect} 3 "^quadrille: ${CMAKE_MATCH_5}" ${run} --programs ${sets}/2 -n ${CMAKE_MATCH_3} --mpi ${mpi}
      $<TARGET_FILE:stopped_rank_${mpi}> ${arguments})
    quadrille_mpi_properties(${test})
    set_tests_properties(${test} PROPERTIES FIXTURES_REQUIRED mpi_set_2 TIMEOUT 60 PROCESSORS 1)
    set_property(TEST ${test} APPEND PROPERTY ENVIRONMENT QUADRILLE_${CMAKE_MATCH_2} QUADRILLE_ALLTOALLV=1)
  endforeach()
  # What is passed on is watched, too; what a launcher makes of a stopped process's end is its own.
  add_test(NAME shim.${mpi}.rank_stops_in_what_is_passed_on COMMAND ${expect} 0
    "^quadrille: rank 1: the MPI library is not done with MPI_Alltoallv after 1 s: a rank has stopped or did not come, or a link is dead$"
    sh -c "! \"$@\"" sh ${run} --programs ${sets}/2 -n 2 --mpi ${mpi} $<TARGET_FILE:stopped_rank_${mpi}> 0 19 alltoallv)
  quadrille_mpi_properties(shim.${mpi}.rank_stops_in_what_is_passed_on)
  set_tests_properties(shim.${mpi}.rank_stops_in_what_is_passed_on PROPERTIES FIXTURES_REQUIRED mpi_set_2 TIMEOUT 60 PROCESSORS 1)
  set_property(TEST shim.${mpi}.rank_stops_in_what_is_passed_on APPEND PROPERTY ENVIRONMENT QUADRILLE_TIMEOUT=1)
  set_property(TEST shim.${mpi}.leader_stops APPEND PROPERTY ENVIRONMENT QUADRILLE_RANKS_PER_NODE=2)
  # How each launcher gives its processes a variable.
  set(with_wrong -x LD_PRELOAD=$<TARGET_FILE:${wrong_shim}>)
  set(with_none -x LD_PRELOAD=$<TARGET_FILE:${shim}> -x QUADRILLE_PROGRAMS=${sets}/none)
  if(mpi STREQUAL mpich)
    set(with_wrong -genv LD_PRELOAD $<TARGET_FILE:${wrong_shim}>)
    set(with_none -genv LD_PRELOAD $<TARGET_FILE:${shim}> -genv QUADRILLE_PROGRAMS ${sets}/none)
  endif()
  # Rank 0's environment decides: the others' may differ.
  set(asks_alone ${start} -n 1 -x QUADRILLE_ALLTOALLV=1)
  set(others_too -x LD_PRELOAD=$<TARGET_FILE:${shim}> -x QUADRILLE_PROGRAMS=${sets}/2)
  if(mpi STREQUAL mpich)
    set(asks_alone ${start} -n 1 -env QUADRILLE_ALLTOALLV 1)
    set(others_too -env LD_PRELOAD $<TARGET_FILE:${shim}> -env QUADRILLE_PROGRAMS ${sets}/2)
  endif()
  quadrille_shim_test(${mpi} one_asks_for_alltoallv "^all right$" ${asks_alone} ${others_too} $<TARGET_FILE:plain_${mpi}> :
    -n 1 ${others_too} $<TARGET_FILE:plain_${mpi}>)
  if(TARGET ${wrong_shim})
    quadrille_shim_test(${mpi} of_the_other_library "^quadrille: this shim is for .*, and the program has .*: plain MPI$"
      ${start} ${with_wrong} -n 2 $<TARGET_FILE:plain_${mpi}>)
  endif()
  quadrille_shim_test(${mpi} without_a_set "^quadrille: cannot read '.*/none/programs.txt': No such file or directory: plain MPI$"
    ${start} ${with_none} -n 2 $<TARGET_FILE:plain_${mpi}>)
  if(QUADRILLE_FORTRAN AND fortran)
    foreach(program plain_mpif plain_f08)
      add_custom_command(OUTPUT ${program}_${mpi} COMMAND ${fortran} -J ${PROJECT_BINARY_DIR} -o ${program}_${mpi}
        ${library_tests}/${program}.f90 DEPENDS ${library_tests}/${program}.f90 VERBATIM)
      add_custom_target(${program}_${mpi}_program ALL DEPENDS ${program}_${mpi})
      quadrille_shim_test(${mpi} ${program} "^all right$" AND "rank 0: allreduce: 1 calls served .* 0 passed on" AND
        "rank 0: allgather with counts: 1 calls served .* 0 passed on" ${with_set} ${PROJECT_BINARY_DIR}/${program}_${mpi})
    endforeach()
  endif()
endfunction()

if(TARGET quadrille_openmpi AND QUADRILLE_OPENMPI_START)
  quadrille_shim_tests(openmpi quadrille_openmpi quadrille_pmpi quadrille_pmpi_mpich 4 ${QUADRILLE_OPENMPI_START}
    "${QUADRILLE_OPENMPI_FORTRAN}")
endif()
if(TARGET quadrille_mpich AND QUADRILLE_MPICH_START)
  quadrille_shim_tests(mpich quadrille_mpich quadrille_pmpi_mpich quadrille_pmpi 2 ${QUADRILLE_MPICH_START}
    "${QUADRILLE_MPICH_FORTRAN}")
endif()

# Another tool behind the shim sees what is passed on, where that is asked for: here three calls, of half of the ranks, of one alone and between groups.
if(TARGET quadrille_openmpi AND QUADRILLE_OPENMPI_START)
  # Of a device that one rank has the shim leaves calls alone, and serves those whose buffers are all on hosts.
  quadrille_shim_test(openmpi devices "rank 0: alltoall: 0 calls served .* 1 passed on" AND "^all right$" ${run} --programs ${sets}/4 -n 4
    --mpi openmpi $<TARGET_FILE:quadrille_mpi_devices> plain - ${PROJECT_BINARY_DIR}/device_runtimes/$<TARGET_FILE_NAME:fake_cuda>)
  # The program may have a sanitizer in it, which wants to come first, and comes after a shim.
  set_property(TEST shim.openmpi.devices APPEND PROPERTY ENVIRONMENT_MODIFICATION
    "ASAN_OPTIONS=string_append::verify_asan_link_order=0")
  add_library(quadrille_other_tool MODULE ${library_tests}/other_tool.c)
  target_link_libraries(quadrille_other_tool PRIVATE quadrille_openmpi quadrille_c_flags)
  set(with_tool ${QUADRILLE_OPENMPI_START} -x LD_PRELOAD=$<TARGET_FILE:quadrille_pmpi>:$<TARGET_FILE:quadrille_other_tool>
    -x QUADRILLE_PROGRAMS=${sets}/4)
  quadrille_shim_test(openmpi chained "^other tool: 3 calls$" ${with_tool} -x QUADRILLE_CHAIN=1 -n 4 $<TARGET_FILE:plain_openmpi>)
  quadrille_shim_test(openmpi not_chained "^other tool: 0 calls$" ${with_tool} -n 4 $<TARGET_FILE:plain_openmpi>)
  quadrille_shim_test(openmpi compared "^all right$" ${run} --programs ${sets}/4 -n 4 --mpi openmpi $<TARGET_FILE:plain_openmpi>)
  set_property(TEST shim.openmpi.compared APPEND PROPERTY ENVIRONMENT QUADRILLE_CHECK=60)
endif()

# Programs of other people, where they are installed.
foreach(program hpcc scalapack mpi4py)
  if(TARGET quadrille_openmpi AND QUADRILLE_OPENMPI_START)
    add_test(NAME others.${program} COMMAND python3 ${library_tests}/others.py ${program} --run ${run} --programs ${sets}/4)
  endif()
endforeach()
if(TARGET quadrille_mpich AND QUADRILLE_MPICH_START)
  add_test(NAME others.mpich COMMAND python3 ${library_tests}/others.py mpich --mpi mpich --run ${run} --programs ${sets}/4)
endif()
if(TARGET quadrille_openmpi AND QUADRILLE_OPENMPI_START)
  add_test(NAME others.mpich_openmpi COMMAND python3 ${library_tests}/others.py mpich --run ${run} --programs ${sets}/4)
endif()
foreach(program hpcc scalapack mpi4py mpich mpich_openmpi)
  if(TEST others.${program})
    set_tests_properties(others.${program} PROPERTIES LABELS "mpi;slow" FIXTURES_REQUIRED mpi_set_4 SKIP_RETURN_CODE 77 TIMEOUT 3600
      PROCESSORS 2)
  endif()
endforeach()

# The standard ABI: what is compiled for it needs nothing else, and runs with a libmpi_abi that each MPI here makes for it.
set(standard_abi ${library_tests}/standard_abi)
add_executable(quadrille_abi_constants ${standard_abi}/constants.c)
target_link_libraries(quadrille_abi_constants PRIVATE quadrille_standard_abi quadrille_c_flags)
add_test(NAME standard_abi.constants COMMAND quadrille_abi_constants)
foreach(library quadrille_mpi_abi_shared quadrille_pmpi_abi)
  add_test(NAME standard_abi.symbols_of_${library} COMMAND bash ${standard_abi}/symbols.sh $<TARGET_FILE:${library}>
    ${PROJECT_SOURCE_DIR}/src/quadrille_mpi/abi/mpi.h)
  set_tests_properties(standard_abi.symbols_of_${library} PROPERTIES LABELS mpi)
endforeach()
set_tests_properties(standard_abi.constants PROPERTIES LABELS mpi)

# Programs name libmpi_abi and nothing more; which one they get is said when they start.
function(quadrille_abi_program name source)
  add_executable(${name} ${library_tests}/${source})
  target_link_libraries(${name} PRIVATE quadrille_standard_abi quadrille_c_flags ${ARGN})
  set_target_properties(${name} PROPERTIES SKIP_BUILD_RPATH ON)
endfunction()

# quadrille_abi_tests(MPI TARGET RANKS SHIM NAME): the shim of MPI's own programs, and what it calls the MPI.
function(quadrille_abi_tests mpi target ranks shim words)
  set(abi abi_of_${mpi})
  add_library(${abi} SHARED ${standard_abi}/libmpi_abi.c)
  set_target_properties(${abi} PROPERTIES OUTPUT_NAME mpi_abi SOVERSION 1 LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/${abi})
  target_link_options(${abi} PRIVATE -Wl,--no-as-needed)
  target_link_libraries(${abi} PRIVATE quadrille_c_flags ${target} ${CMAKE_DL_LIBS})
  if(NOT TARGET plain_abi)
    quadrille_abi_program(plain_abi plain.c ${abi})
    quadrille_abi_program(every_call_abi every_call.c quadrille_mpi_abi_static quadrille_c_sanitizers ${abi})
  endif()
  set(start ${start_of_${ARGV5}})
  set(with_set ${run} --programs ${sets}/${ranks} -n ${ranks} --launcher ${start} $<TARGET_FILE:plain_abi>)
  quadrille_shim_test(abi_${mpi} serves "^all right$" AND "rank 0: alltoall: 10 calls served .* [1-9][0-9]* passed on" AND
    "rank 0: allgather with counts: 5 calls served .* [1-9][0-9]* passed on" ${with_set})
  quadrille_shim_test(abi_${mpi} of_the_other_library
    "^quadrille: this shim is for ${words}, and the program has the standard ABI of MPI: plain MPI$"
    ${start} -n 2 env LD_PRELOAD=$<TARGET_FILE:${shim}> $<TARGET_FILE:plain_abi>)
  quadrille_shim_test(abi_${mpi} in_a_native_program
    "^quadrille: this shim is for the standard ABI of MPI, and the program has ${words}: plain MPI$"
    ${start} -n 2 env LD_PRELOAD=$<TARGET_FILE:quadrille_pmpi_abi> $<TARGET_FILE:plain_${mpi}>)
  quadrille_shim_test(abi_${mpi} of_a_later_version
    "^quadrille: this shim is for version 1 of the standard ABI of MPI, and the program has version 2: plain MPI$" ${with_set})
  quadrille_shim_test(abi_${mpi} every_call "^all right$" ${start} -n ${ranks} $<TARGET_FILE:every_call_abi> ${sets}/${ranks})
  foreach(name serves of_the_other_library in_a_native_program of_a_later_version every_call)
    set_property(TEST shim.abi_${mpi}.${name} APPEND PROPERTY ENVIRONMENT LD_LIBRARY_PATH=${PROJECT_BINARY_DIR}/${abi})
  endforeach()
  set_property(TEST shim.abi_${mpi}.of_a_later_version APPEND PROPERTY ENVIRONMENT QUADRILLE_TEST_ABI_VERSION=2)
endfunction()
if(TARGET quadrille_openmpi AND QUADRILLE_OPENMPI_START)
  quadrille_abi_tests(openmpi quadrille_openmpi 4 quadrille_pmpi "Open MPI" quadrille_mpi)
endif()
if(TARGET quadrille_mpich AND QUADRILLE_MPICH_START)
  quadrille_abi_tests(mpich quadrille_mpich 2 quadrille_pmpi_mpich "MPICH" quadrille_mpi_mpich)
endif()

# The launcher's own words.
function(quadrille_run_refuses name regex)
  add_test(NAME quadrille-run.${name} COMMAND ${expect} 2 ${regex} ${run} ${ARGN})
  set_tests_properties(quadrille-run.${name} PROPERTIES LABELS mpi FIXTURES_REQUIRED mpi_set_4)
endfunction()
quadrille_run_refuses(no_program "which program" -n 4 --topology "ring(4)")
quadrille_run_refuses(no_network "--topology or --programs is needed" -n 4 true)
quadrille_run_refuses(no_ranks "-n: 'four' is given. a number of ranks is needed" -n four --topology "ring(4)" true)
quadrille_run_refuses(unknown_option "no option is called '--topolgy'" --topolgy "ring(4)" true)
quadrille_run_refuses(no_mpi "'true' is linked with no MPI that is known here" -n 4 --topology "ring(4)" true)
quadrille_run_refuses(tuned_for_a_machine "--machine: --tune measures this one" -n 4 --mpi openmpi --topology "ring(4)" --tune
  --machine links_100g true)
quadrille_run_refuses(no_launcher "--launcher: no command is called 'mpirn'" -n 4 --mpi openmpi --topology "ring(4)" --launcher mpirn true)
quadrille_run_refuses(unknown_mpi "--mpi: 'lam' is given. allowed are openmpi, mpich and abi" -n 4 --mpi lam --topology "ring(4)" true)
quadrille_run_refuses(no_set "'/nowhere' is no set of programs" -n 4 --mpi openmpi --programs /nowhere true)
# What the tuner found of the library's own algorithms is given to the library.
foreach(mpi_and_rules openmpi=coll_tuned_dynamic_rules_filename=.*/openmpi_rules.conf
    mpich=MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE.*/mpich_selection.json)
  string(REGEX MATCH "^([a-z]+)=(.*)$" found "${mpi_and_rules}")
  set(mpi ${CMAKE_MATCH_1})
  set(rules ${CMAKE_MATCH_2})
  set(tuner quadrille-mpi)
  set(ranks 3)
  if(mpi STREQUAL mpich)
    set(tuner quadrille-mpi-mpich)
    set(ranks 2)
  endif()
  if(NOT TEST ${tuner}.tune OR NOT TARGET plain_${mpi})
    continue()
  endif()
  set(command ${run} -n ${ranks} --mpi ${mpi} --programs ${sets}/tuned_${tuner})
  add_test(NAME quadrille-run.own_rules_of_${mpi} COMMAND ${expect} 0 "${rules} .*true" ${command} --dry-run true)
  add_test(NAME quadrille-run.by_own_rules_of_${mpi} COMMAND ${expect} 0 "^all right$" ${command} $<TARGET_FILE:plain_${mpi}>)
  foreach(test own_rules_of_${mpi} by_own_rules_of_${mpi})
    quadrille_mpi_properties(quadrille-run.${test})
    set_tests_properties(quadrille-run.${test} PROPERTIES FIXTURES_REQUIRED tuned_${tuner})
  endforeach()
endforeach()
