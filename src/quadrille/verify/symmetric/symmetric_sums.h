// Symmetric sums: whose contributions the nodes have gathered, of a reduce_scatter that is the same at all nodes of a Cayley graph.
//
// The block for node y has a contribution of every node; that of the node x is named by the way from there, the element c with
// x*c = y. What node x has gathered of the block for x*r is then a set of ways. At first it is the node's own, {r}, for every x. "Every
// node x sends along k what it has of the block for x*r" adds it to what x*k has, which has the way k^-1*r still to go; and if before
// the step the sets depended on r alone, and not on x, so they do after it. So they always do: N sets of N bits tell all N^2 sums,
// and that a contribution is added a second time, or is missing in the end, is seen at one node if and only if it is so at any.
//
// An allreduce has its blocks dealt out, to each node as many: a translation takes those of y to those of g*y, of which all ranks have, and
// want, as much as of any. So the same holds with "the block of y" for "the block for y"; a copy puts one set in another's place, and in
// the end all sets must be whole.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace quadrille {

class SymmetricSums {
 public:
  /// Refuses, by an InputError, what needs more memory than there is: a bit a node for every node and piece to which something
  /// comes.
  SymmetricSums(uint32_t order, uint32_t pieces);

  /// Appends what a node has of the block that has the way `left` to go: that is how it stood before the step.
  void send(uint32_t left, uint32_t piece, std::vector<uint64_t>& out) const;
  /// Adds it to what the next node has, which has so far to go. The way of a contribution that it has already, if there is one.
  std::optional<uint32_t> arrive(uint32_t left, uint32_t piece, const uint64_t* sent);
  /// Puts it in the place of what the next node has.
  void replace(uint32_t left, uint32_t piece, const uint64_t* sent);
  /// The way of a contribution that a node lacks, if there is one.
  [[nodiscard]] std::optional<uint32_t> missing(uint32_t left, uint32_t piece) const;

  /// Of a set.
  [[nodiscard]] size_t words() const { return words_; }

 private:
  [[nodiscard]] size_t place(uint32_t left, uint32_t piece) const { return size_t{left} * pieces_ + piece; }

  uint32_t order_;
  uint32_t pieces_;
  size_t words_;
  std::vector<std::vector<uint64_t>> sets_;  // empty: its own alone
};

}  // namespace quadrille
