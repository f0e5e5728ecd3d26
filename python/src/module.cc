#include "bindings.h"

PYBIND11_MODULE(_core, module) {
  using namespace quadrille;
  module.doc() = "The compiled part of quadrille; use the package.";
  module.attr("__version__") = QUADRILLE_VERSION;
  python::translate_input_errors();
  python::bind_topology(module);
  python::bind_schedule(module);
  python::bind_simulation(module);
}
