#include "quadrille/algorithms/placed_ranks/routed/rounds_in_place.h"

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include "quadrille/algorithms/packing/link_use.h"
#include "quadrille/algorithms/placed_ranks/routed/forwarded_packets.h"
#include "quadrille/algorithms/placed_ranks/routed/forwarded_sums.h"
#include "quadrille/base/check.h"
#include "quadrille/topology/queries/link_counts.h"

namespace quadrille {
namespace {

// Work of packing a round, twice, after which it is good enough.
constexpr uint64_t kRoundBudget = uint64_t{1} << 14U;

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

}  // namespace

std::span<const BlockId> RoundsInPlace::blocks(const RankRounds::Message& message) {
  if (!names_ranks_) return rounds_.blocks(message);
  blocks_.clear();
  for (const BlockId block : rounds_.blocks(message)) blocks_.push_back(numbered(block));
  return blocks_;
}

bool RoundsInPlace::are_free() const {
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

void RoundsInPlace::push_free(StepSink& sink) {
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

size_t RoundsInPlace::steps_of_free(size_t round) const {
  return carries_many(problem_.model()) ? 1 : rounds_.most_blocks(round);
}

bool RoundsInPlace::push_shared(ShortestPaths& ways, StepSink& sink, const IsWanted& is_wanted) {
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
    if (!is_wanted(rounds_.size() - r - 1)) return false;
  }
  return true;
}

bool RoundsInPlace::push_packed(KeptPackings& packings, StepSink& sink, const IsWanted& is_wanted) {
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
        step.add(here.path(m), blocks(round[m]), second[m] ? TransferOp::kCopy : round[m].op, round[m].slots);
      step.flush(sink);
    }
    if (!is_wanted(rounds_.size() - r - 1)) return false;
  }
  return true;
}

bool RoundsInPlace::can_be_forwarded() const {
  if (problem_.model().chunks == Chunks::kInOrder) return false;
  return are_trees() || (problem_.collective().flow() == Flow::kCombine && exchanged_sums());
}

bool RoundsInPlace::are_trees() const {
  const Collective& collective = problem_.collective();
  if (collective.flow() != Flow::kCombine) return true;
  if (is_ordered()) return false;  // what comes by is of ranks between which others are
  for (size_t r = 0; r < rounds_.size(); ++r)
    for (const RankRounds::Message& message : rounds_.round(r))
      if (message.slots != SumSlots{}) return false;
  // Backwards the sums of a block go down a tree, from the rank that has the last of them.
  const size_t blocks = collective.num_blocks();
  std::vector<char> has_begun(blocks, 0);
  std::vector<char> is_there(blocks * placement_.size(), 0);
  for (size_t r = rounds_.size(); r-- > 0;) {
    const std::span<const RankRounds::Message> round = rounds_.round(r);
    for (size_t m = round.size(); m-- > 0;) {
      for (const BlockId block : rounds_.blocks(round[m])) {
        char& begun = has_begun[index(block)];
        if (!adds(round[m])) {
          if (begun != 0) return false;  // what was copied is added to
          continue;
        }
        char& at_receiver = is_there[round[m].to * blocks + index(block)];
        char& at_sender = is_there[round[m].from * blocks + index(block)];
        if (begun == 0) at_receiver = begun = 1;
        if (at_receiver == 0 || at_sender != 0) return false;
        at_sender = 1;
      }
    }
  }
  return true;
}

std::optional<SumRounds> RoundsInPlace::exchanged_sums() const {
  const auto blocks = static_cast<uint32_t>(problem_.collective().num_blocks());
  if (uint64_t{problem_.topology().num_nodes()} * blocks > ForwardedSums::kMostEntries) return std::nullopt;
  std::optional<SumRounds> needs =
      sum_rounds(rounds_, static_cast<uint32_t>(placement_.size()), blocks, is_ordered());
  if (needs && !ForwardedSums::has_room(*needs)) needs.reset();
  return needs;
}

namespace {

// A round's messages, those with the longest ways first.
std::vector<size_t> longest_first(const ShortestPaths& ways, const Placement& placement,
                                  std::span<const RankRounds::Message> round) {
  std::vector<size_t> order(round.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, std::greater<>(), [&](size_t m) {
    return ways.length(placement[round[m].from], placement[round[m].to]);
  });
  return order;
}

}  // namespace

void RoundsInPlace::push_forwarded(ShortestPaths& ways, StepSink& sink) {
  if (are_trees()) return push_trees(ways, sink);
  const std::optional<SumRounds> needs = exchanged_sums();
  QUADRILLE_CHECK(needs, "rounds that are forwarded are trees, or sums for which there are slots");
  push_exchanged(*needs, ways, sink);
}

void RoundsInPlace::push_trees(ShortestPaths& ways, StepSink& sink) {
  LastRounds<std::vector<uint32_t>> found;
  std::vector<ArcId> path;
  const auto send = [&](size_t r, bool adding, ForwardedPackets& packets) {
    const std::span<const RankRounds::Message> round = rounds_.round(r);
    if (std::ranges::none_of(round, [&](const auto& message) { return adds(message) == adding; })) return;
    const std::vector<uint32_t>& way_of = found.of(
        r, [&](size_t before) { return are_alike(round, rounds_.round(before)); },
        [&] { return balanced(ways, round); });
    for (const size_t m : longest_first(ways, placement_, round)) {
      if (adds(round[m]) != adding) continue;
      ways.find(rank(round[m].from), rank(round[m].to), way_of[m], path);
      const bool is_tree = packets.send(path, blocks(round[m]));
      QUADRILLE_CHECK(is_tree, "sums go up a tree");
    }
  };
  ForwardedPackets sums(problem_, ForwardedPackets::kBackwards);
  for (size_t r = rounds_.size(); r-- > 0;) send(r, true, sums);
  sums.push(TransferOp::kDefault, sink);
  ForwardedPackets copies(problem_, ForwardedPackets::kForwards);
  for (size_t r = 0; r < rounds_.size(); ++r) send(r, false, copies);
  const bool replaces = problem_.collective().flow() == Flow::kCombine;
  copies.push(replaces ? TransferOp::kCopy : TransferOp::kDefault, sink);
}

