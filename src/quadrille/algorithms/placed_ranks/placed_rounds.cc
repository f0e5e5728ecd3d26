#include "quadrille/algorithms/placed_ranks/placed_rounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <numeric>
#include <set>
#include <string_view>
#include <utility>

#include "quadrille/algorithms/graphs/shortest_paths.h"
#include "quadrille/algorithms/measured_plan.h"
#include "quadrille/algorithms/packing/link_use.h"
#include "quadrille/algorithms/packing/worms/kept_packings.h"
#include "quadrille/algorithms/placed_ranks/rank_placements.h"
#include "quadrille/algorithms/placed_ranks/worth_placing.h"
#include "quadrille/base/check.h"
#include "quadrille/base/text.h"
#include "quadrille/topology/queries/link_counts.h"
#include "quadrille/transforms/compact_steps.h"
#include "quadrille/transforms/sums_in_order.h"

namespace quadrille {
namespace {

// Work of packing a round, twice, after which it is good enough.
constexpr uint64_t kRoundBudget = uint64_t{1} << 14U;
constexpr uint32_t kMostNeighbours = 256;
constexpr uint32_t kMostOnLines = 1024;
constexpr uint32_t kMostOnComplete = 2048;               // where all are neighbours
constexpr uint64_t kMostEntries = uint64_t{1} << 26U;    // of the table of next hops
constexpr uint64_t kMostCompacted = uint64_t{1} << 20U;  // blocks in all messages

constexpr std::string_view kNoNeighbours =
    "its messages go further than to neighbours, and a packet takes one link a step";
constexpr std::string_view kNoPorts = "it sends more messages in a round than there are ports, or links, for";

// What is shared: by message its step, and which of its ways it takes.
struct SharedRoundWays {
  std::vector<size_t> step_of{};
  std::vector<uint32_t> way_of{};
};

// Streams go through the same few rounds again and again: what was found for those that came last.
template <typename Found>
class LastRounds {
 public:
  // For a round as for one before that `is_alike`, or what `find` finds.
  template <typename IsAlike, typename Find>
  [[nodiscard]] const Found& of(size_t round, IsAlike is_alike, Find find) {
    for (const auto& [before, found] : kept_)
      if (is_alike(before)) return found;
    if (kept_.size() == kMostKept) kept_.pop_back();
    return kept_.emplace_front(round, find()).second;
  }

 private:
  static constexpr size_t kMostKept = 16;

  std::deque<std::pair<size_t, Found>> kept_;
};

// Rounds among ranks that are somewhere.
class PlacedRounds {
 public:
  PlacedRounds(const Problem& problem, const RankRounds& rounds, const Placement& placement)
      : problem_(problem),
        rounds_(rounds),
        placement_(placement),
        names_ranks_(problem.collective().num_blocks() != problem.collective().pieces() &&
                     problem.collective().kind() != CollectiveKind::kAlltoall) {}

  [[nodiscard]] NodeId node(uint32_t rank) const { return problem_.topology().endpoint(placement_[rank]); }
  [[nodiscard]] Rank rank(uint32_t rank) const { return placement_[rank]; }

  // As the collective numbers them. Valid until the next call.
  [[nodiscard]] std::span<const BlockId> blocks(const RankRounds::Message& message) {
    if (!names_ranks_) return rounds_.blocks(message);
    blocks_.clear();
    for (const BlockId block : rounds_.blocks(message)) blocks_.push_back(numbered(block));
    return blocks_;
  }

  // Whether every message goes to a neighbour, and those of a round are in nobody's way.
  [[nodiscard]] bool are_free() const {
    const Topology& topology = problem_.topology();
    LinkUse use(problem_);
    for (size_t r = 0; r < rounds_.size(); ++r) {
      for (const RankRounds::Message& message : rounds_.round(r)) {
        const std::optional<ArcId> arc = topology.find_arc(node(message.from), node(message.to));
        if (!arc || !use.take(*arc)) return false;
      }
      use.next_step();
    }
    return true;
  }

