// Groups of permutations: the group of star graphs and pancake graphs, and of whatever a spec generates.
//
// A permutation of n points is written in one-line notation, p[0] p[1] .. p[n-1]. The product is
// (a*b)[i] = a[b[i]]: multiplying by b on the right moves the entries of a to other places, so that for the
// exchange of places 0 and i, x*b is x with its entries 0 and i exchanged. Elements are numbered in
// lexicographic order of their one-line notation; the identity is 0.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "quadrille/topology/cayley/group.h"

namespace quadrille {

using Permutation = std::vector<uint8_t>;

/// Beyond 12 points the elements of the symmetric group do not fit 32 bits.
inline constexpr uint32_t kMaxSymmetricPoints = 12;
/// Generated groups list their elements: at most that many, of at most that many points.
inline constexpr uint32_t kMaxGeneratedOrder = 4'000'000;
inline constexpr uint32_t kMaxGeneratedPoints = 64;

class PermutationGroup : public Group {
 public:
  [[nodiscard]] virtual uint32_t points() const = 0;
  [[nodiscard]] virtual Permutation permutation(uint32_t element) const = 0;
  /// The number of a permutation of all points; nothing when it is not in the group.
  [[nodiscard]] virtual std::optional<uint32_t> element(const Permutation& permutation) const = 0;
  /// "2013"; with more than ten points "(10,0,..)".
  [[nodiscard]] std::string element_text(uint32_t a) const override;
};

/// All permutations of 1 to kMaxSymmetricPoints points, numbered by ranking: no table.
[[nodiscard]] std::shared_ptr<const PermutationGroup> symmetric_group(uint32_t points);

/// The group that some permutations of 1 to kMaxGeneratedPoints points generate. Throws InputError when it
/// has more than kMaxGeneratedOrder elements.
[[nodiscard]] std::shared_ptr<const PermutationGroup> generated_group(
    uint32_t points, const std::vector<Permutation>& generators);

/// (a*b)[i] = a[b[i]].
[[nodiscard]] Permutation compose(const Permutation& a, const Permutation& b);
[[nodiscard]] Permutation inverse_of(const Permutation& a);
[[nodiscard]] Permutation identity_permutation(uint32_t points);
/// "(0 1)(2 3)"; "()" for the identity.
[[nodiscard]] std::string cycle_text(const Permutation& a);

}  // namespace quadrille
