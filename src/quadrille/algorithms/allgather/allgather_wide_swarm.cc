// Allgather with all ports on any graph of up to thousands of nodes by scarce blocks first.
//
// The block swarm (packing/swarms/block_swarm.h) where every port is free: then a node's choice depends on nobody else's of the same
// step, only on what its neighbours had before the step, and how scarce that is. So all nodes choose at the same time, and the
// plan is the same whatever the number of threads. Nobody looks through the blocks one by one: who has what is kept in
// bits, and 64 blocks at a time are added up over the neighbours, one plane of bits for each digit of the sum. Only what a
// node lacks and may have gets a score. The shortest of a few tries is kept.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <span>
#include <thread>
#include <vector>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/graphs/worth_making.h"
#include "quadrille/algorithms/packing/swarms/block_swarm.h"
#include "quadrille/base/random.h"
#include "quadrille/base/text.h"
#include "quadrille/base/thread_team.h"
#include "quadrille/schedule/plan.h"

namespace quadrille::algorithms {

extern const Algorithm allgather_wide_swarm;

namespace allgather_wide_swarm_parts {
namespace {

constexpr uint64_t kTriedAgain = uint64_t{1} << 21U;  // blocks at nodes, of all tries together
constexpr uint64_t kMostTries = 4;
constexpr uint64_t kAlone = uint64_t{1} << 14U;  // fewer are done by one thread
constexpr uint32_t kNobody = UINT32_MAX;
// Of more words of 64 blocks than these a node looks at so many new blocks for each of its channels, and no more.
constexpr size_t kFewWords = 16;
constexpr size_t kEnoughPerChannel = 32;

struct WideSend {
  ArcId arc;
  uint32_t block;
};
using WideSteps = std::vector<std::vector<WideSend>>;

struct Candidate {
  uint32_t score;
  uint32_t block;
  friend bool operator<(const Candidate& a, const Candidate& b) {
    return a.score != b.score ? a.score < b.score : a.block < b.block;
  }
};

void set_bit(uint64_t* bits, uint32_t b) { bits[b / 64] |= uint64_t{1} << (b % 64); }
void clear_bit(uint64_t* bits, uint32_t b) { bits[b / 64] &= ~(uint64_t{1} << (b % 64)); }
bool has_bit(const uint64_t* bits, uint32_t b) { return ((bits[b / 64] >> (b % 64)) & 1U) != 0; }

// Who has what.
struct Holdings {
  Holdings(uint32_t nodes, uint32_t blocks)
      : words((blocks + 63) / 64), bits(size_t{nodes} * words, 0), wanted(words, 0), holders(blocks, 1) {}

  uint64_t* of(size_t node) { return bits.data() + node * words; }
  [[nodiscard]] const uint64_t* of(size_t node) const { return bits.data() + node * words; }

  size_t words;
  std::vector<uint64_t> bits;     // per node
  std::vector<uint64_t> wanted;   // blocks that some endpoint lacks
  std::vector<uint32_t> holders;  // per block
};

// The choice of one node in one step: what comes over each of the channels that lead to it.
class Chooser {
 public:
  Chooser(const Topology& net, const Holdings& holdings) : net_(net), holdings_(holdings) {}

  void choose(size_t v, std::span<const ArcId> channels, uint64_t seed, std::span<uint32_t> chosen) {
    std::fill(chosen.begin(), chosen.end(), kNobody);
    channels_ = channels;
    chosen_ = chosen;
    // A channel that brings nothing new is as good as one for which every search was in vain.
    weigh(v, seed);
    size_t sorted = 0;
    search_ = 0;
    for (size_t at = 0; at < candidates_.size() && open_ > 0; ++at) {
      if (at == sorted) sorted = sort_more(at);
      ++search_;
      if (place(candidates_[at].block)) {
        --open_;
      } else {
        // Where a search in vain has been no later one finds a way on.
        for (uint32_t& mark : mark_)
          if (mark == search_) mark = kInVain;
      }
    }
  }

