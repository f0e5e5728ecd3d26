#include "quadrille/collective/counts.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "quadrille/base/input_error.h"

namespace quadrille {
namespace {

constexpr auto kByPair = [](const Counts::Entry& a, const Counts::Entry& b) {
  return std::pair(a.from, a.to) < std::pair(b.from, b.to);
};

}  // namespace

Counts::Counts(uint32_t num_ranks, std::vector<Entry> entries) : entries_(std::move(entries)) {
  if (num_ranks == 0) throw InputError("a collective needs at least one rank");
  for (const Entry& e : entries_) {
    const Rank outside = index(e.from) >= num_ranks ? e.from : e.to;
    if (index(outside) < num_ranks) continue;
    throw InputError(fmt::format("a count from rank {} to rank {}: the ranks are 0 to {}", index(e.from),
                                 index(e.to), num_ranks - 1));
  }
  if (!std::is_sorted(entries_.begin(), entries_.end(), kByPair))
    std::sort(entries_.begin(), entries_.end(), kByPair);
  const auto twice = std::adjacent_find(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) {
    return a.from == b.from && a.to == b.to;
  });
  if (twice != entries_.end()) {
    throw InputError(fmt::format("two counts from rank {} to rank {}; a pair has one", index(twice->from),
                                 index(twice->to)));
  }
  std::erase_if(entries_, [](const Entry& e) { return e.count == 0; });

  uint64_t blocks = 0;
  rows_.assign(num_ranks + size_t{1}, 0);
  sent_.assign(num_ranks, 0);
  received_.assign(num_ranks, 0);
  for (const Entry& e : entries_) {
    ++rows_[index(e.from) + 1];
    blocks += e.count;
    if (e.from == e.to) continue;
    sent_[index(e.from)] += e.count;
    received_[index(e.to)] += e.count;
    moved_ += e.count;
  }
  if (blocks >= kMaxIds) {
    throw InputError(fmt::format(
        "the counts add up to {} blocks, and no more than {} can be numbered; count in larger units", blocks,
        kMaxIds - 1));
  }
  for (uint32_t r = 0; r < num_ranks; ++r) rows_[r + 1] += rows_[r];
  first_blocks_.reserve(entries_.size() + 1);
  origins_.reserve(blocks);
  destinations_.reserve(blocks);
  for (const Entry& e : entries_) {
    first_blocks_.push_back(num_blocks());
    origins_.insert(origins_.end(), e.count, e.from);
    destinations_.insert(destinations_.end(), e.count, e.to);
  }
  first_blocks_.push_back(num_blocks());
}

std::span<const Counts::Entry> Counts::from(Rank rank) const {
  return std::span(entries_).subspan(rows_[index(rank)], rows_[index(rank) + 1] - rows_[index(rank)]);
}

size_t Counts::find(Rank from, Rank to) const {
  const auto row = this->from(from);
  const auto at =
      std::lower_bound(row.begin(), row.end(), to, [](const Entry& e, Rank rank) { return e.to < rank; });
  if (at == row.end() || at->to != to) return entries_.size();
  return rows_[index(from)] + static_cast<size_t>(at - row.begin());
}

uint32_t Counts::count(Rank from, Rank to) const {
  const size_t at = find(from, to);
  return at == entries_.size() ? 0 : entries_[at].count;
}

Counts Counts::transposed() const {
  std::vector<Entry> back = entries_;
  for (Entry& e : back) std::swap(e.from, e.to);
  return Counts(num_ranks(), std::move(back));
}

}  // namespace quadrille
