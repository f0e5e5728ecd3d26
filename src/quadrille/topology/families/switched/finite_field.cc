#include "quadrille/topology/families/switched/finite_field.h"

namespace quadrille {
namespace {

uint32_t least_divisor(uint32_t q) {
  for (uint32_t d = 2; uint64_t{d} * d <= q; ++d)
    if (q % d == 0) return d;
  return q;
}

// a * x modulo x^k - (low digits of `reduced`), digits modulo the prime.
uint32_t times_x(uint32_t a, uint32_t prime, uint32_t size, uint32_t reduced) {
  const uint32_t high = a / (size / prime);
  a = a % (size / prime) * prime;
  uint32_t out = 0;
  for (uint32_t place = 1; place < size; place *= prime) {
    const uint64_t digit = (a / place % prime + uint64_t{high} * (reduced / place % prime)) % prime;
    out += place * static_cast<uint32_t>(digit);
  }
  return out;
}

}  // namespace

std::optional<FiniteField> FiniteField::of(uint32_t q) {
  if (q < 2) return std::nullopt;
  const uint32_t prime = least_divisor(q);
  uint64_t size = prime;
  while (size < q) size *= prime;
  if (size != q) return std::nullopt;
  FiniteField out(prime, q);
  out.power_.resize(q - 1);
  out.log_.resize(q);
  // The polynomial that x^k is reduced by, or, in a field of a prime, what x is: the first by which x has q-1 powers.
  for (uint32_t reduced = 1; reduced < q; ++reduced) {
    uint32_t a = 1;
    uint32_t order = 0;
    do {
      out.power_[order] = a;
      out.log_[a] = order++;
      a = q == prime ? static_cast<uint32_t>(uint64_t{a} * reduced % q) : times_x(a, prime, q, reduced);
    } while (a > 1 && order < q - 1);
    if (a == 1 && order == q - 1) return out;
  }
  return std::nullopt;  // never: every finite field has a primitive element
}

uint32_t FiniteField::add(uint32_t a, uint32_t b) const {
  uint32_t out = 0;
  for (uint32_t place = 1; place < size_; place *= prime_)
    out += place * ((a / place % prime_ + b / place % prime_) % prime_);
  return out;
}

uint32_t FiniteField::subtract(uint32_t a, uint32_t b) const {
  uint32_t out = 0;
  for (uint32_t place = 1; place < size_; place *= prime_)
    out += place * ((a / place % prime_ + prime_ - b / place % prime_) % prime_);
  return out;
}

}  // namespace quadrille
