# Several small sources as one: most of what a file costs to compile is what it shares with its neighbours. A group is up
# to QUADRILLE_GROUP sources of one folder, in the order of their names; 0 compiles each file by itself, as an edit and
# the check of every file's own includes want it (presets quick, clang, lint).
#
# So sources of one folder must not use one name for different things, not even in their unnamed namespaces. A file
# behind a catalog line puts what is its own into a namespace <name>_parts.
#
# CMake's own unity builds name sources by where the tree lies, so that no two checkouts shared one of them in a compiler
# cache: these files name them from src/ on.
set(QUADRILLE_GROUP 0 CACHE STRING "How many sources of a folder are compiled as one; 0: each by itself")

# quadrille_group(TARGET SOURCE...): these sources of the target, in groups. Who has flags of its own, or
# SKIP_UNITY_BUILD_INCLUSION, stays alone: such properties are set before.
function(quadrille_group target)
  if(QUADRILLE_GROUP LESS 2)
    return()
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # g++ takes for a header what a source includes: unnamed namespaces in it are none.
    target_compile_options(${target} PRIVATE -Wno-subobject-linkage)
  endif()
  set(sources ${ARGN})
  list(SORT sources)
  set(last "")
  set(groups "")
  foreach(source IN LISTS sources)
    get_source_file_property(alone ${source} SKIP_UNITY_BUILD_INCLUSION)
    get_source_file_property(definitions ${source} COMPILE_DEFINITIONS)
    if(alone OR definitions)
      continue()
    endif()
    get_filename_component(folder ${source} DIRECTORY)
    if(NOT folder STREQUAL last)
      set(last ${folder})
      set(in_folder 0)
    endif()
    math(EXPR number "${in_folder} / ${QUADRILLE_GROUP}")
    math(EXPR in_folder "${in_folder} + 1")
    file(RELATIVE_PATH name ${PROJECT_SOURCE_DIR}/src/quadrille ${folder})
    string(REPLACE "/" "_" name "${name}_${number}")
    list(APPEND groups ${name})
    list(APPEND of_${name} ${source})
  endforeach()
  list(REMOVE_DUPLICATES groups)

  get_target_property(compiled ${target} SOURCES)
  foreach(group IN LISTS groups)
    list(LENGTH of_${group} size)
    if(size LESS 2)
      continue()
    endif()
    set(text "// Written by cmake/groups.cmake.\n")
    foreach(source IN LISTS of_${group})
      file(RELATIVE_PATH name ${PROJECT_SOURCE_DIR}/src ${source})
      string(APPEND text "#include \"${name}\"\n")
    endforeach()
    set(together ${PROJECT_BINARY_DIR}/groups/${target}/${group}.cc)
    file(CONFIGURE OUTPUT ${together} CONTENT "${text}" @ONLY)  # writes only what has changed
    list(REMOVE_ITEM compiled ${of_${group}})
    list(APPEND compiled ${together})
  endforeach()
  set_property(TARGET ${target} PROPERTY SOURCES ${compiled})
endfunction()
