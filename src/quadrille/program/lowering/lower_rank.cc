#include "quadrille/program/lowering/lower_rank.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "quadrille/base/check.h"
#include "quadrille/base/input_error.h"

namespace quadrille {
namespace {

constexpr uint64_t kNeverFree = UINT64_MAX;

// A block as this rank has it, from the step in which it came; of what it has first, from the beginning.
struct HeldBlock {
  static constexpr uint32_t kAtFirst = UINT32_MAX;

  BlockId block{0};
  uint32_t step = kAtFirst;
  int64_t last_sent = -1;
  bool is_result = false;

  // The step from which its place is free.
  [[nodiscard]] uint64_t free_from() const {
    return is_result ? kNeverFree : static_cast<uint64_t>(std::max(last_sent, int64_t{step})) + 1;
  }
};

// One block on its way, to this rank or from it.
struct Passage {
  uint32_t peer = 0;
  uint32_t held = 0;  // in the list of what this rank has had
};

struct SlotPlace {
  Buffer buffer = Buffer::kInput;
  uint32_t slot = 0;
};

}  // namespace

class RankLowering::Impl {
 public:
  Impl(const Problem& problem, Rank rank)
      : collective_(problem.collective()), rank_(rank), topology_(problem.topology()) {
    const NodeId me = topology_.endpoint(rank);
    side_.assign(topology_.num_arcs(), 0);
    for (const ArcId arc : topology_.arcs()) {
      if (topology_.tail(arc) == me) side_[index(arc)] |= kLeaves;
      if (topology_.head(arc) == me) side_[index(arc)] |= kComes;
    }
    for_own_blocks([&](BlockId block) { has_.emplace(block, add_held({.block = block})); });
    inputs_ = static_cast<uint32_t>(held_.size());
  }

  void push(const StepView& view) {
    if (steps_ == HeldBlock::kAtFirst - 1)
      throw InputError(fmt::format("a plan of more than {} steps is too long to run", steps_));
    const auto step = static_cast<uint32_t>(steps_++);
    if (view.arcs_end.empty() && view.blocks_end.empty()) {
      // Most steps of most plans: a look at each link.
      for (size_t t = 0; t < view.all_arcs.size(); ++t) {
        const ArcId arc = view.all_arcs[t];
        if (const uint8_t side = side_[index(arc)]; side != 0)
          take(side, arc, arc, view.all_blocks.subspan(t, 1), step);
      }
    } else {
      for (size_t t = 0; t < view.size(); ++t) {
        const std::span<const ArcId> path = view.arcs(t);
        const auto side = static_cast<uint8_t>((side_[index(path.front())] & kLeaves) |
                                               (side_[index(path.back())] & kComes));
        if (side != 0) take(side, path.front(), path.back(), view.blocks(t), step);
      }
    }
    if (sent_.empty() && came_.empty()) return;
    for (const auto& [block, held] : arrived_) has_[block] = held;
    arrived_.clear();
    // By peer, of each as the plan has them.
    std::ranges::stable_sort(came_, {}, &Passage::peer);
    std::ranges::stable_sort(sent_, {}, &Passage::peer);
    moments_.push_back({step, static_cast<uint32_t>(passages_.size()), static_cast<uint32_t>(came_.size()),
                        static_cast<uint32_t>(sent_.size())});
    passages_.insert(passages_.end(), came_.begin(), came_.end());
    passages_.insert(passages_.end(), sent_.begin(), sent_.end());
    came_.clear();
    sent_.clear();
  }

  RankProgram finish() {
    out_.rank = rank_;
    out_.input_slots = inputs_;
    find_results();
    place();
    write();
    return std::move(out_);
  }

 private:
  static constexpr uint8_t kLeaves = 1;
  static constexpr uint8_t kComes = 2;

  // What happens in one step: passages from `begin` on, first those that come.
  struct Moment {
    uint32_t step;
    uint32_t begin;
    uint32_t came;
    uint32_t sent;
  };

  uint32_t add_held(const HeldBlock& block) {
    QUADRILLE_CHECK(held_.size() < UINT32_MAX, "a rank's program is too large");
    held_.push_back(block);
    return static_cast<uint32_t>(held_.size() - 1);
  }

