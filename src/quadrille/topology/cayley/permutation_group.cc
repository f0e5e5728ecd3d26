#include "quadrille/topology/cayley/permutation_group.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <string_view>

#include "quadrille/base/check.h"
#include "quadrille/base/input_error.h"
#include "quadrille/topology/cayley/stabiliser_chain.h"

namespace quadrille {
namespace {

// Position in lexicographic order: how many unused smaller values each place passes over, in factorial base.
uint32_t rank_of(const uint8_t* p, uint32_t n) {
  uint32_t unused = (uint32_t{1} << n) - 1;
  uint32_t rank = 0;
  for (uint32_t i = 0; i < n; ++i) {
    const uint32_t bit = uint32_t{1} << p[i];
    rank = rank * (n - i) + static_cast<uint32_t>(std::popcount(unused & (bit - 1)));
    unused &= ~bit;
  }
  return rank;
}

class SymmetricGroup final : public PermutationGroup {
 public:
  explicit SymmetricGroup(uint32_t points) : points_(points) {
    QUADRILLE_CHECK(points >= 1 && points <= kMaxSymmetricPoints, fmt::format("{} points", points));
    for (uint32_t i = 2; i <= points; ++i) order_ *= i;
  }

  uint32_t points() const override { return points_; }
  uint32_t order() const override { return order_; }
  bool is_abelian() const override { return points_ <= 2; }
  std::string name() const override { return fmt::format("S_{}", points_); }

  Permutation permutation(uint32_t element) const override {
    Permutation digits(points_);
    for (uint32_t i = 1; i <= points_; ++i) {
      digits[points_ - i] = static_cast<uint8_t>(element % i);
      element /= i;
    }
    Permutation unused = identity_permutation(points_);
    Permutation out(points_);
    for (uint32_t i = 0; i < points_; ++i) {
      out[i] = unused[digits[i]];
      unused.erase(unused.begin() + digits[i]);
    }
    return out;
  }

  std::optional<uint32_t> element(const Permutation& permutation) const override {
    return rank_of(permutation.data(), points_);
  }

  uint32_t multiply(uint32_t a, uint32_t b) const override {
    return rank_of(compose(permutation(a), permutation(b)).data(), points_);
  }
  uint32_t inverse(uint32_t a) const override { return rank_of(inverse_of(permutation(a)).data(), points_); }

  // All permutations in order, without unranking any.
  void right_translation(uint32_t a, std::span<uint32_t> out) const override {
    const Permutation by = permutation(a);
    Permutation x = identity_permutation(points_);
    Permutation moved(points_);
    for (uint32_t& to : out) {
      for (uint32_t i = 0; i < points_; ++i) moved[i] = x[by[i]];
      to = rank_of(moved.data(), points_);
      std::next_permutation(x.begin(), x.end());
    }
  }

 private:
  uint32_t points_;
  uint32_t order_ = 1;
};

// The elements in one sorted block of bytes, `points` bytes each.
class GeneratedGroup final : public PermutationGroup {
 public:
  GeneratedGroup(uint32_t points, std::vector<uint8_t> sorted, bool abelian)
      : points_(points),
        order_(static_cast<uint32_t>(sorted.size() / points)),
        abelian_(abelian),
        elements_(std::move(sorted)) {}

  uint32_t points() const override { return points_; }
  uint32_t order() const override { return order_; }
  bool is_abelian() const override { return abelian_; }

  std::string name() const override {
    uint64_t alternating = 1;
    for (uint64_t i = 3; i <= points_ && alternating <= order_; ++i) alternating *= i;
    if (points_ >= 3 && alternating == order_) return fmt::format("A_{}", points_);
    return fmt::format("{} permutations of {} points", order_, points_);
  }

  Permutation permutation(uint32_t element) const override {
    const uint8_t* first = at(element);
    return {first, first + points_};
  }

  std::optional<uint32_t> element(const Permutation& permutation) const override {
    uint32_t low = 0;
    uint32_t high = order_;
    while (low < high) {
      const uint32_t middle = low + (high - low) / 2;
      if (std::lexicographical_compare(at(middle), at(middle) + points_, permutation.begin(),
                                       permutation.end())) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    if (low == order_ || !std::equal(permutation.begin(), permutation.end(), at(low))) return std::nullopt;
    return low;
  }

  uint32_t multiply(uint32_t a, uint32_t b) const override {
    return *element(compose(permutation(a), permutation(b)));
  }
  uint32_t inverse(uint32_t a) const override { return *element(inverse_of(permutation(a))); }

 private:
  const uint8_t* at(uint32_t element) const { return elements_.data() + size_t{element} * points_; }

  uint32_t points_;
  uint32_t order_;
  bool abelian_;
  std::vector<uint8_t> elements_;
};

}  // namespace

std::string PermutationGroup::element_text(uint32_t a) const {
  const Permutation p = permutation(a);
  if (points() <= 10) return fmt::format("{}", fmt::join(p, ""));
  return fmt::format("({})", fmt::join(p, ","));
}

std::shared_ptr<const PermutationGroup> symmetric_group(uint32_t points) {
  return std::make_shared<SymmetricGroup>(points);
}

std::shared_ptr<const PermutationGroup> generated_group(uint32_t points,
                                                        const std::vector<Permutation>& generators) {
  QUADRILLE_CHECK(points >= 1 && points <= kMaxGeneratedPoints, fmt::format("{} points", points));
  uint64_t factorial = 1;
  for (uint64_t i = 2; i <= points && i <= kMaxSymmetricPoints; ++i) factorial *= i;
  const bool may_be_all = points <= kMaxSymmetricPoints;
  const StabiliserChain chain(points, generators, may_be_all ? factorial : kMaxGeneratedOrder);
  if (may_be_all && chain.order() == factorial) return symmetric_group(points);
  if (chain.order() > kMaxGeneratedOrder) {
    throw InputError(fmt::format("these permutations generate more than {} elements{}", kMaxGeneratedOrder,
                                 may_be_all ? fmt::format(": {}", chain.order()) : ""));
  }
  bool abelian = true;
  for (const Permutation& a : generators) {
    for (const Permutation& b : generators) abelian = abelian && compose(a, b) == compose(b, a);
  }
  return std::make_shared<GeneratedGroup>(points, chain.elements(), abelian);
}

Permutation compose(const Permutation& a, const Permutation& b) {
  Permutation out(a.size());
  for (size_t i = 0; i < a.size(); ++i) out[i] = a[b[i]];
  return out;
}

Permutation inverse_of(const Permutation& a) {
  Permutation out(a.size());
  for (size_t i = 0; i < a.size(); ++i) out[a[i]] = static_cast<uint8_t>(i);
  return out;
}

Permutation identity_permutation(uint32_t points) {
  Permutation out(points);
  std::iota(out.begin(), out.end(), uint8_t{0});
  return out;
}

std::string cycle_text(const Permutation& a) {
  std::string out;
  std::vector<char> seen(a.size(), 0);
  for (size_t start = 0; start < a.size(); ++start) {
    if (seen[start] != 0 || a[start] == start) continue;
    std::vector<size_t> cycle;
    for (size_t at = start; seen[at] == 0; at = a[at]) {
      seen[at] = 1;
      cycle.push_back(at);
    }
    out += fmt::format("({})", fmt::join(cycle, " "));
  }
  return out.empty() ? "()" : out;
}

}  // namespace quadrille
