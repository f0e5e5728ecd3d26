#include "quadrille/verify/messages.h"

#include <algorithm>
#include <bit>
#include <span>

namespace quadrille {
namespace {

// The same for equal paths.
uint64_t drawn_from(std::span<const ArcId> path) {
  constexpr uint64_t kOdd = 0x9E37'79B9'7F4A'7C15;
  uint64_t out = path.size();
  for (const ArcId arc : path) out = (std::rotl(out, 23) ^ (static_cast<uint64_t>(arc) + 1)) * kOdd;
  return out;
}

}  // namespace

void Messages::find_new(const JudgedStep& step) {
  const StepView& view = step.view;
  new_.assign(view.size(), 1);
  size_t long_paths = 0;
  for (size_t t = 0; t < view.size(); ++t) {
    const auto path = view.arcs(t);
    if (path.size() > 1) {
      ++long_paths;
      continue;
    }
    uint32_t& last = last_used_[index(path.front())];
    new_[t] = last == step.number ? 0 : 1;
    last = step.number;
  }
  if (long_paths == 0) return;
  // A table half full at most, where a path that finds its place taken goes to the next.
  const auto bits = static_cast<unsigned>(std::bit_width(2 * long_paths - 1));
  first_.assign(size_t{1} << bits, 0);
  for (size_t t = 0; t < view.size(); ++t) {
    const auto path = view.arcs(t);
    if (path.size() < 2) continue;
    // Many go one after the other.
    if (t > 0 && std::ranges::equal(view.arcs(t - 1), path)) {
      new_[t] = 0;
      continue;
    }
    size_t place = drawn_from(path) >> (64 - bits);
    while (first_[place] != 0 && !std::ranges::equal(view.arcs(first_[place] - 1), path))
      place = (place + 1) & (first_.size() - 1);
    if (first_[place] == 0)
      first_[place] = static_cast<uint32_t>(t) + 1;
    else
      new_[t] = 0;
  }
}

}  // namespace quadrille
