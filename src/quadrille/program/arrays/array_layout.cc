#include "quadrille/program/arrays/array_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "quadrille/base/input_error.h"
#include "quadrille/base/work_count.h"

namespace quadrille {
namespace {

constexpr uint32_t kFree = UINT32_MAX;

// Unknown halves, of which is known which are equal and which are different: union-find with a bit on the way
// to the representative.
class Halves {
 public:
  explicit Halves(size_t count) : parent_(count), flip_(count, 0) {
    for (uint32_t i = 0; i < count; ++i) parent_[i] = i;
  }

  /// The representative, and whether the half differs from its.
  std::pair<uint32_t, uint8_t> find(uint32_t i) {
    uint32_t root = i;
    uint8_t bit = 0;
    for (; parent_[root] != root; root = parent_[root]) bit ^= flip_[root];
    uint8_t rest = bit;
    while (parent_[i] != root && i != root) {
      const uint32_t next = parent_[i];
      const uint8_t step = flip_[i];
      parent_[i] = root;
      flip_[i] = rest;
      rest ^= step;
      i = next;
    }
    return {root, bit};
  }
  /// False if the opposite is known.
  bool relate(uint32_t a, uint32_t b, uint8_t differ) {
    const auto [root_a, bit_a] = find(a);
    const auto [root_b, bit_b] = find(b);
    const auto flip = static_cast<uint8_t>(bit_a ^ bit_b ^ differ);
    if (root_a == root_b) return flip == 0;
    parent_[root_a] = root_b;
    flip_[root_a] = flip;
    return true;
  }

 private:
  std::vector<uint32_t> parent_;
  std::vector<uint8_t> flip_;
};

// What is where, between arrangements.
struct Contents {
  std::vector<std::vector<uint32_t>> at;  // per rank and position: a block, or kFree
  std::vector<uint32_t> rank;             // per block
  std::vector<uint32_t> position;         // per block
  std::vector<uint32_t> next_hop;         // per block: how many hops it has behind it
};

// One slice of the steps since the last arrangement, its halves still unknown.
struct Draft {
  uint32_t from = 0;       // position
  uint32_t to = 0;         // position
  uint32_t from_half = 0;  // number in Halves
  uint32_t to_half = 0;
  uint32_t count = 0;
};

// The steps from one arrangement as far as they go.
struct Stretch {
  Contents contents;
  Halves halves;
  std::vector<std::vector<Draft>> drafts;    // per step
  std::vector<std::vector<BlockId>> blocks;  // per step
  std::vector<std::vector<std::pair<BlockId, uint32_t>>>
      arranged;                   // per rank: block and its number in halves
  std::vector<uint32_t> half_of;  // per block: its number in halves
  uint32_t next_half = 0;
  size_t end = 0;  // the step before which it stops
};

class ArrayPlanner {
 public:
  explicit ArrayPlanner(const Schedule& schedule)
      : problem_(schedule.problem()), plan_(schedule.plan()), blocks_(problem_.collective().num_blocks()) {
    list_hops();
  }

  ArrayLayout run() {
    Contents contents = start();
    size_t step = 0;
    do {
      std::optional<Stretch> best;
      for (const bool reflected : {false, true}) {
        Stretch stretch = try_order(contents, step, reflected);
        if (!best || stretch.end > best->end) best = std::move(stretch);
      }
      finish(*best, step);
      contents = std::move(best->contents);
      step = best->end;
    } while (step < plan_.num_steps());
    return std::move(out_);
  }

 private:
  void list_hops() {
    hops_begin_.assign(blocks_ + 1, 0);
    for (size_t s = 0; s < plan_.num_steps(); ++s) {
      for (const BlockId block : plan_.step(s).all_blocks) ++hops_begin_[index(block) + 1];
    }
    for (size_t b = 0; b < blocks_; ++b) hops_begin_[b + 1] += hops_begin_[b];
    hops_.resize(hops_begin_[blocks_]);
    std::vector<uint64_t> fill(hops_begin_.begin(), hops_begin_.end() - 1);
    for (size_t s = 0; s < plan_.num_steps(); ++s) {
      for (const BlockId block : plan_.step(s).all_blocks) {
        hops_[fill[index(block)]++] = static_cast<uint32_t>(s);
      }
    }
  }

  [[nodiscard]] Contents start() const {
    const Collective& collective = problem_.collective();
    Contents out;
    out.at.resize(collective.num_ranks());
    out.rank.resize(blocks_);
    out.position.assign(blocks_, kFree);
    out.next_hop.assign(blocks_, 0);
    for (uint32_t b = 0; b < blocks_; ++b) {
      const Rank origin = collective.origin(BlockId{b});
      out.rank[b] = static_cast<uint32_t>(index(origin));
      if (origin != collective.destination(BlockId{b})) out.at[index(origin)].push_back(b);
    }
    return out;
  }

  // When a block leaves where it is, and where it goes from there; the end of time if it stays.
  [[nodiscard]] uint32_t departure(const Contents& contents, uint32_t block, uint32_t later) const {
    const uint64_t at = hops_begin_[block] + contents.next_hop[block] + later;
    return at < hops_begin_[block + 1] ? hops_[at] : UINT32_MAX;
  }

