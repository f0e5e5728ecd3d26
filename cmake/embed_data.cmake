# Turns the text files below data/ into the source that embedded.h declares: one raw literal each.
#
#   cmake -DROOT=. -DOUTPUT=embedded_files.cc -P cmake/embed_data.cmake
#
# A literal costs a compiler next to nothing, where an array of bytes costs seconds; and a text that two compilers
# read alike needs no assembler.
cmake_minimum_required(VERSION 3.25)
file(GLOB_RECURSE files RELATIVE ${ROOT} ${ROOT}/data/*.txt)
list(SORT files)
set(source "// Written by cmake/embed_data.cmake.\n#include \"quadrille/stored/embedded.h\"\n\nnamespace quadrille {\n")
string(APPEND source "namespace {\n\nconstexpr EmbeddedFile kFiles[] = {\n")
foreach(file IN LISTS files)
  file(READ ${ROOT}/${file} text)
  if(text MATCHES "\\)stored\"")
    message(FATAL_ERROR "${file} holds what ends a literal")
  endif()
  string(APPEND source "    {\"${file}\", R\"stored(${text})stored\"},\n")
endforeach()
string(APPEND source "};\n\n}  // namespace\n\n")
string(APPEND source "std::span<const EmbeddedFile> embedded_files() { return kFiles; }\n\n}  // namespace quadrille\n")
file(WRITE ${OUTPUT} "${source}")
