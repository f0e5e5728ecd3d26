#include "quadrille/algorithms/fat_trees/fat_tree_room.h"

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

FatTreeRoom::FatTreeRoom(const Problem& problem, const FatTree& tree)
    : topology_(problem.topology()),
      tree_(tree),
      arcs_(topology_.num_arcs()),
      hops_above_(tree.height()),
      joint_(tree.height()) {
  for (size_t a = 0; a < arcs_.size(); ++a)
    arcs_[a].capacity = std::min(topology_.capacity(id_at<ArcId>(a)), kMostCounted);
  const auto limit = [this](const Ports& ports, std::vector<Room>& rooms) {
    if (ports.unlimited()) return;
    rooms.resize(topology_.num_nodes());
    for (Room& room : rooms) room.capacity = std::min(ports.count, kMostCounted);
  };
  limit(problem.model().send, send_);
  limit(problem.model().receive, receive_);
  for (uint32_t l = 1; l < tree.height(); ++l) {
    const size_t nodes = tree.leaves() / tree.below(l);
    joint_[l].assign(nodes * nodes, 0);
  }
}

// An arc that is as wide as the ports at its end is never the first to be full.
void FatTreeRoom::add_hop(ArcId arc, uint32_t offset) {
  Room& room = arcs_[index(arc)];
  bool is_free = false;
  if (!send_.empty()) {
    Room& ports = send_[index(topology_.tail(arc))];
    hops_.push_back({&ports, offset});
    is_free = ports.capacity <= room.capacity;
  }
  if (!receive_.empty()) {
    Room& ports = receive_[index(topology_.head(arc))];
    hops_.push_back({&ports, offset});
    is_free = is_free || ports.capacity <= room.capacity;
  }
  if (!is_free) hops_.push_back({&room, offset});
}

void FatTreeRoom::set_hops(uint32_t level, uint32_t from, uint32_t to) {
  hops_.clear();
  for (uint32_t i = level; i-- > 0;) {
    add_hop(tree_.up(i, from), i);
    add_hop(tree_.down(i, to), 2 * level - 1 - i);
    hops_above_[i] = hops_.size();
  }
}

// The first step, not before a given one, in which the first hops are all free: 64 steps at a time.
uint32_t FatTreeRoom::first_free(size_t hops, uint32_t from_step) const {
  for (uint32_t start = from_step;; start += 64) {
    uint64_t full = 0;
    for (size_t i = 0; i < hops; ++i) full |= word_at(hops_[i].room->full, start + hops_[i].offset);
    if (full != UINT64_MAX) return start + static_cast<uint32_t>(std::countr_one(full));
  }
}

uint32_t FatTreeRoom::earliest(uint32_t level, uint32_t from, uint32_t to) {
  set_hops(level, from, to);
  uint32_t step = 0;
  for (uint32_t l = level - 1; l > 0; --l) {
    const uint32_t nodes = tree_.leaves() / tree_.below(l);
    uint32_t& kept = joint_[l][size_t{from / tree_.below(l)} * nodes + to / tree_.below(l)];
    step = kept = first_free(hops_above_[l], std::max(step, kept));
  }
  return first_free(hops_.size(), step);
}

void FatTreeRoom::take(uint32_t level, uint32_t from, uint32_t to, uint32_t step) {
  set_hops(level, from, to);
  for (const Hop& hop : hops_) {
    Room& room = *hop.room;
    const uint32_t at = step + hop.offset;
    if (room.capacity > 1) {
      if (room.taken.size() <= at) room.taken.resize(at + 1, 0);
      if (++room.taken[at] < room.capacity) continue;
    }
    if (room.full.size() <= at / 64) room.full.resize(at / 64 + 1, 0);
    room.full[at / 64] |= uint64_t{1} << (at % 64);
  }
}

}  // namespace quadrille
