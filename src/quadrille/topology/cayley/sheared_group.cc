#include "quadrille/topology/cayley/sheared_group.h"

#include <fmt/format.h>

#include <algorithm>

namespace quadrille {
namespace {

class ShearedGroup final : public Group {
 public:
  ShearedGroup(std::vector<uint32_t> sides, std::vector<uint32_t> shifts)
      : sides_(std::move(sides)), shifts_(std::move(shifts)) {
    for (const uint32_t side : sides_) order_ *= side;
  }

  uint32_t order() const override { return order_; }
  bool is_abelian() const override { return true; }

  uint32_t multiply(uint32_t a, uint32_t b) const override {
    const uint32_t length = sides_.back();
    uint64_t last = uint64_t{a % length} + b % length;
    a /= length;
    b /= length;
    uint32_t out = 0;
    uint32_t place = length;
    for (size_t i = shifts_.size(); i-- > 0;) {
      const uint32_t side = sides_[i];
      const uint32_t sum = a % side + b % side;
      // n_i e_i is -shift_i e_d.
      if (sum >= side) last += length - shifts_[i];
      out += place * (sum % side);
      place *= side;
      a /= side;
      b /= side;
    }
    return out + static_cast<uint32_t>(last % length);
  }

  uint32_t inverse(uint32_t a) const override {
    const uint32_t length = sides_.back();
    uint64_t last = length - a % length;
    a /= length;
    uint32_t out = 0;
    uint32_t place = length;
    for (size_t i = shifts_.size(); i-- > 0;) {
      const uint32_t side = sides_[i];
      const uint32_t x = a % side;
      if (x > 0) last += shifts_[i];
      out += place * ((side - x) % side);
      place *= side;
      a /= side;
    }
    return out + static_cast<uint32_t>(last % length);
  }

  std::string name() const override {
    return fmt::format("Z^{} / twisted {}", sides_.size(), fmt::join(sides_, " x "));
  }

  std::string element_text(uint32_t a) const override {
    std::vector<uint32_t> coordinates(sides_.size());
    for (size_t i = sides_.size(); i-- > 0;) {
      coordinates[i] = a % sides_[i];
      a /= sides_[i];
    }
    return sides_.size() == 1 ? fmt::format("{}", coordinates[0])
                              : fmt::format("({})", fmt::join(coordinates, ","));
  }

 private:
  std::vector<uint32_t> sides_;
  std::vector<uint32_t> shifts_;
  uint32_t order_ = 1;
};

}  // namespace

std::shared_ptr<const Group> sheared_group(std::vector<uint32_t> sides, std::vector<uint32_t> shifts) {
  return std::make_shared<ShearedGroup>(std::move(sides), std::move(shifts));
}

}  // namespace quadrille