  // A round is a step; of single packets as many as its longest message has blocks.
  void push_free(StepSink& sink) {
    StepBuilder step;
    std::vector<ArcId> arcs;
    for (size_t r = 0; r < rounds_.size(); ++r) {
      const std::span<const RankRounds::Message> round = rounds_.round(r);
      arcs.clear();
      for (const RankRounds::Message& message : round)
        arcs.push_back(*problem_.topology().find_arc(node(message.from), node(message.to)));
      const size_t steps = steps_of_free(r);
      for (size_t s = 0; s < steps; ++s) {
        for (size_t m = 0; m < round.size(); ++m) {
          if (carries_many(problem_.model())) {
            step.add({&arcs[m], 1}, blocks(round[m]), round[m].op, round[m].slots);
          } else if (const std::span<const BlockId> all = rounds_.blocks(round[m]); s < all.size()) {
            const BlockId block = names_ranks_ ? numbered(all[s]) : all[s];
            step.add({&arcs[m], 1}, {&block, 1}, round[m].op, round[m].slots);
          }
        }
        step.flush(sink);
      }
    }
  }
  [[nodiscard]] size_t steps_of_free(size_t round) const {
    return carries_many(problem_.model()) ? 1 : rounds_.most_blocks(round);
  }

  // As many steps as the ports need; ways that share links evenly.
  void push_shared(ShortestPaths& ways, StepSink& sink) {
    StepBuilder step;
    std::vector<ArcId> path;
    LastRounds<SharedRoundWays> found;
    for (size_t r = 0; r < rounds_.size(); ++r) {
      const std::span<const RankRounds::Message> round = rounds_.round(r);
      const auto& [step_of, way_of] = found.of(
          r, [&](size_t before) { return are_alike(round, rounds_.round(before)); },
          [&] {
            return SharedRoundWays{steps_by_ports(round), balanced(ways, round)};
          });
      const std::vector<bool> second = come_second(round, step_of);
      const size_t steps = *std::max_element(step_of.begin(), step_of.end()) + 1;
      for (size_t s = 0; s < steps; ++s) {
        for (size_t m = 0; m < round.size(); ++m) {
          if (step_of[m] != s) continue;
          ways.find(rank(round[m].from), rank(round[m].to), way_of[m], path);
          step.add(path, blocks(round[m]), second[m] ? TransferOp::kCopy : round[m].op, round[m].slots);
        }
        step.flush(sink);
      }
    }
  }

  void push_packed(KeptPackings& packings, StepSink& sink) {
    StepBuilder step;
    LastRounds<std::shared_ptr<const PackedWorms>> packed;
    for (size_t r = 0; r < rounds_.size(); ++r) {
      const std::span<const RankRounds::Message> round = rounds_.round(r);
      const PackedWorms& here = *packed.of(
          r, [&](size_t before) { return are_alike(round, rounds_.round(before)); },
          [&] { return packed_round(packings, round); });
      const std::vector<size_t> step_of = steps_of(here);
      const std::vector<bool> second = come_second(round, step_of);
      for (const std::vector<uint32_t>& messages : here.steps) {
        for (const uint32_t m : messages)
          step.add(here.path(m), blocks(round[m]), second[m] ? TransferOp::kCopy : round[m].op,
                   round[m].slots);
        step.flush(sink);
      }
    }
  }

 private:
  // A block of the rounds as the collective numbers it.
  [[nodiscard]] BlockId numbered(BlockId block) const {
    const auto number = static_cast<uint32_t>(index(block));
    const uint32_t pieces = problem_.collective().pieces();
    return problem_.collective().block(placement_[number / pieces], number % pieces);
  }
  // Whether messages of the same sizes go between the same ranks, as in every round of a ring: where one was sent, the other is.
  static bool are_alike(std::span<const RankRounds::Message> a, std::span<const RankRounds::Message> b) {
    return std::ranges::equal(a, b, [](const RankRounds::Message& x, const RankRounds::Message& y) {
      return x.from == y.from && x.to == y.to && x.end_block - x.first_block == y.end_block - y.first_block;
    });
  }

  // One message after another into the first step in which both its ends have a port left.
  [[nodiscard]] std::vector<size_t> steps_by_ports(std::span<const RankRounds::Message> round) const {
    const Model& model = problem_.model();
    std::vector<std::vector<uint32_t>> sent;
    std::vector<std::vector<uint32_t>> received;
    std::vector<size_t> out;
    for (const RankRounds::Message& message : round) {
      for (size_t s = 0;; ++s) {
        if (s == sent.size()) {
          sent.emplace_back(placement_.size(), 0U);
          received.emplace_back(placement_.size(), 0U);
        }
        uint32_t& sending = sent[s][message.from];
        uint32_t& receiving = received[s][message.to];
        if ((!model.send.unlimited() && sending == model.send.count) ||
            (!model.receive.unlimited() && receiving == model.receive.count))
          continue;
        ++sending;
        ++receiving;
        out.push_back(s);
        break;
      }
    }
    return out;
  }

