// Total exchange on a folded Clos network with full bisection: round after round all hosts send to one displacement, and the
// digits of the destination say which way up.
//
// A host is a number of h digits, digit i below m_(i+1), and a displacement is added digit by digit without carry. Up from a
// switch of level l a message for t takes parent number (digit l-1 of t), below w_(l+1) >= m_l. Of the messages of one
// displacement those at a switch of level l have destinations that differ in digit l-1 alone of the first l, so no two take
// one link up; and a link down to level l-1 leads to hosts of which one alone has the digits that bring a message there.
// Round r sends over the link above level l in step r + l, and down from level l in step r + 2h - l: a message that turns
// below the top waits there. So no two rounds meet either: K - 1 rounds, K + 2h - 2 steps for K hosts.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/fat_trees/folded_clos_shape.h"

namespace quadrille::algorithms {

extern const Algorithm alltoall_clos_shifts;

namespace alltoall_clos_shifts_parts {
namespace {

Applicability applies(const Problem& problem) {
  const Model& model = problem.model();
  if (model.switching != Switching::kPacket || model.duplex != Duplex::kFull || !model.send.unlimited() ||
      !model.receive.unlimited())
    return Applicability::no("it is for packet switching, full duplex and all ports");
  const std::optional<FoldedClosShape> clos = folded_clos_shape(problem.topology());
  if (!clos) {
    return Applicability::no(
        fmt::format("{} is no folded Clos network with one link for every host", problem.topology().name()));
  }
  const std::optional<uint32_t> level = clos->first_blocking_level();
  if (!level) return Applicability::yes();
  return Applicability::no(fmt::format(
      "it needs as many links up from a switch as down; those of level {} of {} have {} up and {} down",
      *level, problem.topology().name(), clos->parents[*level], clos->children[*level - 1]));
}

FoldedClosShape shape_of(const Problem& problem) { return *folded_clos_shape(problem.topology()); }

// Above a level with all hosts below one switch nothing has to go.
uint32_t turning_height(const FoldedClosShape& clos) {
  uint32_t out = clos.height();
  while (out > 0 && clos.children[out - 1] == 1) --out;
  return out;
}

Prediction predicted(const Problem& problem, const FoldedClosShape& clos) {
  const uint64_t rounds = uint64_t{clos.hosts() - 1} * problem.collective().pieces();
  const uint64_t steps = rounds == 0 ? 0 : rounds + 2 * uint64_t{turning_height(clos)} - 1;
  return {.steps = steps, .start_ups = steps};
}

// Where the messages go, hop by hop.
class Shifts {
 public:
  Shifts(const Problem& problem, const FoldedClosShape& clos)
      : problem_(problem), clos_(clos), h_(turning_height(clos)), hosts_(clos.hosts()) {
    const Topology& topology = problem.topology();
    for (uint32_t l = 0; l <= h_; ++l) tops_.push_back(clos.tops_of(l));
    for (uint32_t i = 0; i < hosts_; ++i) ranks_.push_back(*topology.rank(clos.levels[0][i]));
    size_.assign(1, 1);
    for (uint32_t l = 0; l < h_; ++l) size_.push_back(size_.back() * clos.children[l]);
  }

  void generate(StepSink& sink) {
    const uint64_t pieces = problem_.collective().pieces();
    const uint64_t rounds = uint64_t{hosts_ - 1} * pieces;
    if (rounds == 0) return;
    StepBuilder step;
    for (uint64_t s = 0; s < rounds + 2 * uint64_t{h_} - 1; ++s) {
      for (uint32_t l = 0; l < h_; ++l)
        if (s >= l && s - l < rounds) go_up(l, s - l, step);
      for (uint32_t l = h_; l >= 1; --l)
        if (s + l >= 2 * uint64_t{h_} && s + l - 2 * uint64_t{h_} < rounds)
          go_down(l, s + l - 2 * uint64_t{h_}, step);
      step.flush(sink);
    }
  }

