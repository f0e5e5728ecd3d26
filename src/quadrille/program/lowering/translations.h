// Translations: where all ranks do the same, one rank's program is everybody's.
//
// On a Cayley graph the left translations x -> g*x carry every node to every other and links to links. A plan that they
// leave as it is, as total exchanges of displacements are, needs to be lowered for rank 0 alone: rank g's program is that
// of rank 0 with g*x wherever it says x, in its peers, in the places of blocks that lie by rank, and in the blocks.
//
//     const std::optional<Translations> all = translations_of(topology);
//     const RankProgram mine = image_of(program_of_0, collective, *all, Rank{g});
//
// The blocks of an allreduce are nobody's: a plan that is the same where they stay what they are is one (partial sums, exchanged), and
// so is one that is the same where they are dealt out, to each rank as many that follow each other, and go with the ranks (each rank
// gathers the sums of its own, and gives them to all).
//
// They are kept as one permutation for each generator and the way to each rank over these: N (generators + 2) numbers
// instead of N^2.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "quadrille/base/ids.h"
#include "quadrille/collective/collective.h"
#include "quadrille/program/rank_program.h"
#include "quadrille/schedule/step.h"
#include "quadrille/topology/topology.h"
#include "quadrille/verify/finding.h"

namespace quadrille {

struct Translations {
  /// The last step of the way from rank 0 to a rank: from `before` by a generator. Rank 0's own says nothing.
  struct LastStep {
    uint32_t before = 0;
    uint32_t generator = 0;
    friend bool operator==(const LastStep&, const LastStep&) = default;
  };

  std::vector<std::vector<uint32_t>> generators;  ///< of each, where every rank goes
  std::vector<LastStep> ways;                     ///< per rank
  /// Of an allreduce, whose pieces are a multiple of the ranks then: its blocks are dealt out, and move with the ranks.
  bool deals_out = false;

  [[nodiscard]] uint32_t num_ranks() const { return static_cast<uint32_t>(ways.size()); }
  /// Where every rank goes when 0 goes to `rank`. Throws InputError where the ways lead round in a circle, or elsewhere.
  [[nodiscard]] std::vector<uint32_t> of(Rank rank) const;
  /// The same of one rank alone.
  [[nodiscard]] uint32_t moved(Rank rank, uint32_t which) const;
  friend bool operator==(const Translations&, const Translations&) = default;
};

/// Of a Cayley graph of more than one node; nothing elsewhere.
[[nodiscard]] std::optional<Translations> translations_of(const Topology& topology);

/// Whether the blocks of an allreduce can be dealt out to the ranks, to each as many.
[[nodiscard]] bool can_deal_out(const Collective& collective);
/// How many slots of each rank lie side by side in a buffer, which move with the ranks; 0 where its blocks do not lie by rank.
[[nodiscard]] uint32_t slots_by_rank(const Collective& collective, Buffer buffer, bool deals_out);
/// Where a block goes when ranks go to `to`.
[[nodiscard]] BlockId image_of(BlockId block, const Collective& collective, std::span<const uint32_t> to,
                               bool deals_out);
/// The program of another rank, of a collective without a root.
[[nodiscard]] RankProgram image_of(const RankProgram& first, const Collective& collective,
                                   const Translations& translations, Rank rank);

/// Whether every step of a plan is the same after each translation: by 64 bits that sum up the transfers of a step, so a
/// plan that is not passes with a chance of 2^-64 a step.
class TranslationWatch final : public StepSink {
 public:
  /// The topology must outlive this.
  TranslationWatch(const Topology& topology, const Collective& collective, const Translations& translations);

  void push(const StepView& step) override;
  /// The first step that is another; nothing where there was none.
  [[nodiscard]] std::optional<uint64_t> broken_at() const { return broken_at_; }

 private:
  [[nodiscard]] uint64_t sum_of(const StepView& step, std::span<const uint64_t> links,
                                std::span<const uint32_t> to) const;
  [[nodiscard]] bool is_same_exchange(const StepView& step) const;

  Collective collective_;
  bool deals_out_;
  std::vector<std::vector<uint32_t>>
      to_;  // the identity, and one translation for each generator that is needed
  std::vector<std::vector<uint64_t>> links_;  // of each, a number for where each link goes
  // Of a total exchange, of each a number for where each origin goes, and each destination.
  std::vector<std::vector<uint64_t>> origins_;
  std::vector<std::vector<uint64_t>> destinations_;
  uint64_t steps_ = 0;
  std::optional<uint64_t> broken_at_{};
};

/// Whether they are those of a group, so that one after another is one of them: a file of somebody else's may hold any
/// permutations. Takes time and memory for each rank and pair of generators, not for pairs of ranks.
[[nodiscard]] bool are_of_a_group(const Translations& translations);

/// check_program() of rank 0's program and all of its images, by rank 0's alone. `translations` are those of a group.
[[nodiscard]] std::vector<Finding> check_images(const RankProgram& first, const Collective& collective,
                                                const Translations& translations, size_t max_findings = 20);

}  // namespace quadrille