  // Ascending.
  template <typename Visit>
  void for_own_blocks(Visit visit) const {
    const uint32_t pieces = collective_.pieces();
    const auto me = static_cast<uint32_t>(index(rank_));
    const auto range = [&](uint32_t begin, uint32_t count) {
      for (uint32_t b = begin; b < begin + count; ++b) visit(BlockId{b});
    };
    switch (collective_.kind()) {
      case CollectiveKind::kAlltoall:
        return range(me * collective_.num_ranks() * pieces, collective_.num_ranks() * pieces);
      case CollectiveKind::kGather:
      case CollectiveKind::kAllgather:
        return range(me * pieces, pieces);
      default:
        if (collective_.root() == rank_) range(0, collective_.num_blocks());
    }
  }
  template <typename Visit>
  void for_last_blocks(Visit visit) const {
    const uint32_t pieces = collective_.pieces();
    const auto me = static_cast<uint32_t>(index(rank_));
    switch (collective_.kind()) {
      case CollectiveKind::kAlltoall:
        for (uint32_t s = 0; s < collective_.num_ranks(); ++s)
          for (uint32_t p = 0; p < pieces; ++p) visit(collective_.block(Rank{s}, rank_, p));
        return;
      case CollectiveKind::kScatter:
        for (uint32_t p = 0; p < pieces; ++p) visit(BlockId{me * pieces + p});
        return;
      default:
        if (collective_.kind() == CollectiveKind::kGather && collective_.root() != rank_) return;
        for (uint32_t b = 0; b < collective_.num_blocks(); ++b) visit(BlockId{b});
    }
  }
  // Where a block lies in the output of this rank, if it must have it.
  [[nodiscard]] std::optional<uint32_t> output_slot(BlockId block) const {
    if (!collective_.is_destination(block, rank_)) return std::nullopt;
    const uint32_t pieces = collective_.pieces();
    const auto number = static_cast<uint32_t>(index(block));
    switch (collective_.kind()) {
      case CollectiveKind::kAlltoall:
        return static_cast<uint32_t>(index(collective_.origin(block))) * pieces + number % pieces;
      case CollectiveKind::kScatter:
        return number % pieces;
      default:
        return number;
    }
  }

  void take(uint8_t side, ArcId first, ArcId last, std::span<const BlockId> blocks, uint32_t step) {
    for (const BlockId block : blocks) {
      if ((side & kLeaves) != 0) {
        const auto found = has_.find(block);
        QUADRILLE_CHECK(found != has_.end(),
                        fmt::format("step {}: rank {} has no block {}", step, index(rank_), index(block)));
        held_[found->second].last_sent = step;
        sent_.push_back({rank_at(topology_.head(last)), found->second});
      }
      if ((side & kComes) != 0) {
        // What is sent in this step was there before it.
        const uint32_t held = add_held({.block = block, .step = step});
        arrived_.emplace_back(block, held);
        came_.push_back({rank_at(topology_.tail(first)), held});
      }
    }
  }
  [[nodiscard]] uint32_t rank_at(NodeId node) const {
    return static_cast<uint32_t>(index(*topology_.rank(node)));
  }

  void find_results() {
    for_last_blocks([&](BlockId block) {
      const auto found = has_.find(block);
      QUADRILLE_CHECK(found != has_.end(), fmt::format("rank {} lacks block {}", index(rank_), index(block)));
      held_[found->second].is_result = true;
      results_.push_back(found->second);
    });
    out_.output_slots = static_cast<uint32_t>(results_.size());
    has_.clear();
  }

  // As placement.h says: into the output where its slot is free, else into the lowest scratch slot that is.
  void place() {
    places_.resize(held_.size());
    std::vector<uint64_t> free_from(results_.size(), 0);
    for (size_t slot = 0; slot < results_.size(); ++slot)
      if (results_[slot] < inputs_) free_from[slot] = kNeverFree;
    using Taken = std::pair<uint64_t, uint32_t>;  // free from which step, slot
    std::priority_queue<Taken, std::vector<Taken>, std::greater<>> taken;
    std::priority_queue<uint32_t, std::vector<uint32_t>, std::greater<>> free;
    for (uint32_t h = 0; h < held_.size(); ++h) {
      const HeldBlock& held = held_[h];
      if (h < inputs_) {
        places_[h] = {Buffer::kInput, h};
        continue;
      }
      if (const std::optional<uint32_t> slot = output_slot(held.block);
          slot && free_from[*slot] <= held.step) {
        places_[h] = {Buffer::kOutput, *slot};
        free_from[*slot] = held.free_from();
        continue;
      }
      for (; !taken.empty() && taken.top().first <= held.step; taken.pop()) free.push(taken.top().second);
      if (free.empty()) free.push(out_.scratch_slots++);
      places_[h] = {Buffer::kScratch, free.top()};
      taken.emplace(held.free_from(), free.top());
      free.pop();
    }
  }

  void add_slot(SlotPlace place, size_t first_run) {
    std::vector<SlotRun>& runs = out_.runs;
    if (runs.size() > first_run && runs.back().buffer == place.buffer &&
        runs.back().first + runs.back().count == place.slot) {
      ++runs.back().count;
    } else {
      runs.push_back({place.buffer, place.slot, 1});
    }
  }

