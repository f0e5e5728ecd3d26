# The public headers: quadrille/quadrille.h and whatever it includes, directly or not. There is no list to keep: a header
# is public when the front door leads to it.
#
#   quadrille_public_headers(OUT SOURCE_DIR)     paths like quadrille/compile/compile.h, sorted
cmake_policy(PUSH)
cmake_policy(VERSION 3.25)  # an install script has none
function(quadrille_public_headers out source_dir)
  set(found)
  set(waiting quadrille/quadrille.h)
  while(waiting)
    list(POP_FRONT waiting header)
    if(header IN_LIST found)
      continue()
    endif()
    list(APPEND found ${header})
    file(STRINGS ${source_dir}/${header} includes REGEX "^#include [<\"]quadrille/")
    foreach(include IN LISTS includes)
      string(REGEX REPLACE "^#include [<\"]([^>\"]+).*" "\\1" next "${include}")
      list(APPEND waiting ${next})
    endforeach()
  endwhile()
  list(SORT found)
  set(${out} ${found} PARENT_SCOPE)
endfunction()
cmake_policy(POP)
