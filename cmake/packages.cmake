# `make package`: Debian packages by CPack, one for whoever uses the program, one for who links the library, one for MPI.
#
#   quadrille       the program, its manual, what shells offer
#   libquadrille-dev  the library with its public headers, for find_package(quadrille) and pkg-config
#   python3-quadrille  the Python package
#   quadrille-mpi   quadrille-mpi and quadrille-run, libquadrille_mpi and the shim, for Open MPI and MPICH
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME quadrille)
set(CPACK_PACKAGE_VENDOR "the authors of Quadrille")
set(CPACK_PACKAGE_CONTACT "the authors of Quadrille <quadrille@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "schedules for collective communication, made, judged and run")
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL program dev)
if(QUADRILLE_MPI_PROGRAMS)
  list(APPEND CPACK_COMPONENTS_ALL mpi)
endif()
if(QUADRILLE_PYTHON)
  list(APPEND CPACK_COMPONENTS_ALL python)
endif()

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR})
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS ON)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)

set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME quadrille)
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION "schedules for collective communication on interconnection networks
 Given a network, a collective such as broadcast or alltoall, and what the machine may do in a step, quadrille makes an
 explicit schedule, has it proved by an independent judge, holds it against lower bounds, and costs, simulates, exports
 and runs it.")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS "gnuplot-nox, librsvg2-bin")
set(CPACK_DEBIAN_DEV_PACKAGE_NAME libquadrille-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_COMPONENT_DEV_DESCRIPTION "schedules for collective communication: library and headers
 The static library behind the program quadrille, for find_package(quadrille) and pkg-config.")
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS
  "libfmt-dev, nlohmann-json3-dev, libpugixml-dev, libboost-graph-dev, libcadical-dev, libmetis-dev, libbliss-dev, libgmp-dev, zlib1g-dev")
set(CPACK_DEBIAN_MPI_PACKAGE_NAME quadrille-mpi)
set(CPACK_COMPONENT_MPI_DESCRIPTION "schedules for collective communication, run over MPI
 quadrille-mpi runs a schedule among MPI ranks; libquadrille_mpi gives programs its collectives, and quadrille-run
 gives them to programs that were not changed. For Open MPI and MPICH.")
set(CPACK_DEBIAN_MPI_PACKAGE_DEPENDS "quadrille")

set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-quadrille)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_COMPONENT_PYTHON_DESCRIPTION "schedules for collective communication, from Python
 The package quadrille: networks from specs, graphs of networkx and matrices; schedules as NumPy arrays, proved, compared
 and simulated.")
# A module is for one version of Python.
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS
  "python3 (>= ${PYTHON_VERSION_MAJOR}.${PYTHON_VERSION_MINOR}), python3 (<< ${PYTHON_VERSION_MAJOR}.${QUADRILLE_NEXT_PYTHON}~), python3-numpy")
set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS "python3-networkx")

# What each package says of rights.
foreach(component IN LISTS CPACK_COMPONENTS_ALL)
  string(TOUPPER ${component} upper)
  install(FILES ${PROJECT_SOURCE_DIR}/cmake/copyright
    DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/${CPACK_DEBIAN_${upper}_PACKAGE_NAME} COMPONENT ${component})
endforeach()

include(CPack)
