#include "quadrille/algorithms/placed_ranks/circulant_broadcast.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "quadrille/algorithms/placed_ranks/placed_rounds.h"
#include "quadrille/algorithms/placed_ranks/tree_rounds.h"
#include "quadrille/search/solve.h"

namespace quadrille {
namespace {

constexpr uint32_t kMostConflicts = 200'000;

// The jumps, the least first.
std::vector<uint32_t> jumps_of(uint32_t ranks) {
  std::vector<uint32_t> out;
  for (uint32_t jump = ranks; jump > 1;) {
    jump = (jump + 1) / 2;
    out.push_back(jump);
  }
  std::reverse(out.begin(), out.end());
  return out;
}

// Which chunk of a phase is the first that a rank has, and in which round it comes: the least and the greatest of the
// jumps that add up to the rank, the greatest taken first.
struct Way {
  uint32_t first;
  uint32_t last;
};

Way way_to(uint32_t rank, const std::vector<uint32_t>& jumps) {
  Way out{0, 0};
  bool any = false;
  for (size_t k = jumps.size(); k-- > 0;) {
    if (jumps[k] > rank) continue;
    rank -= jumps[k];
    out.first = static_cast<uint32_t>(k);
    if (!any) out.last = out.first;
    any = true;
  }
  return out;
}

using Table = std::vector<int>;

// table[v * q + k]: what rank v receives in round k of phase 0: a chunk of the phase from 0 on, or below 0 one of the
// phase before. Rank 0 has none.
class TableSearch {
 public:
  explicit TableSearch(uint32_t ranks) : ranks_(ranks), jumps_(jumps_of(ranks)), q_(jumps_.size()) {
    for (uint32_t v = 0; v < ranks; ++v) ways_.push_back(way_to(v, jumps_));
    first_ = formula_.variables(size_t{ranks} * q_ * q_);
  }

  // Empty where none was found.
  [[nodiscard]] Table find() {
    for (uint32_t v = 1; v < ranks_; ++v) constrain(v);
    const SearchAnswer answer =
        solve(formula_, {.conflicts = kMostConflicts, .focus = SearchFocus::kSolutions});
    if (!answer.satisfiable()) return {};
    Table table(size_t{ranks_} * q_, 0);
    for (uint32_t v = 1; v < ranks_; ++v) {
      for (uint32_t k = 0; k < q_; ++k)
        for (uint32_t e = 0; e < q_; ++e)
          if (answer.value(gets(v, k, e)))
            table[v * q_ + k] = static_cast<int>(e) - (k == ways_[v].last ? 0 : static_cast<int>(q_));
    }
    return table;
  }

 private:
  // Rank v receives chunk e, modulo q, in round k.
  [[nodiscard]] int gets(uint32_t v, uint32_t k, uint32_t e) const {
    return first_ + static_cast<int>((size_t{v} * q_ + k) * q_ + e);
  }

  void constrain(uint32_t v) {
    const Way& way = ways_[v];
    for (uint32_t k = 0; k < q_; ++k) {
      std::vector<int> chunks;
      std::vector<int> rounds;
      for (uint32_t e = 0; e < q_; ++e) {
        chunks.push_back(gets(v, k, e));
        rounds.push_back(gets(v, e, k));
      }
      formula_.exactly_one(chunks);
      formula_.exactly_one(rounds);
    }
    formula_.add({gets(v, way.last, way.first)});
    for (uint32_t k = 0; k < q_; ++k) {
      const uint32_t sender = (v + ranks_ - jumps_[k]) % ranks_;
      if (k == way.last || sender == 0) continue;
      for (uint32_t e = 0; e < q_; ++e) {
        // The sender's first chunk of the phase before, or what it has of the phase before by now.
        if (e == ways_[sender].first) continue;
        std::vector<int> clause{-gets(v, k, e)};
        for (uint32_t before = 0; before < k; ++before) clause.push_back(gets(sender, before, e));
        formula_.add(clause);
      }
    }
  }

  uint32_t ranks_;
  std::vector<uint32_t> jumps_;
  size_t q_;
  std::vector<Way> ways_;
  Formula formula_;
  int first_ = 0;
};

}  // namespace

namespace {

// One table serves every number of chunks, out, in, and both ways.
std::shared_ptr<const Table> kept_table(uint32_t ranks) {
  constexpr size_t kMostKept = 8;
  static std::mutex mutex;
  static std::deque<std::pair<uint32_t, std::shared_ptr<const Table>>> kept;
  const std::lock_guard lock(mutex);
  for (const auto& [known, table] : kept)
    if (known == ranks) return table;
  kept.emplace_front(ranks, std::make_shared<const Table>(TableSearch(ranks).find()));
  if (kept.size() > kMostKept) kept.pop_back();
  return kept.front().second;
}

}  // namespace

Applicability circulant_broadcast_applies(const Problem& problem) {
  if (Applicability fits = rounds_apply(problem); !fits.applies) return fits;
  const uint32_t ranks = problem.collective().num_ranks();
  if (ranks <= kMostCirculantRanks) return Applicability::yes();
  return Applicability::no(fmt::format("it searches a table with a line for every rank: up to {}, {} has {}",
                                       kMostCirculantRanks, problem.topology().name(), ranks));
}

Chunking circulant_broadcast_chunks(const Problem& problem) {
  return {.unit = 1, .streams = problem.collective().num_ranks() > 2};
}

std::optional<RoundsOutline> circulant_broadcast_outline(const Problem& problem) {
  const uint32_t ranks = problem.collective().num_ranks();
  if (ranks < 2) return RoundsOutline{};
  if (kept_table(ranks)->empty()) return std::nullopt;
  const uint64_t rounds = problem.collective().pieces() - 1 + uint64_t{jumps_of(ranks).size()};
  return RoundsOutline{.rounds = rounds, .blocks = rounds};
}

RankRounds circulant_broadcast(uint32_t ranks, uint32_t chunks) {
  if (ranks < 2) return RankRounds();
  const std::shared_ptr<const Table> table = kept_table(ranks);
  if (table->empty()) return double_tree_broadcast(ranks, chunks);
  const std::vector<uint32_t> jumps = jumps_of(ranks);
  const uint64_t q = jumps.size();
  const uint64_t idle = (q - (chunks - 1) % q) % q;  // rounds of the first phase that are left out
  RankRounds out;
  for (uint64_t t = idle; t < idle + chunks - 1 + q; ++t) {
    const size_t k = t % q;
    for (uint32_t v = 1; v < ranks; ++v) {
      const int64_t chunk = (*table)[v * q + k] + static_cast<int64_t>(t - k) - static_cast<int64_t>(idle);
      if (chunk < 0) continue;
      const auto block = BlockId{static_cast<uint32_t>(std::min<int64_t>(chunk, int64_t{chunks} - 1))};
      out.send((v + ranks - jumps[k]) % ranks, v, {&block, 1});
    }
    out.end_round();
  }
  return without_second_copies(out, ranks, chunks);
}

}  // namespace quadrille
