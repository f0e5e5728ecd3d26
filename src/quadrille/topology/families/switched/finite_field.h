// Small finite fields, as far as graphs are drawn from them: elements are 0 .. size()-1, 0 and 1 are zero and one.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace quadrille {

/// GF(q) for a power q of a prime: polynomials over the integers modulo the prime, number e_0 + e_1 p + ...
class FiniteField {
 public:
  /// Nothing where q is no power of a prime.
  [[nodiscard]] static std::optional<FiniteField> of(uint32_t q);

  [[nodiscard]] uint32_t size() const { return size_; }
  [[nodiscard]] uint32_t add(uint32_t a, uint32_t b) const;
  [[nodiscard]] uint32_t subtract(uint32_t a, uint32_t b) const;
  [[nodiscard]] uint32_t multiply(uint32_t a, uint32_t b) const {
    return a == 0 || b == 0 ? 0 : power_[(log_[a] + log_[b]) % (size_ - 1)];
  }
  /// The powers 1, x, x^2, .. of an element x that has them all.
  [[nodiscard]] uint32_t power(uint64_t exponent) const { return power_[exponent % (size_ - 1)]; }

 private:
  FiniteField(uint32_t prime, uint32_t size) : prime_(prime), size_(size) {}

  uint32_t prime_;
  uint32_t size_;
  std::vector<uint32_t> power_;
  std::vector<uint32_t> log_;
};

}  // namespace quadrille