  // A way for every message: large ones first the one that burdens the busiest of its links least; then all again.
  [[nodiscard]] std::vector<uint32_t> balanced(ShortestPaths& ways,
                                               std::span<const RankRounds::Message> round) const {
    constexpr int kPasses = 3;
    std::vector<size_t> order(round.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
      return rounds_.blocks(round[a]).size() > rounds_.blocks(round[b]).size();
    });
    // The paths of all ways, message by message, and where they end.
    std::vector<ArcId> arcs;
    std::vector<size_t> path_ends{0};
    std::vector<size_t> first_path{0};
    std::vector<ArcId> path;
    for (const RankRounds::Message& message : round) {
      const Rank from = rank(message.from);
      const Rank to = rank(message.to);
      const uint32_t count = ways.count(from, to);
      for (uint32_t w = 0; w < count; ++w) {
        ways.find(from, to, w, path);
        arcs.insert(arcs.end(), path.begin(), path.end());
        path_ends.push_back(arcs.size());
      }
      first_path.push_back(path_ends.size() - 1);
    }
    const auto way = [&](size_t m, uint32_t w) {
      const size_t p = first_path[m] + w;
      return std::span(arcs).subspan(path_ends[p], path_ends[p + 1] - path_ends[p]);
    };
    std::vector<uint64_t> load(problem_.topology().num_arcs(), 0);
    std::vector<uint32_t> out(round.size(), UINT32_MAX);
    for (int pass = 0; pass < kPasses; ++pass) {
      for (const size_t m : order) {
        const uint64_t blocks = rounds_.blocks(round[m]).size();
        if (out[m] != UINT32_MAX)
          for (const ArcId arc : way(m, out[m])) load[index(arc)] -= blocks;
        std::pair<uint64_t, uint64_t> least{UINT64_MAX, UINT64_MAX};
        for (uint32_t w = 0; w < first_path[m + 1] - first_path[m]; ++w) {
          std::pair<uint64_t, uint64_t> burden{0, 0};
          for (const ArcId arc : way(m, w)) {
            const uint64_t there = (load[index(arc)] + blocks) / problem_.topology().capacity(arc);
            burden.first = std::max(burden.first, there);
            burden.second += there;
          }
          if (burden >= least) continue;
          least = burden;
          out[m] = w;
        }
        for (const ArcId arc : way(m, out[m])) load[index(arc)] += blocks;
      }
    }
    return out;
  }

  [[nodiscard]] std::shared_ptr<const PackedWorms> packed_round(
      KeptPackings& packings, std::span<const RankRounds::Message> round) const {
    std::vector<WormPacking::Worm> worms;
    for (const RankRounds::Message& message : round)
      worms.push_back({placement_[message.from], placement_[message.to]});
    return packings.packed(worms, kRoundBudget);
  }

  static std::vector<size_t> steps_of(const PackedWorms& round) {
    std::vector<size_t> out(round.path_ends.size() - 1);
    for (size_t s = 0; s < round.steps.size(); ++s)
      for (const uint32_t m : round.steps[s]) out[m] = s;
    return out;
  }

  // Messages that bring back in a later step what was added in an earlier one.
  [[nodiscard]] std::vector<bool> come_second(std::span<const RankRounds::Message> round,
                                              std::span<const size_t> step_of) const {
    std::vector<bool> out(round.size(), false);
    if (problem_.collective().flow() != Flow::kCombine) return out;
    if (std::ranges::all_of(step_of, [](size_t step) { return step == 0; })) return out;
    std::map<std::pair<uint32_t, uint32_t>, size_t> by_ends;
    for (size_t m = 0; m < round.size(); ++m) by_ends.emplace(std::pair(round[m].from, round[m].to), m);
    for (size_t m = 0; m < round.size(); ++m) {
      const auto back = by_ends.find({round[m].to, round[m].from});
      if (back == by_ends.end() || step_of[m] <= step_of[back->second]) continue;
      if (round[m].slots != SumSlots{}) continue;  // what is sent is not what comes
      const auto mine = rounds_.blocks(round[m]);
      const auto theirs = rounds_.blocks(round[back->second]);
      out[m] = std::equal(mine.begin(), mine.end(), theirs.begin(), theirs.end());
    }
    return out;
  }

