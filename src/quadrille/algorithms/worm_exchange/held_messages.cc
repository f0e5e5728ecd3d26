#include "quadrille/algorithms/worm_exchange/held_messages.h"

namespace quadrille {

HeldMessages::HeldMessages(const Problem& problem)
    : collective_(problem.collective()),
      divider_(problem.topology().num_nodes()),
      ranks_(problem.topology().num_nodes()),
      held_(ranks_),
      latest_(ranks_, 0) {
  for (uint32_t v = 0; v < ranks_; ++v) {
    held_[v].reserve(ranks_);
    for (uint32_t t = 0; t < ranks_; ++t) {
      if (t != v) held_[v].push_back(v * ranks_ + t);
    }
  }
}

void HeldMessages::add_worm(StepBuilder& step, NodeId to, std::span<const ArcId> path) {
  blocks_.clear();
  for (const uint32_t number : sent_) {
    const Message message = message_at(number);
    for (uint32_t piece = 0; piece < collective_.pieces(); ++piece) {
      blocks_.push_back(collective_.block(Rank{message.source}, Rank{message.destination}, piece));
    }
  }
  step.add(path, blocks_);
  arrivals_.push_back({to, arriving_.size(), arriving_.size() + sent_.size()});
  arriving_.insert(arriving_.end(), sent_.begin(), sent_.end());
}

void HeldMessages::arrive() {
  for (uint32_t v = 0; v < ranks_; ++v) latest_[v] = held_[v].size();
  for (const Arrival& arrival : arrivals_) {
    const auto first = arriving_.begin() + static_cast<ptrdiff_t>(arrival.begin);
    const auto last = arriving_.begin() + static_cast<ptrdiff_t>(arrival.end);
    std::vector<uint32_t>& list = held_[index(arrival.at)];
    list.insert(list.end(), first, last);
  }
  arriving_.clear();
  arrivals_.clear();
}

}  // namespace quadrille