  // What stays longest comes first, so that the next to leave are together at the end; those who leave
  // together are ordered by when they leave the next place, in the same sense, or, reflected, in the
  // opposite one.
  [[nodiscard]] bool comes_before(const Contents& contents, uint32_t a, uint32_t b, bool reflected) const {
    for (uint32_t later = 0;; ++later) {
      const uint32_t at_a = departure(contents, a, later);
      const uint32_t at_b = departure(contents, b, later);
      if (at_a != at_b) return reflected && later % 2 != 0 ? at_a < at_b : at_a > at_b;
      if (at_a == UINT32_MAX) return a < b;
    }
  }

  [[nodiscard]] Stretch try_order(const Contents& before, size_t step, bool reflected) const {
    size_t worms = 0;
    for (size_t s = step; s < plan_.num_steps(); ++s) worms += plan_.step(s).size();
    Stretch out{before, Halves(blocks_ + worms), {}, {}, {}, {}, static_cast<uint32_t>(blocks_), step};
    out.half_of.assign(blocks_, 0);
    for (std::vector<uint32_t>& array : out.contents.at) {
      std::erase(array, kFree);
      std::ranges::sort(array, [&](uint32_t a, uint32_t b) { return comes_before(before, a, b, reflected); });
      std::vector<std::pair<BlockId, uint32_t>>& arranged = out.arranged.emplace_back();
      for (uint32_t i = 0; i < array.size(); ++i) {
        out.contents.position[array[i]] = i;
        out.half_of[array[i]] = array[i];
        arranged.emplace_back(BlockId{array[i]}, array[i]);
      }
    }
    for (; out.end < plan_.num_steps() && take_step(out); ++out.end) {
    }
    return out;
  }

  // One step further; false, and nothing is moved, if some transfer is no slice. What was learnt of halves
  // until then binds nobody: it contradicts nothing.
  bool take_step(Stretch& out) const {
    const StepView step = plan_.step(out.end);
    std::vector<Draft> drafts(step.size());
    for (size_t t = 0; t < step.size(); ++t) {
      if (!find_slice(out, step.blocks(t), drafts[t])) return false;
    }
    for (size_t t = 0; t < step.size(); ++t) {
      for (const BlockId block : step.blocks(t)) {
        if (!out.halves.relate(out.half_of[index(block)], drafts[t].from_half, 0)) return false;
      }
    }
    move_blocks(out, step, drafts);
    return true;
  }

  [[nodiscard]] bool find_slice(const Stretch& out, std::span<const BlockId> blocks, Draft& draft) const {
    uint32_t first = UINT32_MAX;
    uint32_t last = 0;
    for (const BlockId block : blocks) {
      first = std::min(first, out.contents.position[index(block)]);
      last = std::max(last, out.contents.position[index(block)]);
    }
    draft.from = first;
    draft.count = static_cast<uint32_t>(blocks.size());
    draft.from_half = out.half_of[index(blocks.front())];
    return last - first + 1 == draft.count;
  }

  void move_blocks(Stretch& out, const StepView& step, std::vector<Draft>& drafts) const {
    const Topology& topology = problem_.topology();
    std::vector<BlockId>& blocks = out.blocks.emplace_back();
    std::vector<const Draft*> own(out.contents.at.size(), nullptr);  // the rank's own send in this step
    for (size_t t = 0; t < step.size(); ++t) {
      const uint32_t from = out.contents.rank[index(step.blocks(t).front())];
      std::vector<uint32_t>& array = out.contents.at[from];
      for (uint32_t i = 0; i < drafts[t].count; ++i) {
        blocks.push_back(BlockId{array[drafts[t].from + i]});
        array[drafts[t].from + i] = kFree;
      }
      own[from] = &drafts[t];
    }
    auto moved = blocks.begin();
    for (size_t t = 0; t < step.size(); ++t) {
      const Rank to = *topology.rank(topology.head(step.arcs(t).back()));
      land(out, static_cast<uint32_t>(index(to)), {moved, moved + drafts[t].count}, own[index(to)],
           drafts[t]);
      moved += drafts[t].count;
    }
    out.drafts.push_back(std::move(drafts));
  }

  void land(Stretch& out, uint32_t rank, std::span<const BlockId> blocks, const Draft* own,
            Draft& draft) const {
    std::vector<uint32_t>& array = out.contents.at[rank];
    draft.to = landing_place(array, draft.count, own);
    draft.to_half = out.next_half++;
    if (own != nullptr && draft.to < own->from + own->count && own->from < draft.to + draft.count) {
      out.halves.relate(draft.to_half, own->from_half, 1);
    }
    if (array.size() < draft.to + draft.count) array.resize(draft.to + draft.count, kFree);
    for (uint32_t i = 0; i < draft.count; ++i) {
      const auto block = static_cast<uint32_t>(index(blocks[i]));
      array[draft.to + i] = block;
      out.contents.position[block] = draft.to + i;
      out.contents.rank[block] = rank;
      ++out.contents.next_hop[block];
      out.half_of[block] = draft.to_half;
    }
  }