  const Problem& problem_;
  const RankRounds& rounds_;
  const Placement& placement_;
  bool names_ranks_;  // blocks of a total exchange name two: its ranks are where their numbers say
  std::vector<BlockId> blocks_;
};

// Counts what time is made of where transfers may share arcs.
class RoundsMeter final : public StepSink {
 public:
  RoundsMeter(const Problem& problem, StepSink& sink) : topology_(problem.topology()), sink_(sink) {
    load_.assign(topology_.num_arcs(), 0);
    if (problem.model().cost.to > 0) out_.further_messages = 0;
  }

  void push(const StepView& step) override {
    uint64_t most = 0;
    uint64_t farthest = 0;
    for (size_t t = 0; t < step.size(); ++t) {
      farthest = std::max<uint64_t>(farthest, step.arcs(t).size());
      for (const ArcId arc : step.arcs(t)) {
        load_[index(arc)] += step.blocks(t).size();
        most = std::max(most, (load_[index(arc)] - 1) / topology_.capacity(arc) + 1);
      }
    }
    for (size_t t = 0; t < step.size(); ++t)
      for (const ArcId arc : step.arcs(t)) load_[index(arc)] = 0;
    out_.steps = *out_.steps + 1;
    out_.start_ups = *out_.start_ups + (step.size() > 0 ? 1 : 0);
    out_.critical_blocks = *out_.critical_blocks + most;
    out_.critical_hops = *out_.critical_hops + farthest;
    if (out_.further_messages) out_.further_messages = *out_.further_messages + further_messages(step);
    sink_.push(step);
  }
  [[nodiscard]] const Prediction& prediction() const { return out_; }

 private:
  // Those that one node starts, or ends, beyond its first; what takes the same path is one message.
  uint64_t further_messages(const StepView& step) {
    std::set<std::vector<ArcId>> paths;
    std::vector<uint64_t> at_node(2 * size_t{topology_.num_nodes()}, 0);
    uint64_t most = 1;
    for (size_t t = 0; t < step.size(); ++t) {
      const auto arcs = step.arcs(t);
      if (!paths.emplace(arcs.begin(), arcs.end()).second) continue;
      most = std::max({most, ++at_node[2 * index(topology_.tail(arcs.front()))],
                       ++at_node[2 * index(topology_.head(arcs.back())) + 1]});
    }
    return most - 1;
  }

  const Topology& topology_;
  StepSink& sink_;
  std::vector<uint64_t> load_;
  Prediction out_{.steps = 0, .start_ups = 0, .critical_blocks = 0, .critical_hops = 0, .measured = true};
};

// A plan: rounds that are steps as they are, or steps that were packed.
struct Placed {
  RankRounds rounds;
  Placement placement;
  bool is_free = false;
  bool is_left_out = false;  // not worth placing: there are no rounds
  Prediction prediction{};
  MeasuredPlan packed{};
};

uint64_t blocks_of(const RankRounds& rounds) {
  uint64_t blocks = 0;
  for (size_t r = 0; r < rounds.size(); ++r)
    for (const RankRounds::Message& message : rounds.round(r)) blocks += rounds.blocks(message).size();
  return blocks;
}

// Packed, and what it takes.
class Packer {
 public:
  explicit Packer(const Problem& problem) : problem_(problem) {
    if (shares_arcs(problem.model())) {
      ways_.emplace(problem, kWays);
    } else {
      packings_.emplace(problem);
    }
  }

  Prediction pack(const RankRounds& rounds, const Placement& placement, StepSink& sink) {
    PlacedRounds placed(problem_, rounds, placement);
    if (ways_) {
      RoundsMeter meter(problem_, sink);
      placed.push_shared(*ways_, meter);
      return meter.prediction();
    }
    MeasuredPlan measured(0);
    Both both(measured, sink);
    if (problem_.collective().num_ranks() > kMostRanksTried || blocks_of(rounds) > kMostCompacted) {
      placed.push_packed(*packings_, both);
    } else {
      Plan plan;
      placed.push_packed(*packings_, plan);
      const Plan compacted = compact_steps(problem_, plan);
      const bool ordered = problem_.model().combining == Operator::kOrdered;
      (!ordered || sums_in_order(problem_, compacted) ? compacted : plan).replay(both);
    }
    return measured.prediction();
  }

