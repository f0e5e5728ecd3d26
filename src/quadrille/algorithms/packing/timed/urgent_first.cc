#include "quadrille/algorithms/packing/timed/urgent_first.h"

#include <algorithm>
#include <bit>

namespace quadrille {
namespace {

constexpr size_t kMostQueues = size_t{1} << 25U;

}  // namespace

bool UrgentFirst::can_take(std::span<const uint32_t> keys) const {
  const uint32_t most = keys.empty() ? 0 : *std::ranges::max_element(keys);
  return most < kMostQueues / std::max<size_t>(capacity_.size(), 1);
}

UrgentFirst::UrgentFirst(const Topology& topology, const PricedPaths& paths, std::span<const uint32_t> order)
    : order_(order), capacity_(topology.capacities().begin(), topology.capacities().end()) {
  first_hop_.reserve(paths.size() + 1);
  arcs_.reserve(paths.num_hops());
  for (size_t i = 0; i < paths.size(); ++i) {
    first_hop_.push_back(static_cast<uint32_t>(paths.first_hop(i)));
    for (const ArcId arc : paths.path(i)) arcs_.push_back(static_cast<uint32_t>(index(arc)));
  }
  first_hop_.push_back(static_cast<uint32_t>(arcs_.size()));
  at_.resize(paths.size());
  next_.resize(paths.size());
}

uint32_t UrgentFirst::run(bool backwards, std::span<const uint32_t> keys, std::vector<uint32_t>& step_of) {
  num_keys_ = 1;
  for (const uint32_t key : keys) num_keys_ = std::max<size_t>(num_keys_, key + 1);
  num_words_ = (num_keys_ + 63) / 64;
  queues_.assign(capacity_.size() * num_keys_, {});
  filled_.assign(capacity_.size() * num_words_, 0);
  waiting_.assign(capacity_.size(), 0);
  step_of.assign(arcs_.size(), 0);
  for (const uint32_t path : order_)
    wait(path, backwards ? first_hop_[path + 1] - 1 : first_hop_[path], keys);
  uint32_t step = 0;
  for (size_t left = arcs_.size(); left > 0; ++step) {
    moved_.clear();
    for (uint32_t arc = 0; arc < capacity_.size(); ++arc) {
      for (uint32_t room = std::min(capacity_[arc], waiting_[arc]); room > 0; --room)
        moved_.push_back(take(arc));
    }
    left -= moved_.size();
    for (const uint32_t path : moved_) {
      const uint32_t hop = at_[path];
      step_of[hop] = step;
      const bool is_last = backwards ? hop == first_hop_[path] : hop + 1 == first_hop_[path + 1];
      if (!is_last) wait(path, backwards ? hop - 1 : hop + 1, keys);
    }
  }
  return step;
}

void UrgentFirst::wait(uint32_t path, uint32_t hop, std::span<const uint32_t> keys) {
  const uint32_t arc = arcs_[hop];
  const uint32_t key = keys[hop];
  at_[path] = hop;
  next_[path] = kNobody;
  Queue& queue = queues_[arc * num_keys_ + key];
  if (queue.first == kNobody) {
    queue.first = path;
    filled_[arc * num_words_ + key / 64] |= uint64_t{1} << (key % 64);
  } else {
    next_[queue.last] = path;
  }
  queue.last = path;
  ++waiting_[arc];
}

uint32_t UrgentFirst::take(uint32_t arc) {
  uint64_t* words = &filled_[arc * num_words_];
  size_t word = 0;
  while (words[word] == 0) ++word;
  const size_t key = word * 64 + static_cast<size_t>(std::countr_zero(words[word]));
  Queue& queue = queues_[arc * num_keys_ + key];
  const uint32_t path = queue.first;
  queue.first = next_[path];
  if (queue.first == kNobody) words[word] &= words[word] - 1;
  --waiting_[arc];
  return path;
}

}  // namespace quadrille
