// The Python module, quadrille._core: what its sources share.
//
// It comes through the front door (quadrille/quadrille.h). Besides it words.cc and input_errors.cc read arguments and errors with
// the shelf `options`, so that they mean what they mean to the program, and pictures.cc asks the shelves `draw`, `viewer` and
// `exporters`. What is convenient in Python (graphs of networkx, matrices, the classes of exceptions) is written in Python, in ../quadrille.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "quadrille/exporters/exporter.h"
#include "quadrille/options/error_fields.h"
#include "quadrille/quadrille.h"

namespace quadrille::python {

namespace py = pybind11;

/// A plan that the judge passed, with all that is known of it.
struct JudgedPlan {
  Compiled made;
  std::optional<uint64_t> bytes{};  ///< of a message, where somebody said
  mutable std::vector<ArcId>
      links{};  ///< of all transfers, where steps share theirs; made when they are asked for
};

/// Arguments by name, as the command line has them without the dashes: {"ports", "one"}, {"send_ports", "2"}.
using Words = std::map<std::string, std::string>;

/// What arguments stand for; see words.cc.
struct Wanted {
  Problem problem;
  Wishes wishes{};
};
/// Throws InputError like the program, whose words messages use.
[[nodiscard]] Wanted wanted(const std::string& collective, const Topology& topology, const Words& words);

/// What an error says, in fields; where it begins with the name of an option, what `words` have for that is what was given.
[[nodiscard]] ErrorFields fields_of(const InputError& error, const Words& words);

/// An InputError of a call whose arguments are known.
class ArgumentError : public InputError {
 public:
  ArgumentError(const InputError& error, const Words& words)
      : InputError(error.what()), fields_(fields_of(error, words)) {}

  [[nodiscard]] const ErrorFields& fields() const { return fields_; }

 private:
  ErrorFields fields_;
};

/// Does the work that arguments ask for.
template <typename Work>
auto by_words(const Words& words, Work work) {
  try {
    return work();
  } catch (const InputError& error) {
    throw ArgumentError(error, words);
  }
}

/// From now on InputErrors are raised as quadrille.InputError.
void translate_input_errors();

/// `picture`: "auto", "steps", "load", "space_time" or "histogram"; `width` in points. Throws InputError for what is too large.
[[nodiscard]] std::string network_picture(const Topology& topology, double width);
[[nodiscard]] std::string plan_picture(const Problem& problem, const Plan& plan, std::string_view picture,
                                       uint64_t first_step, uint64_t last_step, double width);
/// The page of `quadrille view`, with the plans beside it.
[[nodiscard]] std::string plan_page(const JudgedPlan& plan, const std::vector<const JudgedPlan*>& beside,
                                    const std::string& bytes);
/// What `quadrille export` writes of one schedule. Throws InputError for a form that is none, or is of many schedules.
[[nodiscard]] std::vector<ExportedFile> exported(const JudgedPlan& plan, const std::string& form,
                                                 const std::string& bytes);

/// Lets Ctrl-C end long work: asks Python now and then, from within the work.
class Interruptible final : public Progress {
 public:
  void begin(std::string_view what) override;
  void made(uint64_t steps, std::optional<uint64_t> of, uint64_t transfers) override;
  void found(uint64_t steps, uint64_t least) override;

 private:
  void ask();

  std::chrono::steady_clock::time_point asked_ = std::chrono::steady_clock::now();
};

/// A read-only array on memory that belongs to `owner`, which lives as long as the array.
template <typename T, typename Item>
py::array_t<T> view(std::span<const Item> items, const py::handle& owner) {
  static_assert(sizeof(T) == sizeof(Item));
  py::array_t<T> out({items.size()}, {sizeof(T)}, reinterpret_cast<const T*>(items.data()), owner);
  out.attr("flags").attr("writeable") = false;
  return out;
}

/// copy.copy() and copy.deepcopy() give what does not change as it is.
void copy_is_itself(const py::object& type);

void bind_topology(py::module_& module);
void bind_schedule(py::module_& module);
void bind_simulation(py::module_& module);

}  // namespace quadrille::python
