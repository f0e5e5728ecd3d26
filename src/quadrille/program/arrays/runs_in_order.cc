#include "quadrille/program/arrays/runs_in_order.h"

#include <algorithm>
#include <map>
#include <utility>

namespace quadrille {

RunsInOrder::RunsInOrder(std::vector<BlockId> blocks) {
  for (const BlockId block : blocks) number_of_[static_cast<uint32_t>(index(block))] = 0;
  classes_.push_back(std::move(blocks));
  place_.push_back(0);
}

bool RunsInOrder::take(std::span<const BlockId> blocks) {
  std::map<size_t, std::vector<BlockId>> taken;  // by the place of a class
  for (const BlockId block : blocks)
    taken[place_[number_of_.at(static_cast<uint32_t>(index(block)))]].push_back(block);
  const size_t first = taken.begin()->first;
  const size_t last = taken.rbegin()->first;
  if (last - first + 1 != taken.size()) return false;
  for (const auto& [at, some] : taken)
    if (at != first && at != last && some.size() != classes_[at].size()) return false;
  // The last one first, as splitting moves what comes behind.
  if (last != first) split(last, taken.rbegin()->second, true);
  split(first, taken.begin()->second, false);
  return true;
}

// The class at a place in two, of which `taken` is the first or the second.
void RunsInOrder::split(size_t at, const std::vector<BlockId>& taken, bool comes_first) {
  std::vector<BlockId>& whole = classes_[at];
  if (taken.size() == whole.size()) return;
  const auto number = static_cast<uint32_t>(place_.size());
  for (const BlockId block : taken) number_of_[static_cast<uint32_t>(index(block))] = number;
  const auto is_taken = [&](BlockId block) {
    return number_of_.at(static_cast<uint32_t>(index(block))) == number;
  };
  const auto middle = std::stable_partition(whole.begin(), whole.end(),
                                            [&](BlockId block) { return is_taken(block) == comes_first; });
  std::vector<BlockId> second(middle, whole.end());
  whole.erase(middle, whole.end());
  for (size_t& place : place_)
    if (place > at || (place == at && comes_first)) ++place;
  place_.push_back(comes_first ? at : at + 1);
  classes_.insert(classes_.begin() + static_cast<ptrdiff_t>(at) + 1, std::move(second));
}

std::vector<BlockId> RunsInOrder::order() const {
  std::vector<BlockId> out;
  for (const std::vector<BlockId>& some : classes_) out.insert(out.end(), some.begin(), some.end());
  return out;
}

}  // namespace quadrille
