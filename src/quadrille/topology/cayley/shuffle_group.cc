#include "quadrille/topology/cayley/shuffle_group.h"

#include <fmt/format.h>

#include "quadrille/base/check.h"

namespace quadrille {
namespace {

class ShuffleGroup final : public Group {
 public:
  explicit ShuffleGroup(uint32_t d) : d_(d) {
    QUADRILLE_CHECK(d >= 1 && d <= kMaxShuffleBits, fmt::format("{} bits", d));
  }

  uint32_t order() const override { return d_ << d_; }
  bool is_abelian() const override { return d_ == 1; }

  uint32_t multiply(uint32_t a, uint32_t b) const override {
    const uint32_t p = a % d_;
    return (a / d_ ^ rotate(b / d_, p)) * d_ + (p + b % d_) % d_;
  }

  uint32_t inverse(uint32_t a) const override {
    const uint32_t back = (d_ - a % d_) % d_;
    return rotate(a / d_, back) * d_ + back;
  }

  std::string name() const override { return fmt::format("Z_2^{} : Z_{}", d_, d_); }

  std::string element_text(uint32_t a) const override {
    return fmt::format("({:0{}b},{})", a / d_, d_, a % d_);
  }

 private:
  uint32_t rotate(uint32_t w, uint32_t by) const {
    const uint32_t mask = (uint32_t{1} << d_) - 1;
    return ((w << by) | (w >> (d_ - by))) & mask;
  }

  uint32_t d_;
};

}  // namespace

std::shared_ptr<const Group> shuffle_group(uint32_t d) { return std::make_shared<ShuffleGroup>(d); }

}  // namespace quadrille
