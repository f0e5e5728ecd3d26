#include "quadrille/verify/symmetric/symmetric_sums.h"

#include <fmt/format.h>

#include <bit>

#include "quadrille/base/memory/memory_limit.h"

namespace quadrille {
namespace {

std::optional<uint32_t> first_of(size_t word, uint64_t bits) {
  return static_cast<uint32_t>(word * 64 + static_cast<size_t>(std::countr_zero(bits)));
}

void set(std::vector<uint64_t>& bits, size_t first, uint32_t at) {
  bits[first + at / 64] |= uint64_t{1} << (at % 64);
}

}  // namespace

SymmetricSums::SymmetricSums(uint32_t order, uint32_t pieces)
    : order_(order), pieces_(pieces), words_((size_t{order} + 63) / 64) {
  require_memory(Int128{order} * pieces * (words_ * sizeof(uint64_t) + sizeof(sets_[0])),
                 fmt::format("whose contributions one of {} nodes has gathered", order));
  sets_.resize(size_t{order} * pieces);
}

void SymmetricSums::send(uint32_t left, uint32_t piece, std::vector<uint64_t>& out) const {
  const std::vector<uint64_t>& mine = sets_[place(left, piece)];
  if (!mine.empty()) {
    out.insert(out.end(), mine.begin(), mine.end());
    return;
  }
  out.resize(out.size() + words_);
  set(out, out.size() - words_, left);
}

std::optional<uint32_t> SymmetricSums::arrive(uint32_t left, uint32_t piece, const uint64_t* sent) {
  std::vector<uint64_t>& mine = sets_[place(left, piece)];
  if (mine.empty()) {
    mine.resize(words_);
    set(mine, 0, left);
  }
  std::optional<uint32_t> twice;
  for (size_t w = 0; w < words_; ++w) {
    const uint64_t both = mine[w] & sent[w];
    mine[w] |= sent[w];
    if (both != 0 && !twice) twice = first_of(w, both);
  }
  return twice;
}

void SymmetricSums::replace(uint32_t left, uint32_t piece, const uint64_t* sent) {
  sets_[place(left, piece)].assign(sent, sent + words_);
}

std::optional<uint32_t> SymmetricSums::missing(uint32_t left, uint32_t piece) const {
  std::vector<uint64_t> mine;
  send(left, piece, mine);
  for (size_t w = 0; w < words_; ++w) {
    const uint64_t all =
        w + 1 < words_ || order_ % 64 == 0 ? ~uint64_t{0} : (uint64_t{1} << (order_ % 64)) - 1;
    if (const uint64_t lacks = all & ~mine[w]) return first_of(w, lacks);
  }
  return std::nullopt;
}

}  // namespace quadrille
