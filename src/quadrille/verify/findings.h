// A list of findings that keeps the first few in order and counts the rest: a hostile plan of a billion
// mistakes costs no more memory than a plan of twenty.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "quadrille/verify/finding.h"
#include "quadrille/verify/rule.h"

namespace quadrille {

class Findings {
 public:
  explicit Findings(size_t cap) : cap_(cap) {}

  /// Adds one; `message` is a function that is only called when the finding is among the first.
  template <typename Message>
  void add(const RuleCard& rule, uint64_t step, uint64_t transfer, const FindingPlace& place,
           Message message) {
    add_named(rule.name, step, transfer, place, message);
  }

  /// Adds all of another list and empties it.
  void take(Findings& other) {
    const uint64_t uncounted = other.total_ - other.first_.size();
    for (Finding& f : other.first_) {
      add_named(f.rule, f.step, f.transfer, f.place, [&] { return std::move(f.message); });
    }
    total_ += uncounted;
    other.first_.clear();
    other.total_ = 0;
  }

  /// The same of a list that another process has kept, and packed (base/crew/packing.h).
  void take(const std::vector<Finding>& first, uint64_t total) {
    for (const Finding& f : first) add_named(f.rule, f.step, f.transfer, f.place, [&] { return f.message; });
    total_ += total - first.size();
  }

  [[nodiscard]] uint64_t total() const { return total_; }
  [[nodiscard]] const std::vector<Finding>& first() const { return first_; }

 private:
  template <typename Message>
  void add_named(std::string_view rule, uint64_t step, uint64_t transfer, const FindingPlace& place,
                 Message message) {
    ++total_;
    if (first_.size() == cap_ && (cap_ == 0 || !before(step, transfer, rule, first_.back()))) return;
    Finding found{rule, step, transfer, message(), place};
    const auto at = std::find_if(first_.begin(), first_.end(),
                                 [&](const Finding& f) { return before(step, transfer, rule, f); });
    first_.insert(at, std::move(found));
    if (first_.size() > cap_) first_.pop_back();
  }

  static bool before(uint64_t step, uint64_t transfer, std::string_view rule, const Finding& f) {
    if (step != f.step) return step < f.step;
    if (transfer != f.transfer) return transfer < f.transfer;
    return rule < f.rule;
  }

  size_t cap_;
  uint64_t total_ = 0;
  std::vector<Finding> first_;
};

}  // namespace quadrille
