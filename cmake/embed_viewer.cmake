# Turns web/viewer.html into the source that viewer/view_page.h declares: raw literals, which every compiler takes, in parts
# that the shortest limit of the standard allows.
#
#   cmake -DINPUT=web/viewer.html -DOUTPUT=viewer_page.cc -P cmake/embed_viewer.cmake
cmake_minimum_required(VERSION 3.25)
file(READ ${INPUT} page)
if(page MATCHES "\\)viewer\"")
  message(FATAL_ERROR "${INPUT} holds what ends a literal")
endif()
set(literals "")
string(LENGTH "${page}" length)
set(part 16000)
foreach(begin RANGE 0 ${length} ${part})
  string(SUBSTRING "${page}" ${begin} ${part} piece)
  string(APPEND literals "    R\"viewer(${piece})viewer\"\n")
endforeach()
file(WRITE ${OUTPUT} "// Written by cmake/embed_viewer.cmake.\n#include \"quadrille/viewer/view_page.h\"\n\n"
  "namespace quadrille {\n\nstd::string_view empty_page() {\n  return\n${literals}  ;\n}\n\n}  // namespace quadrille\n")