void RoundsInPlace::push_exchanged(const SumRounds& needs, ShortestPaths& ways, StepSink& sink) {
  LastRounds<std::vector<uint32_t>> found;
  std::vector<ArcId> path;
  ForwardedSums sums(problem_, needs);
  for (size_t r = 0; r < rounds_.size(); ++r) {
    const std::span<const RankRounds::Message> round = rounds_.round(r);
    const std::vector<uint32_t>& way_of = found.of(
        r, [&](size_t before) { return are_alike(round, rounds_.round(before)); },
        [&] { return balanced(ways, round); });
    for (const size_t m : longest_first(ways, placement_, round)) {
      ways.find(rank(round[m].from), rank(round[m].to), way_of[m], path);
      sums.send(path, blocks(round[m]), round[m].op, round[m].slots);
    }
    sums.end_round();
  }
  sums.push(sink);
}

BlockId RoundsInPlace::numbered(BlockId block) const {
  const auto number = static_cast<uint32_t>(index(block));
  const uint32_t pieces = problem_.collective().pieces();
  return problem_.collective().block(placement_[number / pieces], number % pieces);
}

bool RoundsInPlace::are_alike(std::span<const RankRounds::Message> a,
                              std::span<const RankRounds::Message> b) {
  return std::ranges::equal(a, b, [](const RankRounds::Message& x, const RankRounds::Message& y) {
    return x.from == y.from && x.to == y.to && x.end_block - x.first_block == y.end_block - y.first_block;
  });
}

std::vector<size_t> RoundsInPlace::steps_by_ports(std::span<const RankRounds::Message> round) const {
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

std::vector<uint32_t> RoundsInPlace::balanced(ShortestPaths& ways,
                                              std::span<const RankRounds::Message> round) const {
  constexpr int kPasses = 3;
  std::vector<size_t> order(round.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return rounds_.blocks(round[a]).size() > rounds_.blocks(round[b]).size();
  });
  // The paths of all ways, message by message, and where they end.
  std::vector<uint32_t> counts;
  size_t hops = 0;
  for (const RankRounds::Message& message : round) {
    const Rank from = rank(message.from);
    const Rank to = rank(message.to);
    counts.push_back(ways.is_only(from, to) ? 1 : ways.count(from, to));
    hops += size_t{counts.back()} * ways.length(from, to);
  }
  std::vector<ArcId> arcs;
  arcs.reserve(hops);
  std::vector<size_t> path_ends{0};
  std::vector<size_t> first_path{0};
  std::vector<ArcId> path;
  for (size_t m = 0; m < round.size(); ++m) {
    for (uint32_t w = 0; w < counts[m]; ++w) {
      ways.find(rank(round[m].from), rank(round[m].to), w, path);
      arcs.insert(arcs.end(), path.begin(), path.end());
      path_ends.push_back(arcs.size());
    }
    first_path.push_back(path_ends.size() - 1);
  }
  const auto way = [&](size_t m, uint32_t w) {
    const size_t p = first_path[m] + w;
    return std::span(arcs).subspan(path_ends[p], path_ends[p + 1] - path_ends[p]);
  };
  const bool is_wide = has_wide_arcs(problem_.topology());
  std::vector<uint64_t> load(problem_.topology().num_arcs(), 0);
  std::vector<uint32_t> out(round.size(), UINT32_MAX);
  for (int pass = 0; pass < kPasses; ++pass) {
    for (const size_t m : order) {
      const uint64_t blocks = rounds_.blocks(round[m]).size();
      if (counts[m] == 1) {
        if (out[m] == 0) continue;
        out[m] = 0;
        for (const ArcId arc : way(m, 0)) load[index(arc)] += blocks;
        continue;
      }
      if (out[m] != UINT32_MAX)
        for (const ArcId arc : way(m, out[m])) load[index(arc)] -= blocks;
      std::pair<uint64_t, uint64_t> least{UINT64_MAX, UINT64_MAX};
      for (uint32_t w = 0; w < counts[m]; ++w) {
        std::pair<uint64_t, uint64_t> burden{0, 0};
        for (const ArcId arc : way(m, w)) {
          uint64_t there = load[index(arc)] + blocks;
          if (is_wide) there /= problem_.topology().capacity(arc);
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

std::shared_ptr<const PackedWorms> RoundsInPlace::packed_round(
    KeptPackings& packings, std::span<const RankRounds::Message> round) const {
  std::vector<WormPacking::Worm> worms;
  for (const RankRounds::Message& message : round)
    worms.push_back({placement_[message.from], placement_[message.to]});
  return packings.packed(worms, kRoundBudget);
}

std::vector<size_t> RoundsInPlace::steps_of(const PackedWorms& round) {
  std::vector<size_t> out(round.path_ends.size() - 1);
  for (size_t s = 0; s < round.steps.size(); ++s)
    for (const uint32_t m : round.steps[s]) out[m] = s;
  return out;
}

std::vector<bool> RoundsInPlace::come_second(std::span<const RankRounds::Message> round,
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

}  // namespace quadrille
