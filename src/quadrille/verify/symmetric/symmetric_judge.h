// The judge of symmetric plans: what is the same at all nodes is judged at one.
//
//     SymmetricJudge judge(problem);            // of which why_not() says nothing
//     choice.generate(judge);                   // in the short form (schedule/symmetric/symmetric_step.h)
//     const Verdict verdict = judge.finish();   // that of a Judge, without a Schedule
//
// Why that is enough. A move stands for one transfer at every node x, over the arc (x, k) from x to x*k, of the block from
// x*a^-1 to x*r. Left translations, y -> g*y, carry node x's transfer to node g*x's, and they act on the nodes freely and
// transitively; so do they on the arcs of each generator, as the constructor looks. Hence an arc (x, k) carries in a step
// as many blocks as there are moves along k, each node sends and receives as many as there are moves, and the N blocks
// x -> x*d of a displacement d are always in corresponding places: the one from x is at x*p(d), with the same p(d) for
// all x. So capacities and ports are counted by generator and step, and who holds what, what is delivered, and what is
// delivered twice, by displacement: N counters in place of N^2, and a move in place of N transfers. Every rule holds at
// all nodes if and only if it holds at one.
//
// Of a reduce_scatter (or an allreduce whose blocks are dealt out) the N blocks are told apart by how far they have to go, and what a node has of one by whose contributions it has
// gathered: sets of ways, the same at all nodes (symmetric/symmetric_sums.h says why). Since the sets are followed bit by bit, sums
// that are right for one reason are told from those that are right for another as well as by the judge of all nodes; a plan need
// not be an allgather read backwards, nor send a sum once.
//
// That a group is one, which is its family's to see to (topology/cayley), and that its arcs are where they should be, is
// all that is taken of the network; nothing is believed of the plan.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "quadrille/schedule/problem.h"
#include "quadrille/schedule/symmetric/symmetric_step.h"
#include "quadrille/verify/findings.h"
#include "quadrille/verify/symmetric/symmetric_sums.h"
#include "quadrille/verify/verify.h"

namespace quadrille {

class SymmetricJudge final : public StepSink, private SymmetricSink {
 public:
  /// Why it does not judge plans for the problem, as a fragment of a sentence; nothing where it does: alltoall,
  /// allgather, reduce_scatter, and allreduce in as many pieces for each node, in any order, by packets on Cayley graphs with full duplex. Blocks need no numbers.
  [[nodiscard]] static std::optional<std::string> why_not(const Problem& problem);

  /// Of the options it takes `max_findings` and the watcher, which must take the short form, too.
  explicit SymmetricJudge(const Problem& problem, const JudgeOptions& options = {});

  /// A step that is written out is an InternalError: whoever makes it has not asked for symmetric().
  void push(const StepView& step) override;
  [[nodiscard]] SymmetricSink* symmetric() override { return this; }
  /// After the last step. Call it once. Findings are of node 0.
  [[nodiscard]] Verdict finish();

 private:
  struct Block {
    uint32_t at = 0;     // alltoall: the way that it has come; allgather: whether it is there;
                         // allreduce: whether a copy came last
    uint64_t since = 0;  // the number of the step in which it came
  };

  void push_symmetric(std::span<const SymmetricMove> moves) override;
  void count_links(std::span<const SymmetricMove> moves);
  void move(const SymmetricMove& move, size_t number);
  void copy(const SymmetricMove& move, size_t number);
  void add_up(std::span<const SymmetricMove> moves);
  void finish_sums();
  void add_figures(std::span<const SymmetricMove> moves);
  // The block of a displacement or, in an allgather, the one that has come that way.
  [[nodiscard]] size_t place(uint32_t element, uint32_t piece) const {
    return size_t{element} * pieces_ + piece;
  }
  [[nodiscard]] std::string label(uint32_t element) const;
  [[nodiscard]] std::string label(const SymmetricMove& move) const;
  template <typename Message>
  void add(std::string_view rule, size_t transfer, Message message);

  Problem problem_;
  StepSink* watcher_;
  const CayleyStructure& cayley_;
  Flow flow_;
  uint32_t pieces_;
  std::vector<uint32_t> capacity_;  // by generator
  std::vector<uint32_t> used_;      // of it in this step
  uint64_t messages_ = 0;           // that a node sends, and receives, in this step
  std::vector<uint64_t> load_;
  std::vector<Block> blocks_;  // of what is moved or copied
  std::optional<SymmetricSums> sums_of_ranks_;
  std::vector<uint64_t> sent_;  // of a reduction, in this step
  uint64_t steps_ = 0;
  Figures sums_;
  Findings findings_;
};

}  // namespace quadrille
