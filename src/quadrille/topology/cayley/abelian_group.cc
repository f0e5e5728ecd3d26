#include "quadrille/topology/cayley/abelian_group.h"

#include <fmt/format.h>

#include <algorithm>

namespace quadrille {
namespace {

class AbelianGroup final : public Group {
 public:
  explicit AbelianGroup(std::vector<uint32_t> moduli) : moduli_(std::move(moduli)) {
    for (const uint32_t m : moduli_) order_ *= m;
    are_bits_ = std::ranges::all_of(moduli_, [](uint32_t m) { return m == 2; });
  }

  uint32_t order() const override { return order_; }
  bool is_abelian() const override { return true; }
  std::vector<uint32_t> cyclic_moduli() const override { return moduli_; }

  uint32_t multiply(uint32_t a, uint32_t b) const override {
    if (are_bits_) return a ^ b;
    uint32_t out = 0;
    uint32_t place = 1;
    for (size_t i = moduli_.size(); i-- > 0;) {
      const uint32_t m = moduli_[i];
      const uint32_t sum = a % m + b % m;
      out += place * (sum >= m ? sum - m : sum);
      place *= m;
      a /= m;
      b /= m;
    }
    return out;
  }

  uint32_t inverse(uint32_t a) const override {
    if (are_bits_) return a;
    uint32_t out = 0;
    uint32_t place = 1;
    for (size_t i = moduli_.size(); i-- > 0;) {
      const uint32_t m = moduli_[i];
      out += place * ((m - a % m) % m);
      place *= m;
      a /= m;
    }
    return out;
  }

  // Filled from the slowest component inwards: each line of the last component is two runs of consecutive
  // numbers.
  void right_translation(uint32_t a, std::span<uint32_t> out) const override {
    if (moduli_.empty()) {
      out[0] = 0;
      return;
    }
    const uint32_t m = moduli_.back();
    const uint32_t shift = a % m;
    const uint32_t outer_shift = a / m;
    uint32_t base = outer_shift * m;  // of the line, kept by counting up in mixed radix
    std::vector<uint32_t> digits(moduli_.size() - 1);
    uint32_t rest = outer_shift;
    for (size_t i = digits.size(); i-- > 0;) {
      digits[i] = rest % moduli_[i];
      rest /= moduli_[i];
    }
    std::vector<uint32_t> counter(digits.size(), 0);
    for (uint32_t* line = out.data(); line != out.data() + out.size(); line += m) {
      for (uint32_t x = 0; x < m - shift; ++x) line[x] = base + shift + x;
      for (uint32_t x = m - shift; x < m; ++x) line[x] = base + shift + x - m;
      uint32_t place = m;
      for (size_t i = digits.size(); i-- > 0;) {
        const uint32_t size = moduli_[i];
        const uint32_t before = digits[i];
        digits[i] = before + 1 == size ? 0 : before + 1;
        base += (digits[i] - before) * place;
        place *= size;
        if (++counter[i] != size) break;
        counter[i] = 0;
      }
    }
  }

  std::string name() const override {
    std::vector<std::string> parts;
    for (const uint32_t m : moduli_) parts.push_back(fmt::format("Z_{}", m));
    return parts.empty() ? "1" : fmt::format("{}", fmt::join(parts, " x "));
  }

  std::string element_text(uint32_t a) const override {
    if (moduli_.size() == 1) return fmt::format("{}", a);
    std::vector<uint32_t> components(moduli_.size());
    for (size_t i = moduli_.size(); i-- > 0;) {
      components[i] = a % moduli_[i];
      a /= moduli_[i];
    }
    return fmt::format("({})", fmt::join(components, ","));
  }

 private:
  std::vector<uint32_t> moduli_;
  uint32_t order_ = 1;
  bool are_bits_ = false;  // components of two values each, as in a hypercube
};

}  // namespace

std::shared_ptr<const Group> abelian_group(std::vector<uint32_t> moduli) {
  return std::make_shared<AbelianGroup>(std::move(moduli));
}

}  // namespace quadrille