 private:
  class Both final : public StepSink {
   public:
    Both(StepSink& a, StepSink& b) : a_(a), b_(b) {}
    void push(const StepView& step) override {
      a_.push(step);
      b_.push(step);
    }

   private:
    StepSink& a_;
    StepSink& b_;
  };

  static constexpr uint32_t kWays = 8;

  const Problem& problem_;
  std::optional<KeptPackings> packings_;
  std::optional<ShortestPaths> ways_;
};

bool is_better(const Prediction& a, const Prediction& b) {
  return std::pair(*a.steps, *a.critical_blocks) < std::pair(*b.steps, *b.critical_blocks);
}

Prediction predicted_free(const Problem& problem, PlacedRounds& placed, const RankRounds& rounds) {
  uint64_t steps = 0;
  uint64_t blocks = 0;
  for (size_t r = 0; r < rounds.size(); ++r) {
    steps += placed.steps_of_free(r);
    blocks += rounds.most_blocks(r);
  }
  Prediction out{.steps = steps, .start_ups = steps, .critical_blocks = blocks, .critical_hops = steps};
  // A link of its own for every message carries its blocks, and nothing else.
  const bool is_known = !has_wide_arcs(problem.topology()) && problem.model().cost.to == 0;
  if (shares_arcs(problem.model()) && !is_known) {
    CountingSink nobody;
    RoundsMeter meter(problem, nobody);
    placed.push_free(meter);
    out.critical_blocks = meter.prediction().critical_blocks;
    out.further_messages = meter.prediction().further_messages;
  }
  return out;
}

// Without a placement where none will do.
Placed place(const Problem& problem, RankRounds rounds, bool by_number) {
  Placed out{.rounds = std::move(rounds), .placement = {}};
  const std::vector<Placement> all = placements(problem, by_number);
  for (const Placement& placement : all) {
    PlacedRounds placed(problem, out.rounds, placement);
    if (!placed.are_free()) continue;
    out.placement = placement;
    out.is_free = true;
    out.prediction = predicted_free(problem, placed, out.rounds);
    return out;
  }
  if (!takes_paths(problem.model())) return out;
  Packer packer(problem);
  for (const Placement& placement : all) {
    MeasuredPlan plan;
    const Prediction prediction = packer.pack(out.rounds, placement, plan);
    if (!out.placement.empty() && !is_better(prediction, out.prediction)) continue;
    out.placement = placement;
    out.prediction = prediction;
    out.packed = std::move(plan);
  }
  return out;
}

Placed place_if_wanted(const Problem& problem, const RoundsMember& member) {
  if (are_worth_making(problem, member)) {
    RankRounds rounds = member.rounds(problem);
    if (are_worth_placing(problem, rounds, member.by_number))
      return place(problem, std::move(rounds), member.by_number);
  }
  return {.rounds = {}, .placement = {}, .is_left_out = true};
}

Prediction predicted(const Problem&, const Placed& placed) { return placed.prediction; }

void generate(const Problem& problem, const Placed& placed, StepSink& sink) {
  if (placed.is_free) return PlacedRounds(problem, placed.rounds, placed.placement).push_free(sink);
  QUADRILLE_CHECK(takes_paths(problem.model()), "rounds for which there may be no ports have an outline");
  if (placed.packed.is_kept()) return placed.packed.replay(sink);
  Packer(problem).pack(placed.rounds, placed.placement, sink);
}

constexpr uint32_t kMostSoonRouted = 2048;
constexpr uint32_t kMostSoonBalanced = 512;  // where links are shared, ways are chosen

Effort effort_of(const Problem& problem, const RoundsMember& member) {
  const bool are_few =
      member.are_few && shares_arcs(problem.model()) && problem.collective().num_ranks() > kMostRanksTried;
  if (!are_few && !is_complete(problem.topology()) && !are_soon_routed(problem)) return Effort::kMuch;
  return some_at_large(problem);
}

Applicability apply_up_to(const Problem& problem, uint32_t most_neighbours) {
  const Model& model = problem.model();
  if (shares_arcs(model) && model.duplex == Duplex::kHalf)
    return Applicability::no("half duplex: its messages would meet on shared links");
  const Topology& topology = problem.topology();
  if (!takes_paths(model)) {
    if (is_complete(topology)) most_neighbours = kMostOnComplete;
    if (topology.num_endpoints() <= most_neighbours) return Applicability::yes();
    return Applicability::no(
        fmt::format("packets: it looks for a placement in which all partners are neighbours, for up to "
                    "{} ranks; {} has {}",
                    most_neighbours, topology.name(), topology.num_endpoints()));
  }
  const uint64_t entries = uint64_t{topology.num_nodes()} * topology.num_endpoints();
  if (entries <= kMostEntries) return Applicability::yes();
  return Applicability::no(fmt::format("it keeps every next hop in memory: at most {} of them, {} has {}",
                                       with_thousands(kMostEntries), topology.name(),
                                       with_thousands(entries)));
}

}  // namespace

