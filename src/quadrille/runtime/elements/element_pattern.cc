#include "quadrille/runtime/elements/element_pattern.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "quadrille/base/random.h"

namespace quadrille {
namespace {

constexpr size_t kMostBytes = 16;
using Element = std::array<std::byte, kMostBytes>;

Rng element_stream(Rank rank, BlockId block, uint64_t round) {
  return Rng(Rng(Rng(Rng(round).next() + index(rank)).next() + index(block)).next());
}

// Makes the elements of one rank's contribution to a block, one after another.
class Source {
 public:
  Source(Rank rank, uint32_t ranks, BlockId block, uint64_t round, const Elements& elements)
      : elements_(elements),
        rank_(static_cast<uint32_t>(index(rank))),
        ranks_(ranks),
        bytes_(element_bytes({elements.type, ElementOperator::kSum})),
        stream_(element_stream(rank, block, round)) {}

  void next(std::byte* at) {
    const bool decides = number_++ % ranks_ == rank_;
    const uint64_t word = stream_.next();
    switch (elements_.op) {
      case ElementOperator::kLand:
        return put_truth(!decides || (word & 1U) != 0, at);
      case ElementOperator::kLor:
        return put_truth(decides && (word & 1U) != 0, at);
      case ElementOperator::kLxor:
        return put_truth((word & 1U) != 0, at);
      case ElementOperator::kBand:
        return put_word(decides ? word : UINT64_MAX, at);
      case ElementOperator::kBor:
        return put_word(decides ? word : 0, at);
      case ElementOperator::kProd:
        return put_factor(word, at);
      case ElementOperator::kCompose:
        put_factor(word, at);
        return put_any(stream_.next(), at + bytes_);
      default:
        return put_any(word, at);
    }
  }

 private:
  [[nodiscard]] bool floating() const { return is_floating(elements_.type); }

  // In the machine's byte order the low end of a word comes first, or its bytes are as random as others.
  void put_word(uint64_t word, std::byte* at) const { std::memcpy(at, &word, bytes_); }
  void put_truth(bool truth, std::byte* at) const {
    if (floating()) return put_float(elements_.type, truth ? 1 : 0, at);
    std::memset(at, 0, bytes_);
    if (truth) at[0] = std::byte{1};
  }
  // -1 .. 1
  void put_any(uint64_t word, std::byte* at) const {
    if (!floating()) return put_word(word, at);
    put_float(elements_.type, static_cast<double>(word >> 11U) * 0x1p-52 - 1, at);
  }
  // Near 1 or -1, so that long products neither vanish nor overflow; odd, so that they stay odd.
  void put_factor(uint64_t word, std::byte* at) const {
    if (!floating()) return put_word(word | 1U | uint64_t{1} << 56U, at);
    const double size = 0.9375 + static_cast<double>(word >> 11U) * 0x1p-56;
    put_float(elements_.type, (word & 1U) != 0 ? size : -size, at);
  }

  Elements elements_;
  uint32_t rank_;
  uint32_t ranks_;
  size_t bytes_;
  uint64_t number_ = 0;
  Rng stream_;
};

// All ranks' contributions to a block, combined in order.
class Reference {
 public:
  Reference(const Collective& collective, BlockId block, uint64_t round, const Elements& elements)
      : elements_(elements), bytes_(element_bytes(elements)), ranks_(collective.num_ranks()) {
    for (uint32_t r = 0; r < ranks_; ++r) sources_.emplace_back(Rank{r}, ranks_, block, round, elements);
  }

  // Whether the next element is right; raises the error to its own.
  bool accepts(const std::byte* found, double& error) {
    return is_rounded(elements_) ? is_near(found, error) : is_equal(found);
  }

 private:
  bool is_equal(const std::byte* found) {
    Element expected;
    Element more;
    sources_[0].next(expected.data());
    for (uint32_t r = 1; r < ranks_; ++r) {
      sources_[r].next(more.data());
      reduction_of(elements_).apply(expected.data(), more.data(), bytes_);
    }
    return std::memcmp(found, expected.data(), bytes_) == 0;
  }

  // A map a x + b; a sum is one with a = 1, a product one with b = 0.
  bool is_near(const std::byte* found, double& error) {
    Element term;
    double a = 1;
    double b = 0;
    double sizes = 0;  // what b would be if nothing cancelled
    for (uint32_t r = 0; r < ranks_; ++r) {
      sources_[r].next(term.data());
      const double first = float_at(elements_.type, term.data());
      if (elements_.op == ElementOperator::kSum) {
        b += first;
        sizes += std::abs(first);
        continue;
      }
      a *= first;
      if (elements_.op == ElementOperator::kProd) continue;
      const double second = float_at(elements_.type, term.data() + bytes_ / 2);
      b = b * first + second;
      sizes = sizes * std::abs(first) + std::abs(second);
    }
    // A rounding for each rank but the first, two for a map; for doubles the reference has as many.
    const double roundings = (elements_.op == ElementOperator::kCompose ? 2.0 : 1.0) * (ranks_ - 1) *
                             (elements_.type == ElementType::kDouble ? 2 : 1);
    const double once = roundings * unit_roundoff(elements_.type);
    const double worst = once < 0.5 ? once / (1 - once) : 2 * once;
    bool right = true;
    const auto look = [&](const std::byte* at, double expected, double size) {
      const double difference = std::abs(float_at(elements_.type, at) - expected);
      const double allowed = worst * size;
      if (!(difference <= allowed)) right = false;  // no number is near anything
      if (ranks_ > 1 && allowed > 0) error = std::max(error, difference / allowed);
    };
    if (elements_.op == ElementOperator::kSum) {
      look(found, b, sizes);
    } else {
      look(found, a, std::abs(a));
      if (elements_.op == ElementOperator::kCompose) look(found + bytes_ / 2, b, sizes);
    }
    return right;
  }

  Elements elements_;
  size_t bytes_;
  uint32_t ranks_;
  std::vector<Source> sources_;
};

}  // namespace

bool is_rounded(const Elements& elements) {
  return is_floating(elements.type) &&
         (elements.op == ElementOperator::kSum || elements.op == ElementOperator::kProd ||
          elements.op == ElementOperator::kCompose);
}

void fill_elements(const BufferLayout& layout, Rank rank, size_t block_bytes, uint64_t round,
                   const Elements& elements, Bytes input) {
  const size_t size = element_bytes(elements);
  for (const BlockId block : layout.input_blocks(rank)) {
    Source source(rank, layout.num_ranks(), block, round, elements);
    const Bytes bytes = input.subspan(layout.input_slot(block) * block_bytes, block_bytes);
    for (size_t at = 0; at < bytes.size(); at += size) source.next(bytes.data() + at);
  }
}

void spoil_elements(Bytes output) { std::fill(output.begin(), output.end(), std::byte{0xA5}); }

ElementErrors check_elements(const BufferLayout& layout, Rank rank, size_t block_bytes, uint64_t round,
                             const Elements& elements, ConstBytes output) {
  const size_t size = element_bytes(elements);
  ElementErrors out;
  for (const BlockId block : layout.output_blocks(rank)) {
    Reference reference(layout.collective(), block, round, elements);
    const ConstBytes bytes = output.subspan(layout.output_slot(block) * block_bytes, block_bytes);
    for (size_t at = 0; at < bytes.size(); at += size)
      if (!reference.accepts(bytes.data() + at, out.error)) ++out.wrong;
  }
  return out;
}

}  // namespace quadrille
