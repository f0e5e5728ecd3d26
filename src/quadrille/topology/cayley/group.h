// Finite groups, as far as Cayley graphs need them: elements are 0 .. order()-1, and 0 is the identity.
//
//     const auto group = ...;                    // Z_4 x Z_4, S_5, ...
//     group->multiply(a, b);                     // a*b
//     group->right_translation(g, out);          // out[x] = x*g for every x, the hop of all nodes along
//     generator g
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace quadrille {

/// An immutable finite group. Its node numbering is the documented order of its family.
class Group {
 public:
  Group() = default;
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;
  virtual ~Group() = default;

  [[nodiscard]] virtual uint32_t order() const = 0;
  [[nodiscard]] virtual uint32_t multiply(uint32_t a, uint32_t b) const = 0;
  [[nodiscard]] virtual uint32_t inverse(uint32_t a) const = 0;
  [[nodiscard]] virtual bool is_abelian() const = 0;
  /// out[x] = x*a for every element x; out.size() == order(). Families override it where a loop is too slow.
  virtual void right_translation(uint32_t a, std::span<uint32_t> out) const;
  /// The moduli when the group is presented as Z_{m1} x .. x Z_{md} in row-major order, else nothing.
  [[nodiscard]] virtual std::vector<uint32_t> cyclic_moduli() const { return {}; }
  /// "Z_12", "Z_4 x Z_4", "S_5".
  [[nodiscard]] virtual std::string name() const = 0;
  /// The label of a node: "7", "(1,3)", "2013" for a permutation.
  [[nodiscard]] virtual std::string element_text(uint32_t a) const = 0;
};

}  // namespace quadrille
