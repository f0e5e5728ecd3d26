# What the types forbid: each file of tests/must_not_compile must be refused by the compiler, for the reason that it
# names itself, and control.cc must be accepted.
file(GLOB forbidden CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/must_not_compile/*.cc)
foreach(source IN LISTS forbidden)
  get_filename_component(name ${source} NAME_WE)
  add_test(NAME must_not_compile.${name} COMMAND ${CMAKE_COMMAND} -DCOMPILER=${CMAKE_CXX_COMPILER} -DSOURCE=${source}
    -DINCLUDE=${PROJECT_SOURCE_DIR}/src -P ${PROJECT_SOURCE_DIR}/tests/must_not_compile/compile.cmake)
endforeach()
