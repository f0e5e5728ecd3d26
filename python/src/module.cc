#include "bindings.h"

namespace quadrille::python {

void copy_is_itself(const py::object& type) {
  const auto itself = [](const py::object& self) { return self; };
  type.attr("__copy__") = py::cpp_function(itself, py::is_method(type));
  type.attr("__deepcopy__") = py::cpp_function(
      [](const py::object& self, const py::dict& /*memo*/) { return self; }, py::is_method(type));
}

}  // namespace quadrille::python

PYBIND11_MODULE(_core, module) {
  using namespace quadrille;
  module.doc() = "The compiled part of quadrille; use the package.";
  module.attr("__version__") = QUADRILLE_VERSION;
  python::translate_input_errors();
  python::bind_topology(module);
  python::bind_schedule(module);
  python::bind_simulation(module);
}
