# Compiles SOURCE with COMPILER. A file with lines "// expected: TEXT" must be refused with one of these texts in the
# message (compilers word it differently); a file without must be accepted.
cmake_minimum_required(VERSION 3.25)
set(ENV{LC_ALL} C)  # plain quotation marks, in English
execute_process(COMMAND ${COMPILER} -std=c++20 -fsyntax-only -I${INCLUDE} ${SOURCE}
  RESULT_VARIABLE status ERROR_VARIABLE said)
file(STRINGS ${SOURCE} expectations REGEX "^// expected: ")
if(NOT expectations)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "should compile, but:\n${said}")
  endif()
  return()
endif()
if(status EQUAL 0)
  message(FATAL_ERROR "compiles, but must not")
endif()
foreach(expectation IN LISTS expectations)
  string(REPLACE "// expected: " "" text "${expectation}")
  string(FIND "${said}" "${text}" position)
  if(NOT position EQUAL -1)
    return()
  endif()
endforeach()
message(FATAL_ERROR "refused, but for another reason:\n${said}")
