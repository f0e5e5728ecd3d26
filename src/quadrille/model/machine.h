// Machines: what a start-up and a byte cost on machines that people know.
//
//     quadrille plan allreduce "torus(8,8)" --bytes 1MiB --machine tpu_v5p
//
// A card is a name for cost constants in microseconds, with where they come from. It says nothing of the network, its
// ports or its switching: these are given apart. One card is one file in model/machines/ and one line in its
// catalog.inc; `quadrille list machines` and `quadrille explain NAME` come from them.
#pragma once

#include <string>
#include <string_view>

#include "quadrille/base/catalog.h"
#include "quadrille/model/model.h"

namespace quadrille {

struct Machine {
  std::string_view name{};
  std::string_view summary{};
  std::string_view network{};  ///< how its nodes are joined, in words
  std::string_view source{};
  CostConstants cost{};
};

/// All machines, sorted by name.
[[nodiscard]] const Catalog<Machine>& machine_catalog();
/// The machine whose constants are taken where a message has a size and nobody names any.
[[nodiscard]] const Machine& default_machine();
/// Throws InputError naming the known ones.
[[nodiscard]] const Machine& find_machine(std::string_view name);
/// The machine with exactly these constants; null if there is none.
[[nodiscard]] const Machine* machine_with(const CostConstants& cost);

/// "1 us a start-up, 0.08 ns a byte (100 Gbit/s)"; without units where the constants have none.
[[nodiscard]] std::string to_text(const CostConstants& cost);

}  // namespace quadrille
