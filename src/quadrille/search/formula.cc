#include "quadrille/search/formula.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <limits>

#include "quadrille/base/check.h"

namespace quadrille {

int Formula::variables(size_t count) {
  QUADRILLE_CHECK(count <= static_cast<size_t>(std::numeric_limits<int>::max() - variables_),
                  fmt::format("{} + {} variables", variables_, count));
  const int first = variables_ + 1;
  variables_ += static_cast<int>(count);
  return first;
}

void Formula::add(std::span<const int> clause) {
  for (const int literal : clause) {
    QUADRILLE_CHECK(literal != 0 && std::abs(literal) <= variables_,
                    fmt::format("literal {} of {} variables", literal, variables_));
  }
  literals_.insert(literals_.end(), clause.begin(), clause.end());
  ends_.push_back(literals_.size());
}

void Formula::at_most_one(std::span<const int> literals) {
  constexpr size_t kGroup = 6;
  std::vector<int> group;
  const auto exclude_pairs = [&] {
    for (size_t i = 0; i < group.size(); ++i) {
      for (size_t j = i + 1; j < group.size(); ++j) add({-group[i], -group[j]});
    }
  };
  for (size_t i = 0; i < literals.size(); ++i) {
    if (group.size() == kGroup - 1 && literals.size() - i > 1) {
      // A helper stands for "one of these" among those that follow.
      const int any = variable();
      exclude_pairs();
      for (const int literal : group) add({-literal, any});
      group.assign(1, any);
    }
    group.push_back(literals[i]);
  }
  exclude_pairs();
}

void Formula::exactly_one(std::span<const int> literals) {
  add(literals);
  at_most_one(literals);
}

void Formula::at_most(std::span<const int> literals, size_t limit) {
  if (literals.size() <= limit) return;
  if (limit == 0) {
    for (const int literal : literals) add({-literal});
    return;
  }
  // before[c]: more than c of the literals so far are true.
  std::vector<int> before;
  for (size_t i = 0; i < literals.size(); ++i) {
    if (before.size() == limit) add({-literals[i], -before.back()});
    if (i + 1 == literals.size()) break;
    std::vector<int> now(std::min(i + 1, limit));
    for (size_t c = 0; c < now.size(); ++c) {
      now[c] = variable();
      if (c < before.size()) add({-before[c], now[c]});
      if (c == 0) {
        add({-literals[i], now[0]});
      } else {
        add({-literals[i], -before[c - 1], now[c]});
      }
    }
    before = std::move(now);
  }
}

std::string Formula::to_dimacs() const {
  std::string text = fmt::format("p cnf {} {}\n", num_variables(), num_clauses());
  for (size_t i = 0; i < num_clauses(); ++i) {
    for (const int literal : clause(i)) fmt::format_to(std::back_inserter(text), "{} ", literal);
    text += "0\n";
  }
  return text;
}

}  // namespace quadrille
