// InputErrors of C++ as those of Python, with their fields.
#include <algorithm>

#include "bindings.h"

namespace quadrille::python {
namespace {

// "--send-ports" is the argument send_ports.
std::string argument_called(std::string_view option) {
  std::string name(option.starts_with("--") ? option.substr(2) : option);
  std::ranges::replace(name, '-', '_');
  return name;
}

py::object place_of(const ErrorFields& fields, const py::module_& errors) {
  if (!fields.place && fields.excerpt.empty()) return py::none();
  const py::object place = errors.attr("Place");
  if (!fields.place) return place(py::none(), py::none(), py::none(), fields.excerpt);
  return place(fields.place->source, fields.place->line, fields.place->column, fields.excerpt);
}

void raise(const char* message, const ErrorFields& fields) {
  const auto errors = py::module_::import("quadrille._errors");
  py::dict parts;
  parts["where"] = place_of(fields, errors);
  if (fields.refused) {
    parts["argument"] = argument_called(fields.refused->of);
    parts["given"] = fields.refused->given;
    parts["allowed"] = fields.refused->allowed;
  }
  const py::object kind = errors.attr("InputError");
  PyErr_SetObject(kind.ptr(), kind(message, **parts).ptr());
}

}  // namespace

ErrorFields fields_of(const InputError& error, const Words& words) {
  const auto* const valued = dynamic_cast<const ValueError*>(&error);
  const auto refused =
      valued == nullptr || valued->value().of.empty() ? std::nullopt : std::optional(valued->value());
  return error_fields(error.what(), refused, [&](std::string_view name, std::string_view) {
    const auto at = words.find(argument_called(name));
    return at == words.end() ? std::nullopt : std::optional(at->second);
  });
}

void translate_input_errors() {
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const ArgumentError& error) {
      raise(error.what(), error.fields());
    } catch (const InputError& error) {
      raise(error.what(), fields_of(error, {}));
    }
  });
}

}  // namespace quadrille::python
