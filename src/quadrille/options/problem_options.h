// The options that say which problem is meant: the same words in every program and command that takes them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "quadrille/schedule/problem.h"

namespace quadrille {

class ArgumentParser;

/// What --ports, --switching and the like were given; see model().
struct ModelOptions {
  std::string ports = "all";
  std::string send_ports{};
  std::string receive_ports{};
  std::string switching = "packet";
  std::string duplex = "full";
  std::string routing = "any";
  std::string queues{};  ///< a number, or any; empty: any, and nobody wants to know
  std::string queues_per = "outgoing";

  double ts = 1.0;  ///< cost constants
  double tx = 0.0;
  double tl = 0.0;
  double rho = 0.0;

  [[nodiscard]] bool wants_queues() const { return !queues.empty(); }
  /// Throws InputError, naming the option.
  [[nodiscard]] Model model() const;
};

/// Options of a group are one line of the help.
inline constexpr const char* kCostGroup = "costs";

/// Declares them. `options` must live as long as the app.
void add_model_options(ArgumentParser& app, ModelOptions& options);

/// Where a collective starts or ends, and how its blocks are split.
struct CollectiveOptions {
  std::string root{};  ///< a node's number or label; empty: the first endpoint
  uint32_t pieces = 1;

  /// make_problem() with these.
  [[nodiscard]] Problem problem(const Topology& topology, CollectiveKind kind, const Model& model) const;
  /// make_problem_for_figures() with these.
  [[nodiscard]] Problem problem_for_figures(const Topology& topology, CollectiveKind kind,
                                            const Model& model) const;
};
void add_collective_options(ArgumentParser& app, CollectiveOptions& options);

/// A whole problem.
struct ProblemOptions {
  std::string collective{};
  std::string topology{};
  ModelOptions model{};
  CollectiveOptions rest{};

  /// Throws InputError for whatever does not make sense; also for a collective whose judge would need more
  /// memory than this machine has.
  [[nodiscard]] Problem problem() const;
  /// Where only figures are wanted: blocks that no judge here could follow are counted alone.
  [[nodiscard]] Problem problem_for_figures() const;
};
/// Declares all of it, with the collective and the topology as positional arguments.
void add_problem_options(ArgumentParser& app, ProblemOptions& options, bool required = true);

}  // namespace quadrille
