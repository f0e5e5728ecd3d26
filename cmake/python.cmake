# The Python package (python/, docs/python.md): the module _core beside the files of the package, in build/.../python, where
# its tests import it; setup.py takes it from there, too.
# The Python of the system, which has Debian's NumPy, unless another one is named.
if(NOT Python3_EXECUTABLE AND NOT PYTHON_EXECUTABLE AND EXISTS /usr/bin/python3)
  set(PYTHON_EXECUTABLE /usr/bin/python3 CACHE FILEPATH "The Python that the module is for")
endif()
find_package(pybind11 2.10 REQUIRED)
math(EXPR QUADRILLE_NEXT_PYTHON "${PYTHON_VERSION_MINOR} + 1")  # packages.cmake

set(package ${PROJECT_BINARY_DIR}/python/quadrille)
file(GLOB QUADRILLE_PYTHON_SOURCES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/python/src/*.cc)
# No optimisation at link time: it would cost a quarter of a minute at every link, and what takes time is in the library.
pybind11_add_module(quadrille_python MODULE NO_EXTRAS ${QUADRILLE_PYTHON_SOURCES})
set_target_properties(quadrille_python PROPERTIES OUTPUT_NAME _core LIBRARY_OUTPUT_DIRECTORY ${package})
target_link_libraries(quadrille_python PRIVATE quadrille_options quadrille quadrille_flags)
target_link_options(quadrille_python PRIVATE -Wl,--exclude-libs,ALL)
target_compile_definitions(quadrille_python PRIVATE QUADRILLE_VERSION="${PROJECT_VERSION}")

# The files of the package beside it, as they are at the time: links, so that an edit needs no build.
file(MAKE_DIRECTORY ${package})
file(GLOB files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/python/quadrille/*)
foreach(file IN LISTS files)
  get_filename_component(name ${file} NAME)
  if(NOT name STREQUAL "__pycache__")
    file(CREATE_LINK ${file} ${package}/${name} SYMBOLIC)
  endif()
endforeach()

# Debian's place for packages; a wheel takes the module from the build folder (setup.py).
set(QUADRILLE_PYTHON_DIR lib/python3/dist-packages CACHE STRING "Where `cmake --install` puts Python packages")
set(installed ${QUADRILLE_PYTHON_DIR}/quadrille)
install(TARGETS quadrille_python LIBRARY DESTINATION ${installed} COMPONENT python)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/python/quadrille/ DESTINATION ${installed} COMPONENT python
  FILES_MATCHING PATTERN "*.py" PATTERN "*.pyi" PATTERN "py.typed" PATTERN "__pycache__" EXCLUDE)

add_test(NAME python.package COMMAND ${PYTHON_EXECUTABLE} -m unittest discover -s ${PROJECT_SOURCE_DIR}/python/tests)
set_tests_properties(python.package PROPERTIES TIMEOUT 300 ENVIRONMENT
  "PYTHONPATH=${PROJECT_BINARY_DIR}/python;PYTHONDONTWRITEBYTECODE=1;QUADRILLE_PROGRAM=$<TARGET_FILE:quadrille_cli>")
