#include "quadrille/verify/messages.h"

#include <algorithm>

namespace quadrille {

void Messages::find_new(const JudgedStep& step) {
  const StepView& view = step.view;
  new_.assign(view.size(), 1);
  long_.clear();
  for (size_t t = 0; t < view.size(); ++t) {
    const auto path = view.arcs(t);
    if (path.size() > 1) {
      long_.push_back(static_cast<uint32_t>(t));
      continue;
    }
    uint32_t& last = last_used_[index(path.front())];
    new_[t] = last == step.number ? 0 : 1;
    last = step.number;
  }
  // Of equal paths the first transfer comes first.
  std::sort(long_.begin(), long_.end(), [&](uint32_t a, uint32_t b) {
    const auto p = view.arcs(a);
    const auto q = view.arcs(b);
    if (std::ranges::equal(p, q)) return a < b;
    return std::ranges::lexicographical_compare(p, q);
  });
  for (size_t i = 1; i < long_.size(); ++i) {
    if (std::ranges::equal(view.arcs(long_[i - 1]), view.arcs(long_[i]))) new_[long_[i]] = 0;
  }
}

}  // namespace quadrille
