# quadrille-search, the program that finds what data/ stores. Not installed; tests make some entries again.
find_package(PkgConfig REQUIRED)
pkg_check_modules(CBC REQUIRED IMPORTED_TARGET cbc osi-clp)
file(GLOB QUADRILLE_SEARCH_SOURCES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tools/search/*.cc)
list(FILTER QUADRILLE_SEARCH_SOURCES EXCLUDE REGEX "\\.test\\.cc$")
add_executable(quadrille-search ${QUADRILLE_SEARCH_SOURCES})
target_include_directories(quadrille-search SYSTEM PRIVATE ${CADICAL_INCLUDE_DIR})
target_link_libraries(quadrille-search PRIVATE quadrille quadrille_flags PkgConfig::CBC fmt::fmt)
# COIN-OR counts in int, and the exchange with it. Options of sources come after those of targets, as they must.
set_source_files_properties(${QUADRILLE_SEARCH_SOURCES} PROPERTIES
  COMPILE_OPTIONS $<$<CXX_COMPILER_ID:Clang>:-Wno-sign-conversion>)

if(QUADRILLE_TESTS)
  # The formula behind the broadcasts has tests of its own.
  file(GLOB search_tests CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tools/search/*.test.cc)
  target_sources(quadrille_tests PRIVATE ${search_tests} ${PROJECT_SOURCE_DIR}/tools/search/worm_broadcast.cc)
  target_include_directories(quadrille_tests PRIVATE ${PROJECT_SOURCE_DIR}/tools/search)

  # A second or two each: every exchange, and of the others the small ones.
  set(again $<TARGET_FILE:quadrille-search> again)
  file(GLOB exchanges RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/data/worm_exchanges/*/*.txt)
  add_test(NAME search.makes_exchanges_again COMMAND ${again} ${exchanges} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  add_test(NAME search.makes_broadcasts_again COMMAND ${again} data/worm_broadcasts/torus_2x2x2.txt
    data/worm_broadcasts/torus_3x3x3.txt data/worm_broadcasts/torus_6x6.txt data/worm_broadcasts/torus_12x5.txt
    data/worm_broadcasts/torus_2x2x2x2x2x2.txt WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  add_test(NAME search.makes_lattices_again COMMAND ${again} data/lattice_designs/torus_4x4x4/any_in_5.txt
    data/lattice_designs/torus_8x8/near_in_9.txt WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  add_test(NAME search.makes_refutations_again COMMAND ${again} data/refutations/torus_3_3_9_in_7_steps.txt
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
endif()
