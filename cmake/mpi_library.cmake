# libquadrille_mpi and the shim libquadrille_pmpi, once for every MPI that is found: plain C that runs program files, with
# none of the C++ library in it. Open MPI's have these names, the others end in _mpich.
enable_language(C)
file(GLOB QUADRILLE_MPI_LIBRARY_SOURCES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/quadrille_mpi/*.c)
list(FILTER QUADRILLE_MPI_LIBRARY_SOURCES EXCLUDE REGEX "/tune[a-z_]*\\.c$")
set(QUADRILLE_SHIM_SOURCES ${QUADRILLE_MPI_LIBRARY_SOURCES})
list(FILTER QUADRILLE_MPI_LIBRARY_SOURCES EXCLUDE REGEX "/shim[a-z_]*\\.c$")

add_library(quadrille_c_flags INTERFACE)
target_compile_options(quadrille_c_flags INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror
  # MPICH says of every array how long it is, and MPI_STATUSES_IGNORE and MPI_IN_PLACE are none.
  $<$<C_COMPILER_ID:GNU>:-Wno-stringop-overflow -Wno-stringop-overread> -fvisibility=hidden)
target_compile_definitions(quadrille_c_flags INTERFACE _GNU_SOURCE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)
target_compile_features(quadrille_c_flags INTERFACE c_std_11)
add_library(quadrille_c_sanitizers INTERFACE)
if(QUADRILLE_SANITIZE)
  target_compile_options(quadrille_c_sanitizers INTERFACE -fsanitize=${QUADRILLE_SANITIZE} -fno-sanitize-recover=all)
  target_link_options(quadrille_c_sanitizers INTERFACE -fsanitize=${QUADRILLE_SANITIZE})
endif()

# quadrille_add_mpi_library(NAME MPI PACKAGE): libNAME, shared and static, for the interface target MPI; PACKAGE: what
# pkg-config calls the MPI; none where its own compiler wrapper is what links it.
function(quadrille_add_mpi_library name mpi package)
  add_library(${name}_objects OBJECT ${QUADRILLE_MPI_LIBRARY_SOURCES})
  set_target_properties(${name}_objects PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_link_libraries(${name}_objects PRIVATE quadrille_c_flags quadrille_c_sanitizers ${mpi})
  foreach(kind shared static)
    string(TOUPPER ${kind} kind_word)
    add_library(${name}_${kind} ${kind_word} $<TARGET_OBJECTS:${name}_objects>)
    set_target_properties(${name}_${kind} PROPERTIES OUTPUT_NAME ${name} LINKER_LANGUAGE C)
    target_include_directories(${name}_${kind} INTERFACE ${PROJECT_SOURCE_DIR}/src/quadrille_mpi)
    target_link_libraries(${name}_${kind} PUBLIC ${mpi} PRIVATE quadrille_c_sanitizers)
    install(TARGETS ${name}_${kind} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  endforeach()
  set(QUADRILLE_MPI_LIBRARY ${name})
  set(QUADRILLE_MPI_PACKAGE ${package})
  configure_file(cmake/quadrille_mpi.pc.in ${PROJECT_BINARY_DIR}/${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()

# quadrille_add_shim(NAME MPI): the shim is loaded into programs of others, so nothing is linked, and nothing of ours shows
# but what it takes over. Sanitizers have no place in it.
function(quadrille_add_shim name mpi)
  add_library(${name} SHARED ${QUADRILLE_SHIM_SOURCES})
  target_compile_definitions(${name} PRIVATE QUADRILLE_SHIM)
  target_include_directories(${name} SYSTEM PRIVATE $<TARGET_PROPERTY:${mpi},INTERFACE_SYSTEM_INCLUDE_DIRECTORIES>)
  target_link_libraries(${name} PRIVATE quadrille_c_flags ${CMAKE_DL_LIBS})
  target_link_options(${name} PRIVATE -Wl,-z,lazy -Wl,-Bsymbolic)
  install(TARGETS ${name} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
endfunction()

file(RELATIVE_PATH QUADRILLE_PC_PREFIX /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
string(REGEX REPLACE "/$" "" QUADRILLE_PC_PREFIX ${QUADRILLE_PC_PREFIX})
set(QUADRILLE_MPI_LIBRARIES)
if(TARGET quadrille_openmpi)
  quadrille_add_mpi_library(quadrille_mpi quadrille_openmpi ompi-c)
  quadrille_add_shim(quadrille_pmpi quadrille_openmpi)
  list(APPEND QUADRILLE_MPI_LIBRARIES quadrille_mpi)
endif()
if(TARGET quadrille_mpich)
  quadrille_add_mpi_library(quadrille_mpi_mpich quadrille_mpich mpich)
  quadrille_add_shim(quadrille_pmpi_mpich quadrille_mpich)
  list(APPEND QUADRILLE_MPI_LIBRARIES quadrille_mpi_mpich)
endif()
# The standard ABI of MPI 5: the same sources, compiled by a header of our own (no MPI of Debian 12 has one), and linked with
# nothing: whoever has a libmpi_abi has it in the program.
add_library(quadrille_standard_abi INTERFACE)
target_include_directories(quadrille_standard_abi SYSTEM INTERFACE ${PROJECT_SOURCE_DIR}/src/quadrille_mpi/abi)
target_compile_definitions(quadrille_standard_abi INTERFACE QUADRILLE_MPI_ABI)
quadrille_add_mpi_library(quadrille_mpi_abi quadrille_standard_abi "")
quadrille_add_shim(quadrille_pmpi_abi quadrille_standard_abi)
target_compile_definitions(quadrille_pmpi_abi PRIVATE QUADRILLE_MPI_ABI)

configure_file(src/quadrille_mpi/quadrille-run.in ${PROJECT_BINARY_DIR}/quadrille-run @ONLY)
install(PROGRAMS ${PROJECT_BINARY_DIR}/quadrille-run DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES ${PROJECT_SOURCE_DIR}/src/quadrille_mpi/quadrille_mpi.h
  ${PROJECT_SOURCE_DIR}/src/quadrille_mpi/quadrille_mpi.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
