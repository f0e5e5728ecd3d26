# SimGrid as an outside witness, where it is: schedules in its forms are replayed by it (tests/simgrid/replay.py).
find_program(QUADRILLE_SMPIRUN smpirun)
if(QUADRILLE_SMPIRUN)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  set(replay ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tests/simgrid/replay.py --program $<TARGET_FILE:quadrille_cli>
    --smpirun ${QUADRILLE_SMPIRUN})
  add_test(NAME simgrid.replay COMMAND ${replay})
  add_test(NAME simgrid.replay_of_many_packets COMMAND ${replay} --slow)
  set_tests_properties(simgrid.replay_of_many_packets PROPERTIES LABELS slow TIMEOUT 3600)
endif()
