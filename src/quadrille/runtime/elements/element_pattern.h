// The element pattern: inputs of a reduction of elements, and whether what came of them is right.
//
// Each element of a rank's contribution is a fixed function of the rank, the block, the round and its number. The result is
// held against the elements of all ranks, combined one rank after another. Integers, minima, maxima and logical
// operators must be exact. Other floating-point numbers are rounded differently in every order: n ranks may be off by
// (n - 1) half ulps of what the sizes of all terms add up to (of a product: of the product; maps round twice; for doubles
// the reference is as far off): the bound of the worst order.
//
// Where one rank's contribution decides (a zero among ones), it is a different one from element to element.
#pragma once

#include "quadrille/program/buffer_layout.h"
#include "quadrille/runtime/elements/elements.h"
#include "quadrille/runtime/transport.h"

namespace quadrille {

/// Of a rank's output, or of several.
struct ElementErrors {
  uint64_t wrong = 0;  ///< elements
  double error = 0;    ///< the largest one, as a part of what is allowed
};

/// Whether what comes of them depends on rounding: floating-point sums, products and maps.
[[nodiscard]] bool is_rounded(const Elements& elements);

void fill_elements(const BufferLayout& layout, Rank rank, size_t block_bytes, uint64_t round,
                   const Elements& elements, Bytes input);

/// An output that is wrong, or at least nobody's result.
void spoil_elements(Bytes output);

[[nodiscard]] ElementErrors check_elements(const BufferLayout& layout, Rank rank, size_t block_bytes,
                                           uint64_t round, const Elements& elements, ConstBytes output);

}  // namespace quadrille
