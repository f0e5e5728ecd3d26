// The judge of mended plans: what is the same at all nodes is judged at one, and what is not, block by block.
//
//     MendedJudge judge(problem);               // of which why_not() says nothing
//     choice.generate(judge);                   // in the short form (schedule/symmetric/mended_step.h)
//     const Verdict verdict = judge.finish();   // that of a Judge, without a Schedule
//
// Why that is enough. The moves are a plan of the whole network, and a SymmetricJudge says that it is good there: every block
// arrives, in order, and no arc carries too much. What is left of the network lies in the whole, node by node and arc by
// arc, as is looked at. A move crosses the dead arc (x, k) with one block, which the move tells: it must be one of
// the removed. So whatever stays goes over living arcs alone, as in the whole (blocks that begin or end at a dead node cross a
// dead arc there). Of the removed ones those whose ends live must be moved: they are followed hop by hop, as any judge does.
// Over an arc goes in a step what the moves along its generator carry, less what the removed blocks would have, of which the
// moves of their displacement tell the steps and arcs, and what is moved: where nothing is moved that cannot be too much.
//
// Nothing is believed of the plan: neither that the whole is one, nor that what is removed is all that had to be. A plan that
// passes here passes the judge of all transfers with the same figures; one that is wrong for it is wrong here. (A block that
// leaves its way in the whole and is back in time is refused here unless it is removed.)
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "quadrille/schedule/problem.h"
#include "quadrille/schedule/symmetric/mended_step.h"
#include "quadrille/verify/findings.h"
#include "quadrille/verify/symmetric/symmetric_judge.h"
#include "quadrille/verify/verify.h"

namespace quadrille {

class MendedJudge final : public StepSink, private MendedSink {
 public:
  /// Why it does not judge plans for the problem, as a fragment of a sentence; nothing where it does: alltoall
  /// of single packets, where every node takes part and has a port for each packet that its links can carry.
  [[nodiscard]] static std::optional<std::string> why_not(const Problem& problem);

  /// Of the options it takes `max_findings` and the watcher, which must take the short form, too.
  explicit MendedJudge(const Problem& problem, const JudgeOptions& options = {});

  /// A step that is written out is an InternalError: whoever makes it has not asked for mended().
  void push(const StepView& step) override;
  [[nodiscard]] MendedSink* mended() override { return this; }
  /// Whether a plan has come.
  [[nodiscard]] bool has_begun() const { return whole_.has_value(); }
  /// After the last step. Call it once.
  [[nodiscard]] Verdict finish();

 private:
  struct BaseMove {
    SymmetricMove move;
    uint32_t step;
  };
  struct Hop {
    uint32_t step;
    ArcId arc;
  };
  // A removed block that must be moved.
  struct Followed {
    BlockId block;  // of what is left
    NodeId at;
    uint64_t since;  // the number of the step in which it came there
  };

  void begin_mended(const MendedPlanHead& head) override;
  void push_mended(std::span<const SymmetricMove> moves, const StepView& moved) override;
  void embed(const MendedPlanHead& head);
  void find_hit_blocks();
  void free_slots();
  void follow();
  void count();
  [[nodiscard]] bool is_removed(BlockId block) const {
    return ((removed_bits_[index(block) / 64] >> (index(block) % 64)) & 1U) != 0;
  }
  template <typename Message>
  void add(std::string_view rule, uint64_t step, uint64_t transfer, Message message);

  Problem problem_;
  StepSink* watcher_;
  size_t max_findings_;
  Findings findings_;

  std::optional<Problem> whole_;
  std::optional<SymmetricJudge> base_;
  std::vector<NodeId> left_of_node_;  // of a node of the whole; kNoNode: dead
  std::vector<ArcId> left_of_arc_;
  std::vector<uint32_t> generator_of_;  // of an arc of what is left
  std::vector<BlockId> removed_;
  std::vector<uint64_t> removed_bits_;

  std::vector<SymmetricMove> moves_;
  std::vector<size_t> moves_end_;  // of each step
  std::vector<ArcId> arcs_;        // of what is moved
  std::vector<BlockId> blocks_;
  std::vector<size_t> moved_end_;  // of each step

  std::vector<Hop> freed_;            // arcs of what is left that removed blocks do not use, by step
  std::vector<size_t> freed_end_;     // of each step
  std::vector<uint64_t> taken_away_;  // transfers of removed blocks in each step, over whatever arcs
  uint64_t followed_ = 0;
  Figures figures_;
};

}  // namespace quadrille
