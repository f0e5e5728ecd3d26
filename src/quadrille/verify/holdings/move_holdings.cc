#include "quadrille/verify/holdings/move_holdings.h"

#include <array>

#include "quadrille/base/check.h"
#include "quadrille/collective/counts.h"
#include "quadrille/verify/rules/delivered.h"
#include "quadrille/verify/rules/delivered_once.h"
#include "quadrille/verify/rules/sender_holds.h"

namespace quadrille {
namespace {

// Blocks whose entries are fetched before the first of them is used. 256 lines fit the first-level cache; 64
// to 512 measure the same, 16 is a third slower out of cache.
constexpr size_t kAhead = 256;

inline void fetch(const void* address) { __builtin_prefetch(address, 1, 3); }

}  // namespace

MoveHoldings::MoveHoldings(const Problem& problem, BlockRange followed)
    : problem_(problem),
      destinations_(problem.collective().counts() == nullptr
                        ? nullptr
                        : problem.collective().counts()->destinations().data()),
      by_pieces_(problem.collective().pieces()),
      by_ranks_(problem.collective().num_ranks()),
      root_(0),
      to_root_(problem.collective().kind() == CollectiveKind::kGather),
      followed_(followed),
      entries_(followed.size()) {
  for (const NodeId endpoint : problem.topology().endpoints()) {
    endpoints_.push_back(static_cast<uint32_t>(index(endpoint)));
  }
  if (to_root_)
    root_ = static_cast<uint32_t>(index(problem.topology().endpoint(*problem.collective().root())));
  for (uint32_t b = followed.first; b < followed.last; ++b) {
    entry(b).holder = static_cast<uint32_t>(index(problem.origin(BlockId{b})));
    QUADRILLE_CHECK(destination(b) == index(problem.destination(BlockId{b})), "quick destination");
  }
}

// Both scatter (piece fastest, then destination) and alltoall (then origin) have the destination next to the
// piece.
inline uint32_t MoveHoldings::destination(uint32_t block) const {
  if (destinations_ != nullptr) [[unlikely]]
    return endpoints_[index(destinations_[block])];
  return to_root_ ? root_ : endpoints_[by_ranks_.remainder(by_pieces_.quotient(block))];
}

inline void MoveHoldings::move(const JudgedStep& step, size_t t, uint32_t block, uint32_t sender,
                               uint32_t receiver, Findings& findings) {
  Entry& here = entry(block);
  const Entry found = here;
  here = {receiver, step.number};
  if (found.holder != sender || found.step == step.number || sender == destination(block)) [[unlikely]] {
    report(step, t, block, sender, found, findings);
  }
}

void MoveHoldings::report(const JudgedStep& step, size_t t, uint32_t block, uint32_t sender, Entry found,
                          Findings& findings) const {
  const BlockId id{block};
  if (found.holder != sender || found.step == step.number) {
    rules::report_not_at_sender(problem_, step, t, id, NodeId{sender}, NodeId{found.holder},
                                found.step == step.number, findings);
  } else {
    rules::report_leaves_destination(problem_, step, t, id, findings);
  }
}

void MoveHoldings::apply(const JudgedStep& step, BlockRange range, Findings& findings) {
  if (step.view.is_unit()) {
    apply_unit(step, range, findings);
  } else {
    apply_worms(step, range, findings);
  }
}

void MoveHoldings::apply_unit(const JudgedStep& step, BlockRange range, Findings& findings) {
  const auto tails = problem_.topology().tails();
  const auto heads = problem_.topology().heads();
  const auto arcs = step.view.all_arcs;
  const auto blocks = step.view.all_blocks;
  const auto one = [&](size_t t) {
    const size_t arc = index(arcs[t]);
    move(step, t, static_cast<uint32_t>(blocks[t]), static_cast<uint32_t>(tails[arc]),
         static_cast<uint32_t>(heads[arc]), findings);
  };
  const bool whole = range.size() == problem_.collective().num_blocks();
  std::array<uint32_t, kAhead>
      mine;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled before it is read
  for (size_t begin = 0; begin < blocks.size(); begin += kAhead) {
    const size_t end = std::min(begin + kAhead, blocks.size());
    if (whole) {
      for (size_t t = begin; t < end; ++t) fetch(&entry(static_cast<uint32_t>(blocks[t])));
      for (size_t t = begin; t < end; ++t) one(t);
      continue;
    }
    // Without a branch: half of the blocks are another thread's, in no order that a predictor could learn.
    size_t count = 0;
    for (size_t t = begin; t < end; ++t) {
      mine[count] = static_cast<uint32_t>(t);
      count += range.contains(blocks[t]) ? 1 : 0;
    }
    for (size_t i = 0; i < count; ++i) fetch(&entry(static_cast<uint32_t>(blocks[mine[i]])));
    for (size_t i = 0; i < count; ++i) one(mine[i]);
  }
}

void MoveHoldings::apply_worms(const JudgedStep& step, BlockRange range, Findings& findings) {
  const Topology& topology = problem_.topology();
  for (size_t t = 0; t < step.view.size(); ++t) {
    const auto path = step.view.arcs(t);
    const auto sender = static_cast<uint32_t>(topology.tail(path.front()));
    const auto receiver = static_cast<uint32_t>(topology.head(path.back()));
    const auto blocks = step.view.blocks(t);
    for (size_t begin = 0; begin < blocks.size(); begin += kAhead) {
      const auto some = blocks.subspan(begin, std::min(kAhead, blocks.size() - begin));
      for (const BlockId block : some) {
        if (range.contains(block)) fetch(&entry(static_cast<uint32_t>(block)));
      }
      for (const BlockId block : some) {
        if (range.contains(block)) move(step, t, static_cast<uint32_t>(block), sender, receiver, findings);
      }
    }
  }
}

void MoveHoldings::finish(BlockRange range, Findings& findings) const {
  for (uint32_t b = range.first; b < range.last; ++b) {
    const uint32_t holder = entries_[b - followed_.first].holder;
    if (holder != destination(b)) rules::report_stranded(problem_, BlockId{b}, NodeId{holder}, findings);
  }
}

}  // namespace quadrille
