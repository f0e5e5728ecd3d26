// The options that say which problem is meant: the same words in every program and command that takes them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "quadrille/options/cost_options.h"
#include "quadrille/options/network_options.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

class ArgumentParser;

/// What --ports, --switching and the like were given; see model().
struct ModelOptions {
  std::string ports = "all";
  std::string send_ports{};
  std::string receive_ports{};
  std::string switching = "packet";
  std::string packets{};  ///< empty: one, or what is faster (ProblemOptions::any_packets())
  std::string duplex = "full";
  std::string routing = "any";
  std::string combining = "commutative";
  std::string chunks = "any_order";
  std::string queues{};  ///< a number, or any; empty: any, and nobody wants to know
  std::string queues_per = "outgoing";

  CostOptions cost{};

  [[nodiscard]] bool wants_queues() const { return !queues.empty(); }
  /// Throws InputError, naming the option. `sized`: a message has a size, so that times are wanted; without any
  /// constant those of default_machine() are taken.
  /// `rates`: of the network, where its links have bandwidths or latencies; times follow from them, unless a machine or
  /// constants are given.
  [[nodiscard]] Model model(bool sized = false, const LinkRates* rates = nullptr) const;
};

/// Declares them. `options` must live as long as the app.
void add_model_options(ArgumentParser& app, ModelOptions& options);

inline constexpr uint32_t kAutoPieces = 0;

/// Where a collective starts or ends, how its blocks are split, or how many there are.
struct CollectiveOptions {
  std::string root{};  ///< a node's number or label; empty: the first endpoint
  /// In how many pieces a block is sent; kAutoPieces: the planner chooses; empty: nobody said, see any_pieces().
  std::optional<uint32_t> pieces{};
  std::string counts{};  ///< of alltoallv: the file that says how many blocks go from whom to whom

  /// Whether the planner chooses: where it is asked to, and where a message has a size and nobody said.
  [[nodiscard]] bool any_pieces(bool sized) const {
    if (!counts.empty()) return false;  // they are of whole blocks
    return pieces ? *pieces == kAutoPieces : sized;
  }
  /// Throws InputError where the planner is to choose without a size.
  void require_size(bool sized) const;
  /// What a problem has before anything is chosen.
  [[nodiscard]] uint32_t first_pieces() const { return pieces && *pieces != kAutoPieces ? *pieces : 1; }

  /// make_problem() with these.
  [[nodiscard]] Problem problem(const Topology& topology, CollectiveKind kind, const Model& model) const;
  /// make_problem_for_figures() with these.
  [[nodiscard]] Problem problem_for_figures(const Topology& topology, CollectiveKind kind,
                                            const Model& model) const;

 private:
  // Where there are counts.
  [[nodiscard]] std::optional<Problem> counted(const Topology& topology, CollectiveKind kind,
                                               const Model& model) const;
};
void add_collective_options(ArgumentParser& app, CollectiveOptions& options);

/// A whole problem.
struct ProblemOptions {
  std::string collective{};
  std::string topology{};
  NetworkOptions network_options{};
  std::vector<std::string> without{};  ///< faults, as they are given; @FILE stands for the lines of a file
  std::string ranks{};  ///< who takes part, as it is given; @FILE stands for its lines; empty: all
  std::string relay{};  ///< whether the others pass messages on; empty: yes
  ModelOptions model{};
  CollectiveOptions rest{};
  std::string bytes{};  ///< --bytes as it is written; empty: not given

  /// The spec of the network, with what is said of its file, without what is out of order, its endpoints those that take
  /// part.
  [[nodiscard]] std::string network() const;
  /// The same of another network than the one that was given.
  [[nodiscard]] std::string network_of(const std::string& given) const;
  /// What MPI's count argument means (Wishes::bytes).
  [[nodiscard]] std::optional<uint64_t> message_bytes() const;
  /// Whether it is the planner's to choose if many packets go over a link in a step: where a message has a size
  /// and nothing counts single packets.
  [[nodiscard]] bool any_packets() const;
  /// Whether the number of pieces is the planner's to choose.
  [[nodiscard]] bool any_pieces() const { return rest.any_pieces(!bytes.empty()); }

  /// Throws InputError for whatever does not make sense; also for a collective whose judge would need more
  /// memory than this machine has.
  [[nodiscard]] Problem problem() const;
  /// Where only figures are wanted: blocks that no judge here could follow are counted alone, and large products are
  /// outlined (topology/products/outline.h). With `makes_plan` only those of which no plan can be made.
  [[nodiscard]] Problem problem_for_figures(bool makes_plan = false) const;
};
/// What of a network takes part: --without, --switches, --unit, --ranks, --relay.
void add_part_options(ArgumentParser& app, ProblemOptions& options);
/// Declares all of it, with the collective and the topology as positional arguments.
void add_problem_options(ArgumentParser& app, ProblemOptions& options, bool required = true);

}  // namespace quadrille