bool are_soon_routed(const Problem& problem) {
  const uint32_t ranks = problem.collective().num_ranks();
  return takes_paths(problem.model()) && problem.topology().has_routers() && ranks > kMostRanksTried &&
         ranks <= (shares_arcs(problem.model()) ? kMostSoonBalanced : kMostSoonRouted);
}

Applicability rounds_apply(const Problem& problem) { return apply_up_to(problem, kMostNeighbours); }

Applicability line_rounds_apply(const Problem& problem) {
  const Topology& topology = problem.topology();
  const bool has_lines = topology.product() != nullptr && !topology.has_routers();
  return apply_up_to(problem, has_lines ? kMostOnLines : kMostNeighbours);
}

namespace {

// What is known without the rounds.
PreparedPlan foretold(const Problem& problem, const RoundsOutline& outline, RoundsMember member) {
  return sharing(
      problem, [member](const Problem& p) { return place(p, member.rounds(p), member.by_number); },
      [outline](const Problem& p, Once<Placed>&) {
        const uint64_t steps = carries_many(p.model()) ? outline.rounds : outline.blocks;
        Prediction out{
            .steps = steps, .start_ups = steps, .critical_blocks = outline.blocks, .critical_hops = steps};
        if (shares_arcs(p.model()) && p.model().cost.to > 0) out.further_messages = outline.further_messages;
        return out;
      },
      generate, Effort::kLittle, member.name);
}

// Whether rounds of so many messages at a node are steps as they are. A link goes one way in a step of half duplex, and a round may
// use it both ways.
bool are_steps(const Problem& problem, const RoundsOutline& outline) {
  const Model& model = problem.model();
  const auto has_ports = [&](Ports ports) { return ports.unlimited() || ports.count >= outline.messages; };
  return is_complete(problem.topology()) && model.duplex == Duplex::kFull && !outline.meet_on_links &&
         has_ports(model.send) && has_ports(model.receive) &&
         !(shares_arcs(model) &&
           (has_wide_arcs(problem.topology()) || (model.cost.to > 0 && !outline.further_messages)));
}

}  // namespace

Preparation prepare_rounds(const Problem& problem, std::vector<RoundsMember> members) {
  Preparation out;
  const bool are_neighbours = is_complete(problem.topology());
  // Of so many neighbours rounds are made when they are wanted.
  const bool are_many_neighbours = are_neighbours && problem.model().duplex == Duplex::kFull &&
                                   problem.collective().num_ranks() > kMostNeighbours;
  for (RoundsMember& member : members) {
    const std::optional<RoundsOutline> known =
        are_neighbours && member.outline ? member.outline(problem) : std::nullopt;
    if (known && are_steps(problem, *known)) {
      out.plans.push_back(foretold(problem, *known, std::move(member)));
      continue;
    }
    if (known && are_many_neighbours && !takes_paths(problem.model())) continue;  // there is no room for it
    if (takes_paths(problem.model()) || are_many_neighbours) {
      const auto all = std::make_shared<const RoundsMember>(std::move(member));
      out.plans.push_back(sharing(
          problem, [all](const Problem& p) { return place_if_wanted(p, *all); }, predicted,
          [all](const Problem& p, const Placed& placed, StepSink& sink) {
            if (!placed.is_left_out) return generate(p, placed, sink);
            generate(p, place(p, all->rounds(p), all->by_number), sink);
          },
          effort_of(problem, *all), all->name));
      continue;
    }
    if (problem.collective().num_ranks() > kMostNeighbours && !are_worth_making(problem, member)) continue;
    Placed placed = place(problem, member.rounds(problem), member.by_number);
    if (placed.is_free)
      out.plans.push_back(kept(problem, std::move(placed), predicted, generate, std::move(member.name)));
  }
  if (!out.plans.empty()) return out;
  return Preparation::no(std::string(are_neighbours ? kNoPorts : kNoNeighbours));
}

}  // namespace quadrille
