# Reads the includes of every source and says which break the layering of dev/layers.txt.
#
#   cmake -DROOT=src/quadrille -DLAYERS=dev/layers.txt -P dev/check_layers.cmake
#
# The rules:
#   layers     a file includes only its own shelf and what its row allows. Tests, benchmarks and fuzz targets
#              (x.test.cc, x.perf.cc, x.fuzz.cc) may include what they need, but cli and mpi only on their own shelf
#   mpi        <mpi.h> is included in mpi/ alone
#   speaking   only the shelves that speak print or end the process (tests may)
#   judged     no header of a shelf after the judge mentions a Plan: it takes a Schedule
#   headers    no header but a test's includes a library that stays in sources
#   shelves    every folder has a row, and none is called util, common, core, misc or helpers
cmake_minimum_required(VERSION 3.25)
set(broken 0)

macro(report place rule text)
  message("${place}: [${rule}] ${text}")
  math(EXPR broken "${broken} + 1")
endmacro()

# --- layers.txt: row_<shelf> is what the shelf builds on, allowed_<shelf> all that it may include -----------------
file(STRINGS ${LAYERS} rows REGEX "^[^#]")
set(shelves)
foreach(row IN LISTS rows)
  string(REGEX MATCH "^([^:]+):(.*)$" _ "${row}")
  set(name "${CMAKE_MATCH_1}")
  separate_arguments(targets UNIX_COMMAND "${CMAKE_MATCH_2}")
  if(name STREQUAL "speaks")
    set(speaks ${targets})
    list(JOIN speaks "/ and " speakers)
  elseif(name STREQUAL "after the judge")
    set(after_the_judge ${targets})
  elseif(name STREQUAL "stays in sources")
    list(JOIN targets "|" stays_in_sources)
  else()
    list(APPEND shelves ${name})
    set(row_${name} ${targets})
  endif()
endforeach()

# Grows every set until nothing is new; a shelf that reaches itself is on a circle.
foreach(shelf IN LISTS shelves)
  set(allowed_${shelf})
  set(frontier ${row_${shelf}})
  while(frontier)
    list(POP_FRONT frontier next)
    if(NOT next IN_LIST shelves)
      report("${LAYERS}" "shelves" "${shelf} builds on ${next}, which has no row")
    elseif(NOT next IN_LIST allowed_${shelf})
      list(APPEND allowed_${shelf} ${next})
      list(APPEND frontier ${row_${next}})
    endif()
  endwhile()
  if(shelf IN_LIST allowed_${shelf})
    report("${LAYERS}" "layers" "${shelf} is on a circle of includes")
  endif()
endforeach()

# --- the tree -----------------------------------------------------------------------------------------------------
file(GLOB_RECURSE entries LIST_DIRECTORIES true RELATIVE ${ROOT} ${ROOT}/*)
foreach(entry IN LISTS entries)
  if(IS_DIRECTORY ${ROOT}/${entry})
    get_filename_component(name ${entry} NAME)
    if(name MATCHES "^(util|utils|common|core|misc|helper|helpers)$")
      report("${entry}/" "shelves" "a folder is called after what lies in it, not '${name}'")
    elseif(NOT entry MATCHES "/" AND NOT entry IN_LIST shelves)
      report("${entry}/" "shelves" "has no row in layers.txt")
    endif()
  endif()
endforeach()

# Reports every match of a regular expression in `content` with its line.
function(forbid file content regex rule text)
  if(NOT content MATCHES "${regex}")
    return()
  endif()
  string(REPLACE "\n" ";" lines "${content}")
  set(number 0)
  foreach(line IN LISTS lines)
    math(EXPR number "${number} + 1")
    if(line MATCHES "${regex}")
      report("${file}:${number}" "${rule}" "${text}: ${line}")
    endif()
  endforeach()
  set(broken ${broken} PARENT_SCOPE)
endfunction()

set(not_a_name "(^|[^A-Za-z0-9_.>])")
set(printing "std::(cout|cerr|clog)|fmt::print|${not_a_name}(printf|fprintf|vprintf|vfprintf|puts|fputs|putchar)[ ]*\\(")
set(ending "${not_a_name}(exit|_exit|_Exit|quick_exit|abort|terminate)[ ]*\\(")

foreach(file IN LISTS entries)
  if(NOT file MATCHES "\\.(h|cc|inc)$" OR NOT file MATCHES "/")
    continue()
  endif()
  string(REGEX MATCH "^[^/]+" shelf ${file})
  if(NOT shelf IN_LIST shelves)
    continue()  # reported above
  endif()
  string(REGEX MATCH "\\.(test|perf|fuzz)\\.(cc|h)$" is_test ${file})
  file(READ ${ROOT}/${file} content)
  # Comments may say what code may not; the characters that CMake lists treat specially mean nothing here.
  string(REGEX REPLACE "//[^\n]*" "" content "${content}")
  string(REGEX REPLACE "[][;\\]" " " content "${content}")

  string(REGEX MATCHALL "#include \"quadrille/[a-z_]+/" includes "${content}")
  list(REMOVE_DUPLICATES includes)
  foreach(include IN LISTS includes)
    string(REGEX REPLACE "#include \"quadrille/([a-z_]+)/" "\\1" target "${include}")
    if(target STREQUAL shelf OR target IN_LIST allowed_${shelf})
      continue()
    endif()
    if(is_test AND target IN_LIST shelves AND NOT target IN_LIST speaks)
      continue()
    endif()
    forbid(${file} "${content}" "${include}" "layers" "${shelf} may not include ${target}")
  endforeach()

  if(NOT shelf STREQUAL "mpi")
    forbid(${file} "${content}" "#include [<\"]mpi\\.h" "mpi" "only mpi/ includes <mpi.h>")
  endif()
  if(file MATCHES "\\.h$" AND NOT is_test AND NOT shelf IN_LIST speaks)  # theirs are not installed
    forbid(${file} "${content}" "#include [<\"](${stays_in_sources})[/.]" "headers" "a library that stays in sources")
  endif()
  if(NOT shelf IN_LIST speaks AND NOT is_test)
    forbid(${file} "${content}" "${printing}" "speaking" "only ${speakers}/ may print")
    forbid(${file} "${content}" "${ending}" "speaking" "only ${speakers}/ may end the process")
  endif()
  if(shelf IN_LIST after_the_judge AND file MATCHES "\\.h$" AND NOT is_test)
    forbid(${file} "${content}" "${not_a_name}Plan([^A-Za-z0-9_]|$)" "judged" "takes a Schedule, never a Plan")
  endif()
endforeach()

if(broken GREATER 0)
  message(FATAL_ERROR "${broken} violations of the layering")
endif()
list(LENGTH shelves num_shelves)
message("${num_shelves} shelves, no violation")
