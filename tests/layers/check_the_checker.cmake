# Runs the checker of layers over a tree in which every rule is broken: it must say exactly what expected.txt says.
#
#   cmake -DCHECKER=dev/check_layers.cmake -P tests/layers/check_the_checker.cmake
cmake_minimum_required(VERSION 3.25)
set(here ${CMAKE_CURRENT_LIST_DIR})
execute_process(COMMAND ${CMAKE_COMMAND} -DROOT=${here}/broken -DLAYERS=layers.txt -DMOST=9 -P ${CHECKER}
  WORKING_DIRECTORY ${here} RESULT_VARIABLE status ERROR_VARIABLE said OUTPUT_QUIET)
string(REGEX REPLACE "CMake Error.*" "" found "${said}")
file(READ ${here}/expected.txt expected)
if(status EQUAL 0)
  message(FATAL_ERROR "the checker passed a tree in which every rule is broken")
endif()
if(NOT found STREQUAL expected)
  message(FATAL_ERROR "the checker should have said\n${expected}\nbut said\n${found}")
endif()
