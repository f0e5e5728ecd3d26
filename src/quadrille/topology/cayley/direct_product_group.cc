#include "quadrille/topology/cayley/direct_product_group.h"

#include <fmt/format.h>

#include <algorithm>

#include "quadrille/topology/cayley/abelian_group.h"

namespace quadrille {
namespace {

class DirectProductGroup final : public Group {
 public:
  explicit DirectProductGroup(std::vector<std::shared_ptr<const Group>> factors)
      : factors_(std::move(factors)) {
    for (const auto& factor : factors_) order_ *= factor->order();
  }

  uint32_t order() const override { return order_; }

  bool is_abelian() const override {
    return std::all_of(factors_.begin(), factors_.end(), [](const auto& f) { return f->is_abelian(); });
  }

  uint32_t multiply(uint32_t a, uint32_t b) const override {
    uint32_t out = 0;
    uint32_t place = 1;
    for (size_t i = factors_.size(); i-- > 0;) {
      const uint32_t n = factors_[i]->order();
      out += place * factors_[i]->multiply(a % n, b % n);
      place *= n;
      a /= n;
      b /= n;
    }
    return out;
  }

  uint32_t inverse(uint32_t a) const override {
    uint32_t out = 0;
    uint32_t place = 1;
    for (size_t i = factors_.size(); i-- > 0;) {
      const uint32_t n = factors_[i]->order();
      out += place * factors_[i]->inverse(a % n);
      place *= n;
      a /= n;
    }
    return out;
  }

  // Each factor is translated once; the table of the product grows by one factor at a time, slowest first.
  void right_translation(uint32_t a, std::span<uint32_t> out) const override {
    std::vector<std::vector<uint32_t>> tables(factors_.size());
    for (size_t i = factors_.size(); i-- > 0;) {
      const uint32_t n = factors_[i]->order();
      tables[i].resize(n);
      factors_[i]->right_translation(a % n, tables[i]);
      a /= n;
    }
    out[0] = 0;
    size_t filled = 1;
    for (const std::vector<uint32_t>& table : tables) {
      const auto n = static_cast<uint32_t>(table.size());
      // Backwards, so that the shorter table can be read while the longer one overwrites it.
      for (size_t prefix = filled; prefix-- > 0;) {
        const uint32_t base = out[prefix] * n;
        for (uint32_t x = n; x-- > 0;) out[prefix * n + x] = base + table[x];
      }
      filled *= n;
    }
  }

  std::string name() const override {
    std::vector<std::string> parts;
    for (const auto& factor : factors_) parts.push_back(factor->name());
    return fmt::format("{}", fmt::join(parts, " x "));
  }

  std::string element_text(uint32_t a) const override {
    std::vector<std::string> parts(factors_.size());
    for (size_t i = factors_.size(); i-- > 0;) {
      parts[i] = factors_[i]->element_text(a % factors_[i]->order());
      a /= factors_[i]->order();
    }
    return fmt::format("({})", fmt::join(parts, ","));
  }

 private:
  std::vector<std::shared_ptr<const Group>> factors_;
  uint32_t order_ = 1;
};

}  // namespace

std::shared_ptr<const Group> direct_product(std::vector<std::shared_ptr<const Group>> factors) {
  std::vector<uint32_t> moduli;
  for (const auto& factor : factors) {
    const std::vector<uint32_t> own = factor->cyclic_moduli();
    if (own.empty()) return std::make_shared<DirectProductGroup>(std::move(factors));
    moduli.insert(moduli.end(), own.begin(), own.end());
  }
  return abelian_group(std::move(moduli));
}

}  // namespace quadrille
