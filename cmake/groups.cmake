# Several small sources as one: most of what a file costs to compile is what it shares with its neighbours. A group is up
# to QUADRILLE_GROUP sources of one folder, in the order of their names; 0 compiles each file by itself, as an edit and
# the check of every file's own includes want it (presets quick, clang, lint).
#
# So sources of one folder must not use one name for different things, not even in their unnamed namespaces. A file
# behind a catalog line puts what is its own into a namespace <name>_parts.
set(QUADRILLE_GROUP 0 CACHE STRING "How many sources of a folder are compiled as one; 0: each by itself")

# quadrille_group(TARGET SOURCE...): these sources of the target, in groups.
function(quadrille_group target)
  if(QUADRILLE_GROUP LESS 2)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # g++ takes for a header what a source includes: unnamed namespaces in it are none.
    target_compile_options(${target} PRIVATE -Wno-subobject-linkage)
  endif()
  set(sources ${ARGN})
  list(SORT sources)
  set(last "")
  foreach(source IN LISTS sources)
    get_filename_component(folder ${source} DIRECTORY)
    if(NOT folder STREQUAL last)
      set(last ${folder})
      set(in_folder 0)
    endif()
    math(EXPR number "${in_folder} / ${QUADRILLE_GROUP}")
    math(EXPR in_folder "${in_folder} + 1")
    file(RELATIVE_PATH name ${PROJECT_SOURCE_DIR}/src/quadrille ${folder})
    string(REPLACE "/" "_" name "${name}_${number}")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${name})
  endforeach()
endfunction()
