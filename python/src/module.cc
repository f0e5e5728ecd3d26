#include "bindings.h"

PYBIND11_MODULE(_core, module) {
  using namespace quadrille;
  module.doc() = "The compiled part of quadrille; use the package.";
  module.attr("__version__") = QUADRILLE_VERSION;
  pybind11::register_exception<InputError>(module, "InputError", PyExc_ValueError).attr("__doc__") =
      "What makes no sense, or cannot be done: says what was given and what is allowed, by the words of the program.";
  python::bind_topology(module);
  python::bind_schedule(module);
  python::bind_simulation(module);
}
