// Last answers: what was found about the networks that were asked about last.
//
// Machines of one packet and of many, worms, and whoever borrows from them ask the same of the same network, on whichever thread.
//
//     static LastAnswers<bool, Ways> kept(4);
//     return kept.of(topology, backwards, [&] { return find_ways(topology, backwards); });
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>

#include "quadrille/base/search_limits.h"
#include "quadrille/topology/topology.h"

namespace quadrille {

/// By network and key; of a network of many arcs those of others are not kept beside it, and of very many none is. Answers are copied:
/// large ones are pointers.
template <typename Key, typename Answer>
class LastAnswers {
 public:
  explicit LastAnswers(size_t most) : most_(most) {}

  /// `find` asks for nothing that is kept here itself. What it throws is not kept, nor what it finds once searches are stopped.
  template <typename Find>  // Answer find()
  [[nodiscard]] Answer of(const Topology& topology, const Key& key, Find find) {
    const uint32_t arcs = topology.is_outline() ? 0 : topology.num_arcs();
    if (arcs >= kTooManyArcs) return find();
    const std::shared_ptr<Slot> slot = slot_of(topology, key, arcs >= kManyArcs);
    const std::lock_guard lock(slot->mutex);  // whoever asks meanwhile waits for the answer
    if (slot->answer) return *slot->answer;
    Answer found = find();
    if (!searches_are_stopped()) slot->answer.emplace(found);
    return found;
  }

 private:
  static constexpr uint32_t kManyArcs = 1U << 18U;
  static constexpr uint32_t kTooManyArcs = 1U << 22U;

  struct Slot {
    std::mutex mutex{};
    std::optional<Answer> answer{};
  };
  struct Entry {
    Topology topology;
    Key key;
    std::shared_ptr<Slot> slot;
  };

  std::shared_ptr<Slot> slot_of(const Topology& topology, const Key& key, bool is_large) {
    const std::lock_guard lock(mutex_);
    for (const Entry& entry : entries_)
      if (entry.key == key && entry.topology.same_graph(topology)) return entry.slot;
    if (is_large)
      std::erase_if(entries_, [&](const Entry& entry) { return !entry.topology.is_copy_of(topology); });
    entries_.push_front({topology, key, std::make_shared<Slot>()});
    if (entries_.size() > most_) entries_.pop_back();
    return entries_.front().slot;
  }

  size_t most_;
  std::mutex mutex_;
  std::deque<Entry> entries_;
};

}  // namespace quadrille