 private:
  [[nodiscard]] uint32_t digit(uint32_t host, uint32_t i) const {
    return host / size_[i] % clos_.children[i];
  }
  // Digit by digit, without carry.
  [[nodiscard]] uint32_t displaced(uint32_t host, uint32_t by) const {
    uint32_t out = 0;
    for (uint32_t i = 0; i < h_; ++i) out += (digit(host, i) + digit(by, i)) % clos_.children[i] * size_[i];
    return out;
  }
  // The level on which the messages of a displacement turn.
  [[nodiscard]] uint32_t turn(uint32_t displacement) const {
    uint32_t level = h_;
    while (displacement < size_[level - 1]) --level;
    return level;
  }
  // The switch of level l, above `host`, that a message for `destination` passes.
  [[nodiscard]] uint32_t switch_at(uint32_t level, uint32_t host, uint32_t destination) const {
    uint32_t top = 0;
    for (uint32_t l = 1; l < level; ++l) top = top * clos_.parents[l] + digit(destination, l - 1);
    return host / size_[level] * tops_[level] + top;
  }
  [[nodiscard]] uint32_t displacement_of(uint64_t round) const {
    return 1 + static_cast<uint32_t>(round / problem_.collective().pieces());
  }
  void hop(uint32_t from_level, uint32_t from, uint32_t to_level, uint32_t to, uint32_t source,
           uint32_t destination, uint64_t round, StepBuilder& step) const {
    const auto arc = problem_.topology().find_arc(clos_.levels[from_level][from], clos_.levels[to_level][to]);
    const auto piece = static_cast<uint32_t>(round % problem_.collective().pieces());
    step.add(*arc, problem_.collective().block(ranks_[source], ranks_[destination], piece));
  }
  void go_up(uint32_t level, uint64_t round, StepBuilder& step) const {
    const uint32_t displacement = displacement_of(round);
    if (turn(displacement) <= level) return;
    for (uint32_t host = 0; host < hosts_; ++host) {
      const uint32_t to = displaced(host, displacement);
      hop(level, switch_at(level, host, to), level + 1, switch_at(level + 1, host, to), host, to, round,
          step);
    }
  }
  void go_down(uint32_t level, uint64_t round, StepBuilder& step) const {
    const uint32_t displacement = displacement_of(round);
    if (turn(displacement) < level) return;
    for (uint32_t host = 0; host < hosts_; ++host) {
      const uint32_t to = displaced(host, displacement);
      hop(level, switch_at(level, to, to), level - 1, switch_at(level - 1, to, to), host, to, round, step);
    }
  }

  const Problem& problem_;
  const FoldedClosShape& clos_;
  uint32_t h_;
  uint32_t hosts_;
  std::vector<uint32_t> tops_;
  std::vector<Rank> ranks_;     // of the hosts in the order of the tree
  std::vector<uint32_t> size_;  // hosts of a subtree of each level
};

void generate(const Problem& problem, const FoldedClosShape& clos, StepSink& sink) {
  Shifts(problem, clos).generate(sink);
}

}  // namespace
}  // namespace alltoall_clos_shifts_parts

constinit const Algorithm alltoall_clos_shifts = {
    .name = "alltoall_clos_shifts",
    .collective = CollectiveKind::kAlltoall,
    .summary =
        "round after round all hosts send to one displacement; digits of the destination choose the switches",
    .source =
        "ours; routes by the destination's digits as in E. Zahavi, Fat-tree routing and node ordering providing contention "
        "free traffic for MPI global collectives, J. Parallel Distrib. Comput. 72 (2012)",
    .remarks =
        "folded Clos networks with full bisection, from a spec or a file, all ports; K + 2h - 2 steps for K hosts below h "
        "levels of switches, against a bound of K - 1",
    .applies = alltoall_clos_shifts_parts::applies,
    .prepare = by_plan<alltoall_clos_shifts_parts::shape_of, alltoall_clos_shifts_parts::predicted,
                       alltoall_clos_shifts_parts::generate>,
};

}  // namespace quadrille::algorithms
