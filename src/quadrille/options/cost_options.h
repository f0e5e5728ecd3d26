// The options that say what messages cost: constants of a machine, or each by itself.
#pragma once

#include <string>
#include <string_view>

#include "quadrille/model/model.h"

namespace quadrille {

class ArgumentParser;
struct LinkRates;

struct CostOptions {
  std::string machine{};  ///< a name of `quadrille list machines`; constants that are given replace its
  std::string ts{};       ///< cost constants, as they are written; empty: not given
  std::string tx{};
  std::string tl{};
  std::string rho{};
  std::string to{};
  std::string loggp{};  ///< L,o,g,G, which stand for ts, to and tx

  /// Throws InputError, naming the option, for what does not go together. `sized`: a message has a size, so that times are wanted;
  /// without any constant those of default_machine() are taken.
  /// `rates`: of the network, where its links have bandwidths or latencies; times follow from them, unless a machine or
  /// constants are given.
  [[nodiscard]] CostConstants constants(bool sized, const LinkRates* rates = nullptr) const;
  /// Those of a plan that states some, if any: what is given replaces them. Throws InputError, too, where what is given has a unit and
  /// what is left of the plan's has none.
  [[nodiscard]] CostConstants constants_of_plan(const CostConstants& stated) const;
  [[nodiscard]] bool any() const { return !machine.empty() || any_constant(); }

 private:
  [[nodiscard]] bool any_constant() const;
  // Whether one of them has a unit.
  bool replace_in(CostConstants& cost) const;
  void require_without_loggp() const;
};

/// Throws InputError, naming who asks, where neither a byte that is sent nor one that is rearranged costs anything: whoever names
/// the size of a message would hear nothing of it.
void require_size_counts(const CostConstants& cost, std::string_view asked_by);

/// Options of a group are one line of the help.
inline constexpr const char* kCostGroup = "costs";

/// Declares them. `options` must live as long as the app.
void add_cost_options(ArgumentParser& app, CostOptions& options);

}  // namespace quadrille
