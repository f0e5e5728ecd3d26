// Scarce choice: which blocks come to a node in one step, where every port is free and the scarcest go first.
//
// A block is scarce where few neighbours have it and few nodes at all; ties are drawn. Scarcest first, each is placed by
// an augmenting path over the links into the node: the greedy algorithm in a transversal matroid (Edmonds and Fulkerson
// 1965), so no choice brings more blocks, and none scarcer ones. Nobody looks through the blocks one by one: 128 at a time
// are added up and compared in planes of bits, one plane for each digit, and only the scarcest get a number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "quadrille/topology/topology.h"

namespace quadrille {

/// Who has which of the blocks, and how many have each.
class BlockHoldings {
 public:
  BlockHoldings(const Topology& net, uint32_t blocks);

  /// The node has not had it. Of each block the first holder, and nobody else, is given it by `begin`.
  void begin(NodeId node, uint32_t block);
  void give(NodeId node, uint32_t block);
  /// From now on nobody takes it.
  void is_everywhere(uint32_t block);

  [[nodiscard]] bool has(NodeId node, uint32_t block) const {
    return ((of(node)[block / 64] >> (block % 64)) & 1U) != 0;
  }
  [[nodiscard]] uint32_t holders(uint32_t block) const { return holders_[block]; }

 private:
  friend class ScarceChoice;

  [[nodiscard]] const uint64_t* of(NodeId node) const { return bits_.data() + index(node) * words_; }
  void set(NodeId node, uint32_t block) {
    bits_[index(node) * words_ + block / 64] |= uint64_t{1} << (block % 64);
  }
  // The plane of a digit: two words at a time, with all their digits.
  [[nodiscard]] size_t plane_word(uint32_t block, size_t digit) const {
    return (block / 128 * digits_ + digit) * 2 + block / 64 % 2;
  }

  size_t words_;   // of bits for a node: even
  size_t digits_;  // of a number of holders
  std::vector<uint64_t> bits_;
  std::vector<uint64_t> wanted_;
  std::vector<uint32_t> holders_;  // per block
  std::vector<uint64_t> planes_;   // the same, in digits
};

/// Of one thread: it keeps its memory from node to node.
class ScarceChoice {
 public:
  static constexpr uint32_t kNobody = UINT32_MAX;

  /// `noise`: random words that all draw their ties from, as many as a power of two (see noise_words()).
  ScarceChoice(const Topology& net, const BlockHoldings& holdings, std::span<const uint64_t> noise)
      : net_(net), holdings_(holdings), noise_(noise) {}

  [[nodiscard]] static std::vector<uint64_t> noise_words(uint64_t seed);

  /// What comes over each of the channels into v, an arc as often as it has lanes, alike ones together: a block, or kNobody. The same for
  /// the same seed. `most`: a score that about as many are below as are wanted; begins with 0, and is kept for the node.
  void choose(NodeId v, std::span<const ArcId> channels, uint64_t seed, uint32_t& most,
              std::span<uint32_t> chosen);

  /// Low is scarce. Of a block that may come to the node which choose() was asked for last.
  [[nodiscard]] uint32_t score(uint32_t block) const;

 private:
  struct Candidate {
    uint32_t score;
    uint32_t block;
    friend bool operator<(const Candidate& a, const Candidate& b) {
      return a.score != b.score ? a.score < b.score : a.block < b.block;
    }
  };
  static constexpr uint32_t kInVain = UINT32_MAX;

  // Of a pair of words, one of the digits of the noise.
  [[nodiscard]] const uint64_t& noise_word(size_t pair, size_t digit, size_t lane) const {
    return noise_[(noise_from_ + 4 * pair + 2 * digit + lane) % noise_.size()];
  }
  void add_up(NodeId v);
  [[nodiscard]] bool brings_news(ArcId arc) const;
  bool list_scarcest(size_t few, uint32_t& up_to, uint32_t& most);
  bool list_up_to(uint32_t most);
  void place_listed();
  void leave_out_useless();
  bool place(uint32_t block);

  const Topology& net_;
  const BlockHoldings& holdings_;
  std::span<const uint64_t> noise_;
  std::span<const ArcId> channels_;
  std::span<uint32_t> chosen_;
  size_t noise_from_ = 0;
  size_t open_ = 0;  // channels that may bring something yet
  std::vector<const uint64_t*> tails_;
  size_t near_digits_ = 0;
  std::vector<uint64_t> near_;  // how many neighbours have each, in planes
  std::vector<uint64_t> news_;  // what may come, and was not looked at
  std::vector<Candidate> listed_;
  std::vector<uint32_t> mark_;  // per channel: the search that was there last
  uint32_t search_ = 0;
  std::vector<uint64_t> useful_;
  std::vector<size_t> reaching_;
  std::vector<char> is_reaching_;
};

}  // namespace quadrille