  // Passages with one peer are one message.
  void add_messages(ActionKind kind, uint32_t step, std::span<const Passage> passages) {
    for (size_t i = 0; i < passages.size();) {
      Action action{kind, Rank{passages[i].peer}, step};
      action.begin = size32(out_.runs);
      action.blocks_begin = size32(out_.blocks);
      for (const uint32_t peer = passages[i].peer; i < passages.size() && passages[i].peer == peer; ++i) {
        add_slot(places_[passages[i].held], action.begin);
        out_.blocks.push_back(held_[passages[i].held].block);
      }
      action.end = size32(out_.runs);
      out_.actions.push_back(action);
      ++requests_;
    }
  }

  void add_copy(uint32_t step, SlotPlace target, SlotPlace source) {
    if (!out_.actions.empty() && out_.actions.back().kind == ActionKind::kCopy &&
        out_.actions.back().step == step) {
      SlotRun& into = out_.runs[out_.runs.size() - 2];
      SlotRun& from = out_.runs.back();
      const auto follows = [](const SlotRun& run, SlotPlace next) {
        return run.buffer == next.buffer && run.first + run.count == next.slot;
      };
      // Never within one buffer: results that lie elsewhere are input or scratch.
      if (follows(into, target) && follows(from, source)) {
        ++into.count;
        ++from.count;
        return;
      }
    }
    Action action{ActionKind::kCopy, Rank{0}, step};
    action.begin = size32(out_.runs);
    out_.runs.push_back({target.buffer, target.slot, 1});
    out_.runs.push_back({source.buffer, source.slot, 1});
    action.end = size32(out_.runs);
    out_.actions.push_back(action);
  }

  void add_copies(bool of_input, uint32_t step) {
    for (uint32_t slot = 0; slot < results_.size(); ++slot) {
      const SlotPlace source = places_[results_[slot]];
      const SlotPlace target{Buffer::kOutput, slot};
      if ((source.buffer == Buffer::kInput) == of_input && source.buffer != Buffer::kOutput)
        add_copy(step, target, source);
    }
  }

  void write() {
    if (moments_.empty() || moments_.front().step > 0) add_copies(true, 0);
    for (size_t m = 0; m < moments_.size(); ++m) {
      const Moment& now = moments_[m];
      const std::span<const Passage> all = std::span(passages_).subspan(now.begin, now.came + now.sent);
      const uint32_t first = requests_;
      add_messages(ActionKind::kReceive, now.step, all.first(now.came));
      add_messages(ActionKind::kSend, now.step, all.subspan(now.came));
      if (now.step == 0) add_copies(true, 0);
      Action wait{ActionKind::kWait, Rank{0}, now.step};
      wait.begin = size32(out_.requests);
      for (uint32_t request = first; request < requests_; ++request) out_.requests.push_back(request);
      wait.end = size32(out_.requests);
      out_.actions.push_back(wait);
    }
    add_copies(false, static_cast<uint32_t>(steps_) - 1);
  }

  template <typename T>
  static uint32_t size32(const std::vector<T>& items) {
    QUADRILLE_CHECK(items.size() < UINT32_MAX, "a rank's program is too large");
    return static_cast<uint32_t>(items.size());
  }

  Collective collective_;
  Rank rank_;
  Topology topology_;
  std::vector<uint8_t> side_;  // per arc
  uint64_t steps_ = 0;
  std::vector<HeldBlock> held_;  // what it has first, then as they come
  uint32_t inputs_ = 0;
  std::unordered_map<BlockId, uint32_t> has_;  // now
  std::vector<Passage> came_;                  // of one step
  std::vector<Passage> sent_;
  std::vector<std::pair<BlockId, uint32_t>> arrived_;
  std::vector<Moment> moments_;
  std::vector<Passage> passages_;
  std::vector<uint32_t> results_;  // per output slot
  std::vector<SlotPlace> places_;
  uint32_t requests_ = 0;
  RankProgram out_;
};

std::optional<std::string> RankLowering::why_not(const Problem& problem) {
  if (problem.collective().flow() == Flow::kCombine) return "contributions are combined on their way";
  if (problem.collective().kind() == CollectiveKind::kAlltoallv)
    return "blocks are numbered by a table of counts";
  if (problem.topology().num_endpoints() != problem.topology().num_nodes())
    return "blocks go through routers";
  return std::nullopt;
}

RankLowering::RankLowering(const Problem& problem, Rank rank) : impl_(std::make_unique<Impl>(problem, rank)) {
  QUADRILLE_CHECK(!why_not(problem), *why_not(problem));
}
RankLowering::~RankLowering() = default;
void RankLowering::push(const StepView& step) { impl_->push(step); }
RankProgram RankLowering::finish() { return impl_->finish(); }

}  // namespace quadrille