 private:
  // Scores of what v lacks and may have: few neighbours, then few nodes at all have it. Low is scarce. Of thousands of blocks, hundreds
  // that come next in a circle are enough, from anywhere: all are about as scarce, since the scarcest are always sent first.
  void weigh(size_t v, uint64_t seed) {
    const size_t words = holdings_.words;
    digits_ = static_cast<size_t>(std::bit_width(channels_.size()));
    planes_.resize(digits_);
    news_.assign(words, 0);
    candidates_.clear();
    mark_.assign(channels_.size(), kInVain);
    open_ = 0;
    Rng rng(seed);
    uint64_t noise = 0;
    int left = 0;
    const size_t first = words > kFewWords ? rng.below(words) : 0;
    const size_t enough = words > kFewWords ? kEnoughPerChannel * channels_.size() : SIZE_MAX;
    for (size_t i = 0; i < words && (candidates_.size() < enough || open_ < channels_.size()); ++i) {
      const size_t w = first + i < words ? first + i : first + i - words;
      add_up(v, w);
      for (uint64_t rest = news_[w]; rest != 0; rest &= rest - 1) {
        const auto bit = static_cast<unsigned>(std::countr_zero(rest));
        uint32_t near = 0;
        for (size_t d = 0; d < digits_; ++d)
          near |= static_cast<uint32_t>((planes_[d] >> bit) & 1U) << static_cast<unsigned>(d);
        if (left == 0) {
          noise = rng.next();
          left = 16;
        }
        const auto block = static_cast<uint32_t>(w * 64 + bit);
        candidates_.push_back(
            {(near * 8 + holdings_.holders[block]) * 4 + static_cast<uint32_t>(noise & 15U), block});
        noise >>= 4U;
        --left;
      }
    }
  }
  // Of 64 blocks: how many neighbours have each, which of them are new here, and which channels bring any.
  void add_up(size_t v, size_t w) {
    std::fill(planes_.begin(), planes_.end(), 0);
    uint64_t any = 0;
    ArcId last = kNoArc;
    for (const ArcId arc : channels_) {
      if (arc == last) continue;
      last = arc;
      uint64_t carry = holdings_.of(index(net_.tail(arc)))[w];
      any |= carry;
      for (size_t d = 0; carry != 0; ++d) {
        const uint64_t before = planes_[d];
        planes_[d] = before ^ carry;
        carry &= before;
      }
    }
    news_[w] = any & ~holdings_.of(v)[w] & holdings_.wanted[w];
    if (news_[w] == 0 || open_ == channels_.size()) return;
    for (size_t i = 0; i < channels_.size(); ++i) {
      if (mark_[i] == 0 || (holdings_.of(index(net_.tail(channels_[i])))[w] & news_[w]) == 0) continue;
      mark_[i] = 0;
      ++open_;
    }
  }
  // The scarcest few do as a rule.
  size_t sort_more(size_t at) {
    const size_t few = 4 * channels_.size();
    const size_t to = at == 0 ? std::min(few, candidates_.size()) : candidates_.size();
    const auto begin = candidates_.begin();
    const auto end = begin + static_cast<ptrdiff_t>(to);
    if (to < candidates_.size()) std::nth_element(begin, end, candidates_.end());
    std::sort(begin + static_cast<ptrdiff_t>(at), end);
    return to;
  }
  bool place(uint32_t block) {
    for (size_t i = 0; i < channels_.size(); ++i) {
      if (mark_[i] == kInVain || mark_[i] == search_ ||
          !has_bit(holdings_.of(index(net_.tail(channels_[i]))), block))
        continue;
      mark_[i] = search_;
      if (chosen_[i] != kNobody && !place(chosen_[i])) continue;
      chosen_[i] = block;
      return true;
    }
    return false;
  }

  static constexpr uint32_t kInVain = UINT32_MAX;

