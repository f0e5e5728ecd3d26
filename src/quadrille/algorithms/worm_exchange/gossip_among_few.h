// Gossip among few: the search of worm_gossip.h where a word holds what a node has heard of, for up to 32 ranks on up
// to 64 nodes.
//
// What is different from the search of larger networks is what makes it quick: what all worms would serve is added up
// row by row; sets of nodes are words, so that a search for a way is a few of them; and a change of a step is judged by
// the pairs that it leaves, without following the plan. Every other change looks at a pair that nobody serves: a worm
// that serves it comes first, and of the others those stay that have a place beside it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "quadrille/algorithms/worm_exchange/gossip_worm.h"
#include "quadrille/base/random.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

class GossipAmongFew {
 public:
  static constexpr uint32_t kMostRanks = 32;
  static constexpr uint32_t kMostNodes = 64;
  [[nodiscard]] static bool can_search(const Topology& topology);

  /// Where each rank is: its endpoint, or the switch that has been told.
  GossipAmongFew(const Problem& problem, const std::vector<NodeId>& places);

  /// Steps one after another, each serving as much as it can, until all is served.
  [[nodiscard]] GossipSteps forward();
  /// A step less than these, as far as so much more work finds it. Gives up sooner where all tries end far from it.
  [[nodiscard]] std::optional<GossipSteps> with_fewer(const GossipSteps& steps, uint64_t most_work);
  /// With one step less, again and again, down to `least`.
  [[nodiscard]] GossipSteps improved(GossipSteps best, size_t least, uint64_t most_work);

  [[nodiscard]] uint64_t work() const { return work_; }

 private:
  static constexpr size_t kStride = kMostNodes;
  using Words = std::array<uint64_t, kMostNodes>;
  using Sets = std::array<uint32_t, kMostNodes>;  // per node: ranks
  using Left = std::array<uint32_t, kMostRanks>;  // per destination: the sources that it will not hear of

  struct Worm {
    uint8_t from;
    uint8_t to;
    uint16_t begin;  // of its arcs among those of the step
    uint16_t end;
  };
  struct Step {
    std::vector<Worm> worms;
    std::vector<uint32_t> arcs;
    void clear() {
      worms.clear();
      arcs.clear();
    }
  };

  void start(const GossipSteps& steps);
  void start(size_t steps);
  [[nodiscard]] GossipSteps plan() const;
  void follow_after(size_t t);
  void follow_before(size_t t);

  void change(size_t t, size_t keeps);
  void change_for_a_pair(size_t t);
  [[nodiscard]] uint64_t bears();
  [[nodiscard]] bool is_hopeless(uint64_t fewest, uint64_t work, uint64_t most_work) const;
  void open_step(const Sets& hear, const Sets& tell);
  void keep(const Worm& worm, const Step& of, const Sets& hear, const Sets& tell);
  void fill(const Sets& hear, const Sets& tell);
  void weigh(const Sets& hear, const Sets& tell);
  void find_best(size_t u);
  [[nodiscard]] bool can_take(const Worm& worm, const Step& of) const;
  void take(size_t from, size_t to, const uint32_t* arcs, size_t count);
  void serve(uint32_t hear, uint32_t tell);
  [[nodiscard]] uint32_t count(uint32_t hear, uint32_t tell) const;
  [[nodiscard]] uint64_t missing() const;
  bool find_way(const Words& out, const Words& in, size_t from, size_t to);
  [[nodiscard]] int32_t value(uint32_t pairs, size_t u, size_t v) const;
  void set_price(uint32_t tenths);

  const Topology topology_;
  size_t nodes_;
  size_t row_;  // of nodes, in whole registers
  size_t ranks_;
  uint32_t all_ranks_;
  uint64_t all_nodes_;
  bool half_duplex_;
  uint32_t send_ports_;
  uint32_t receive_ports_;

  std::vector<uint32_t> arc_of_;  // by tail and head
  Words out_{};                   // heads of the arcs from a node
  Words in_{};
  std::vector<uint8_t> hops_;
  Sets own_{};
  std::array<uint32_t, kMostNodes + 1> price_{};  // per hops: what a pair is worth there
  std::vector<uint32_t> noise_;
  std::vector<uint32_t> hop_price_;

  // The plan.
  std::vector<Step> steps_;
  std::vector<Sets> hear_;  // before a step, and after the last
  std::vector<Sets> tell_;
  Left unserved_{};  // by the plan as it is
  uint64_t missing_ = 0;

  // The step that is being made.
  Step made_;
  std::vector<uint32_t> load_;
  Words free_out_{};
  Words free_in_{};
  std::array<uint32_t, kMostNodes> sent_{};
  std::array<uint32_t, kMostNodes> received_{};
  uint64_t can_send_ = 0;
  uint64_t can_receive_ = 0;
  Left left_{};
  size_t offset_ = 0;
  std::vector<int32_t> values_;
  std::vector<uint8_t> lengths_;
  std::vector<uint16_t> told_;
  std::array<int32_t, kMostNodes> best_{};
  std::vector<uint32_t> way_;

  Rng rng_{1};
  uint64_t work_ = 0;
};

}  // namespace quadrille