  // Where the rank's own send makes room, if there is enough; else the first room that is.
  [[nodiscard]] static uint32_t landing_place(const std::vector<uint32_t>& array, uint32_t count,
                                              const Draft* own) {
    const auto is_free = [&](size_t begin) {
      const size_t end = std::min<size_t>(begin + count, array.size());
      return std::all_of(array.begin() + static_cast<ptrdiff_t>(std::min(begin, end)),
                         array.begin() + static_cast<ptrdiff_t>(end), [](uint32_t b) { return b == kFree; });
    };
    if (own != nullptr && is_free(own->from)) return own->from;
    size_t begin = 0;
    for (size_t i = 0; i < array.size() && i < begin + count; ++i) {
      if (array[i] != kFree) begin = i + 1;
    }
    return static_cast<uint32_t>(begin);
  }

  // Decides the halves and writes the stretch into the layout.
  void finish(Stretch& stretch, size_t step) {
    const auto half = [&](uint32_t number) { return stretch.halves.find(number).second; };
    Arrangement& arrangement = out_.arrangements.emplace_back();
    arrangement.before_step = static_cast<uint32_t>(step);
    for (const auto& arranged : stretch.arranged) {
      std::vector<ArrangedBlock>& rank = arrangement.ranks.emplace_back();
      for (uint32_t i = 0; i < arranged.size(); ++i) {
        rank.push_back({arranged[i].first, {i, half(arranged[i].second)}});
      }
    }
    for (size_t s = 0; s < stretch.drafts.size(); ++s) {
      std::vector<ArraySlice>& slices = out_.slices.emplace_back();
      for (const Draft& d : stretch.drafts[s]) {
        slices.push_back({{d.from, half(d.from_half)}, {d.to, half(d.to_half)}, d.count});
        out_.positions = std::max({out_.positions, d.from + d.count, d.to + d.count});
      }
      out_.slice_blocks.push_back(std::move(stretch.blocks[s]));
    }
    for (const auto& rank : arrangement.ranks) {
      out_.positions = std::max(out_.positions, static_cast<uint32_t>(rank.size()));
    }
  }

  const Problem& problem_;
  const Plan& plan_;
  size_t blocks_;
  std::vector<uint64_t> hops_begin_;  // per block: its hops in hops_
  std::vector<uint32_t> hops_;        // steps
  ArrayLayout out_;
};

}  // namespace

uint64_t total(const std::vector<RearrangedBefore>& before) {
  uint64_t out = 0;
  for (const RearrangedBefore& part : before) out += part.blocks;
  return out;
}

uint64_t ArrayLayout::rearranged() const { return total(rearranged_before()); }

std::vector<RearrangedBefore> ArrayLayout::rearranged_before() const {
  if (arrangements.empty()) return {};
  std::vector<uint64_t> moved(arrangements.front().ranks.size(), 0);
  for (size_t a = 1; a < arrangements.size(); ++a)
    for (size_t r = 0; r < moved.size(); ++r) moved[r] += arrangements[a].ranks[r].size();
  const auto busiest = static_cast<size_t>(std::ranges::max_element(moved) - moved.begin());
  std::vector<RearrangedBefore> out;
  for (size_t a = 1; a < arrangements.size() && !moved.empty(); ++a)
    out.push_back({arrangements[a].before_step, arrangements[a].ranks[busiest].size()});
  return out;
}

std::optional<std::string> why_no_array_layout(const Schedule& schedule) {
  const Problem& problem = schedule.problem();
  const Topology& topology = problem.topology();
  if (problem.collective().flow() != Flow::kMove) {
    return fmt::format("blocks of {} do not move: they are copied or combined", problem.collective().name());
  }
  if (topology.has_routers()) return fmt::format("{} has routers, which keep no arrays", topology.name());
  std::vector<uint64_t> sent(topology.num_nodes(), 0);
  std::vector<uint64_t> received(topology.num_nodes(), 0);
  for (size_t s = 0; s < schedule.plan().num_steps(); ++s) {
    const StepView step = schedule.plan().step(s);
    for (size_t t = 0; t < step.size(); ++t) {
      const NodeId from = topology.tail(step.arcs(t).front());
      const NodeId to = topology.head(step.arcs(t).back());
      if (sent[index(from)] == s + 1 || received[index(to)] == s + 1) {
        return fmt::format("in step {} a node sends or receives more than once: node {} or {}", s + 1,
                           topology.label(from), topology.label(to));
      }
      sent[index(from)] = received[index(to)] = s + 1;
    }
  }
  return std::nullopt;
}

ArrayLayout lay_out_arrays(const Schedule& schedule) {
  if (const std::optional<std::string> reason = why_no_array_layout(schedule)) {
    throw InputError("there is no array layout: " + *reason);
  }
  count_work(Work::kLayingOut);
  return ArrayPlanner(schedule).run();
}

}  // namespace quadrille