  const Topology& net_;
  const Holdings& holdings_;
  std::span<const ArcId> channels_;
  std::span<uint32_t> chosen_;
  size_t digits_ = 0;
  std::vector<uint64_t> planes_;  // of a word of blocks, the digits of how many neighbours have each
  std::vector<uint64_t> news_;
  size_t open_ = 0;  // channels that bring something
  std::vector<Candidate> candidates_;
  std::vector<uint32_t> mark_;  // per channel: the search that was there last
  uint32_t search_ = 0;
};

class WideSwarm {
 public:
  WideSwarm(const Problem& problem, uint64_t seed, ThreadTeam& team)
      : net_(problem.topology()),
        blocks_(problem.collective().num_blocks()),
        rng_(seed),
        team_(team),
        holdings_(net_.num_nodes(), blocks_),
        wanting_(blocks_, net_.num_endpoints() - 1),
        missing_(uint64_t{blocks_} * (net_.num_endpoints() - 1)) {
    list_channels();
    for (uint32_t b = 0; b < blocks_; ++b) {
      set_bit(holdings_.of(index(problem.origin(BlockId{b}))), b);
      set_bit(holdings_.wanted.data(), b);
    }
  }

  // Nothing where it takes more than `most` steps.
  std::optional<WideSteps> run(size_t most) {
    WideSteps out;
    const size_t nodes = net_.num_nodes();
    const size_t parts = std::min<size_t>(nodes, 32);
    std::vector<Chooser> choosers(parts, Chooser(net_, holdings_));
    while (missing_ > 0) {
      if (out.size() >= most) return std::nullopt;
      const uint64_t seed = rng_.next();
      team_.for_each(parts, [&](size_t part) {
        for (size_t v = nodes * part / parts; v < nodes * (part + 1) / parts; ++v) {
          const size_t count = begin_[v + 1] - begin_[v];
          choosers[part].choose(v, std::span(channels_).subspan(begin_[v], count), seed + v,
                                std::span(chosen_).subspan(begin_[v], count));
        }
      });
      receive(out.emplace_back());
    }
    leave_out_needless(out);
    return out;
  }

 private:
  void list_channels() {
    begin_.assign(net_.num_nodes() + 1, 0);
    for (const ArcId arc : net_.arcs()) begin_[index(net_.head(arc)) + 1] += channels_of(arc);
    for (size_t v = 0; v < net_.num_nodes(); ++v) begin_[v + 1] += begin_[v];
    channels_.resize(begin_.back());
    chosen_.resize(begin_.back());
    std::vector<size_t> at(begin_.begin(), begin_.end() - 1);
    for (const ArcId arc : net_.arcs())
      for (uint64_t c = channels_of(arc); c > 0; --c) channels_[at[index(net_.head(arc))]++] = arc;
  }
  // More than there are blocks are of no use.
  [[nodiscard]] uint64_t channels_of(ArcId arc) const {
    return std::min<uint64_t>(net_.capacity(arc), blocks_);
  }

  void receive(std::vector<WideSend>& step) {
    for (size_t i = 0; i < channels_.size(); ++i) {
      const uint32_t block = chosen_[i];
      if (block == kNobody) continue;
      step.push_back({channels_[i], block});
      const NodeId v = net_.head(channels_[i]);
      set_bit(holdings_.of(index(v)), block);
      ++holdings_.holders[block];
      if (!net_.rank(v)) continue;
      --missing_;
      if (--wanting_[block] == 0) clear_bit(holdings_.wanted.data(), block);
    }
  }

  // What routers got for nobody.
  void leave_out_needless(WideSteps& steps) const {
    if (!net_.has_routers()) return;
    std::vector<char> needed(size_t{net_.num_nodes()} * blocks_, 0);
    for (const NodeId v : net_.endpoints())
      std::fill_n(needed.begin() + static_cast<ptrdiff_t>(index(v) * blocks_), blocks_, char{1});
    for (size_t s = steps.size(); s-- > 0;) {
      std::erase_if(steps[s], [&](const WideSend& send) {
        return needed[index(net_.head(send.arc)) * blocks_ + send.block] == 0;
      });
      for (const WideSend& send : steps[s]) needed[index(net_.tail(send.arc)) * blocks_ + send.block] = 1;
    }
  }

