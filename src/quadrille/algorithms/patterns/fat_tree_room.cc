#include "quadrille/algorithms/patterns/fat_tree_room.h"

#include <algorithm>
#include <bit>

namespace quadrille {
namespace {

constexpr uint32_t kMostCounted = UINT16_MAX;

// Bits first .. first+63 of a row that is followed by zeros.
uint64_t word_at(const std::vector<uint64_t>& row, uint32_t first) {
  const size_t word = first / 64;
  const uint32_t shift = first % 64;
  if (word >= row.size()) return 0;
  uint64_t bits = row[word] >> shift;
  if (shift != 0 && word + 1 < row.size()) bits |= row[word + 1] << (64 - shift);
  return bits;
}

}  // namespace

FatTreeRoom::FatTreeRoom(const Topology& topology, const FatTree& tree)
    : tree_(tree), arcs_(topology.num_arcs()), joint_(tree.height()) {
  for (size_t a = 0; a < arcs_.size(); ++a)
    arcs_[a].capacity = std::min(topology.capacity(id_at<ArcId>(a)), kMostCounted);
  for (uint32_t l = 1; l < tree.height(); ++l) {
    const size_t nodes = tree.leaves() / tree.below(l);
    joint_[l].assign(nodes * nodes, 0);
  }
}

void FatTreeRoom::set_hops(uint32_t level, uint32_t from, uint32_t to) {
  hops_.clear();
  for (uint32_t i = level; i-- > 0;) {
    hops_.push_back({&arcs_[index(tree_.up(i, from))], i});
    hops_.push_back({&arcs_[index(tree_.down(i, to))], 2 * level - 1 - i});
  }
}

// The first step, not before a given one, in which the first hops are all free: 64 steps at a time.
uint32_t FatTreeRoom::first_free(size_t hops, uint32_t from_step) const {
  for (uint32_t start = from_step;; start += 64) {
    uint64_t full = 0;
    for (size_t i = 0; i < hops; ++i) full |= word_at(hops_[i].arc->full, start + hops_[i].offset);
    if (full != UINT64_MAX) return start + static_cast<uint32_t>(std::countr_one(full));
  }
}

uint32_t FatTreeRoom::earliest(uint32_t level, uint32_t from, uint32_t to) {
  set_hops(level, from, to);
  uint32_t step = 0;
  for (uint32_t l = level - 1; l > 0; --l) {
    const uint32_t nodes = tree_.leaves() / tree_.below(l);
    uint32_t& kept = joint_[l][size_t{from / tree_.below(l)} * nodes + to / tree_.below(l)];
    step = kept = first_free(2 * size_t{level - l}, std::max(step, kept));
  }
  return first_free(hops_.size(), step);
}

void FatTreeRoom::take(uint32_t level, uint32_t from, uint32_t to, uint32_t step) {
  set_hops(level, from, to);
  for (const Hop& hop : hops_) {
    Arc& arc = *hop.arc;
    const uint32_t at = step + hop.offset;
    if (arc.capacity > 1) {
      if (arc.taken.size() <= at) arc.taken.resize(at + 1, 0);
      if (++arc.taken[at] < arc.capacity) continue;
    }
    if (arc.full.size() <= at / 64) arc.full.resize(at / 64 + 1, 0);
    arc.full[at / 64] |= uint64_t{1} << (at % 64);
  }
}

}  // namespace quadrille