  const Topology& net_;
  uint32_t blocks_;
  Rng rng_;
  ThreadTeam& team_;
  Holdings holdings_;
  std::vector<uint32_t> wanting_;  // per block: endpoints that lack it
  uint64_t missing_;
  std::vector<size_t> begin_;     // per node: its first channel
  std::vector<ArcId> channels_;   // an arc as often as its capacity says
  std::vector<uint32_t> chosen_;  // per channel, in this step
};

// The shortest of a few tries, or the first that takes `fewest` steps.
Plan wide_swarm(const Problem& problem, uint64_t fewest) {
  const uint64_t entries = uint64_t{problem.topology().num_nodes()} * problem.collective().num_blocks();
  const uint64_t tries = std::clamp<uint64_t>(kTriedAgain / entries, 1, kMostTries);
  // Starting threads takes longer than a small plan.
  const bool is_large = entries >= kAlone;
  ThreadTeam team(is_large ? std::max(1U, std::thread::hardware_concurrency()) : 1U);
  std::optional<WideSteps> best;
  for (uint64_t i = 0; i < tries && (!best || best->size() > fewest); ++i) {
    std::optional<WideSteps> found = WideSwarm(problem, i, team).run(best ? best->size() - 1 : SIZE_MAX);
    if (found) best = std::move(found);
  }
  Plan plan;
  StepBuilder step;
  for (std::vector<WideSend>& sends : *best) {
    if (sends.empty()) continue;  // of routers alone, and needless
    for (const WideSend& send : sends) step.add(send.arc, BlockId{send.block});
    step.flush(plan);
    sends = {};
  }
  return plan;
}

constexpr uint64_t kMostEntries = uint64_t{1} << 24U;
constexpr uint64_t kMostLooks = uint64_t{1} << 24U;  // at a block, in a step: where links are very wide

Applicability applies(const Problem& problem) {
  const Model& model = problem.model();
  const Topology& net = problem.topology();
  if (!sends_single_packets(model)) return Applicability::no("it is for single packets");
  if (model.duplex == Duplex::kHalf) return Applicability::no("its links carry both ways at once");
  if (!model.send.unlimited() || !model.receive.unlimited())
    return Applicability::no("it takes all ports of every node at once");
  if (net.product() != nullptr || net.cayley() != nullptr || net.tree() != nullptr)
    return Applicability::no("what is known of the structure of the network makes better plans at once");
  if (problem.collective().num_ranks() < 2)
    return Applicability::no("a single endpoint has nothing to exchange");
  if (const uint64_t looks = swarm_looks(net, problem.collective().num_blocks()); looks > kMostLooks) {
    return Applicability::no(
        fmt::format("its links are so wide that it looks at a block {} times in a step: more than {}",
                    with_thousands(looks), with_thousands(kMostLooks)));
  }
  const uint64_t entries = uint64_t{net.num_nodes()} * problem.collective().num_blocks();
  if (entries <= kMostEntries) return Applicability::yes();
  return Applicability::no(fmt::format("it knows of every block at every node: at most {} of them, {} has {}",
                                       with_thousands(kMostEntries), problem.title(),
                                       with_thousands(entries)));
}

Preparation prepare(const Problem& problem) { return prepare_if_wanted(problem, swarm_at_least, wide_swarm); }

}  // namespace
}  // namespace allgather_wide_swarm_parts

constinit const Algorithm allgather_wide_swarm = {
    .name = "allgather_wide_swarm",
    .collective = CollectiveKind::kAllgather,
    .summary =
        "every node takes in every step as many new blocks as its links bring, the scarcest ones first",
    .source = "ours; greedily in a transversal matroid: Edmonds and Fulkerson 1965",
    .remarks =
        "any graph of unknown structure, up to 4,096 nodes, all ports; at the bound wherever it was tried with a "
        "hundred nodes or more",
    .applies = allgather_wide_swarm_parts::applies,
    .prepare = allgather_wide_swarm_parts::prepare,
};

}  // namespace quadrille::algorithms
