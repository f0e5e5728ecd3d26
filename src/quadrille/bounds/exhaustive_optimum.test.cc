#include "quadrille/bounds/exhaustive_optimum.test.h"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "quadrille/base/check.h"

namespace quadrille::testing {
namespace {

constexpr uint32_t kMostNodes = 8;
constexpr uint32_t kAnyLoad = 1000;

using Mask = uint8_t;  // a set of nodes, or of ranks
constexpr Mask bit(uint32_t i) { return static_cast<Mask>(1U << i); }

// Where everything is. Moves: the node of each block. Copies: the nodes that have a block. Reductions: for
// each block and node the ranks whose contributions are there.
using State = std::vector<Mask>;

// A path that a transfer may take.
struct Way {
  std::vector<ArcId> arcs;
  uint32_t from;
  uint32_t to;
};

// What a way carries in a step.
struct Load {
  size_t way = 0;
  std::vector<uint32_t> blocks{};
  bool copy = false;
};
using Loads = std::vector<Load>;

struct GaveUp {};

class Search {
 public:
  Search(const Problem& problem, Least least, uint64_t effort)
      : net_(problem.topology()),
        collective_(problem.collective()),
        model_(problem.model()),
        nodes_(net_.num_nodes()),
        blocks_(collective_.num_blocks()),
        least_(least),
        effort_(effort) {
    QUADRILLE_CHECK(nodes_ <= kMostNodes && !model_.queue_limit, problem.title());
    measure_distances();
    find_ways();
    std::vector<size_t> chosen;
    choose_ways(0, chosen);
  }

  Optimum run() {
    const State start = first_state();
    for (uint32_t budget = 0;; ++budget) {
      if (!in_time(start, budget) || !reaches_end(start, budget)) continue;
      Optimum out{budget, {}};
      StepBuilder step;
      for (auto loads = steps_.rbegin(); loads != steps_.rend(); ++loads) {
        for (const Load& load : *loads) {
          std::vector<BlockId> blocks;
          for (const uint32_t b : load.blocks) blocks.push_back(BlockId{b});
          step.add(ways_[load.way].arcs, blocks, load.copy ? TransferOp::kCopy : TransferOp::kDefault);
        }
        step.flush(out.plan);
      }
      return out;
    }
  }

 private:
  // A way is one arc; and it carries one block.
  [[nodiscard]] bool packets() const { return model_.switching == Switching::kPacket; }
  [[nodiscard]] bool single() const { return packets() && model_.packets == Packets::kOne; }
  // Ways may share arcs.
  [[nodiscard]] bool sharing() const {
    return model_.switching == Switching::kShared || model_.packets == Packets::kMany;
  }

  void spend() {
    if (effort_-- == 0) throw GaveUp();
  }

  // --- the network --------------------------------------------------------------------------------------

  void measure_distances() {
    for (uint32_t v = 0; v < nodes_; ++v) {
      for (uint32_t w = 0; w < nodes_; ++w) {
        distance_[v][w] = v == w ? 0 : net_.find_arc(NodeId{v}, NodeId{w}) ? 1 : kMostNodes;
      }
    }
    for (uint32_t via = 0; via < nodes_; ++via) {
      for (uint32_t v = 0; v < nodes_; ++v) {
        for (uint32_t w = 0; w < nodes_; ++w)
          distance_[v][w] = std::min(distance_[v][w], distance_[v][via] + distance_[via][w]);
      }
    }
  }

  void find_ways() {
    std::vector<ArcId> path;
    for (uint32_t v = 0; v < nodes_; ++v) lengthen(v, v, bit(v), path);
  }

  void lengthen(uint32_t from, uint32_t at, Mask seen, std::vector<ArcId>& path) {
    if (!path.empty() && is_allowed(from, at, path)) ways_.push_back({path, from, at});
    if (packets() && path.size() == 1) return;
    for (const ArcId arc : net_.arcs_from(NodeId{at})) {
      const auto next = static_cast<uint32_t>(index(net_.head(arc)));
      if ((seen & bit(next)) != 0) continue;
      path.push_back(arc);
      lengthen(from, next, static_cast<Mask>(seen | bit(next)), path);
      path.pop_back();
    }
  }

  bool is_allowed(uint32_t from, uint32_t to, const std::vector<ArcId>& path) const {
    if (packets() || model_.routing == Routing::kAny) return true;
    if (path.size() != distance_[from][to]) return false;
    if (model_.routing == Routing::kShortest) return true;
    // As long as the distance, so the short way in every dimension; the dimensions must not fall.
    size_t last = 0;
    for (const ArcId arc : path) {
      size_t d = 0;
      while (net_.product()->coordinate(net_.tail(arc), d) == net_.product()->coordinate(net_.head(arc), d))
        ++d;
      if (d < last) return false;
      last = d;
    }
    return true;
  }

  // --- which ways fit into one step ---------------------------------------------------------------------

  bool fits(const std::vector<size_t>& chosen) const {
    std::map<ArcId, uint32_t> used;
    std::array<uint32_t, kMostNodes> sent{};
    std::array<uint32_t, kMostNodes> received{};
    std::map<size_t, uint32_t> taken;
    for (const size_t w : chosen) {
      const Way& way = ways_[w];
      // A message may add some blocks and copy others; more of it is nothing new.
      if (sharing() && ++taken[w] > (collective_.flow() == Flow::kCombine ? 2 : 1)) return false;
      if (sharing() && taken[w] > 1) continue;
      if (++sent[way.from] > model_.send.count && !model_.send.unlimited()) return false;
      if (++received[way.to] > model_.receive.count && !model_.receive.unlimited()) return false;
      for (const ArcId arc : way.arcs) {
        if (++used[arc] > net_.capacity(arc) && !sharing()) return false;
        if (model_.duplex == Duplex::kHalf && used.contains(net_.reverse(arc))) return false;
      }
    }
    return true;
  }

  // All sets of ways to which no other can be added: what fewer can do, these can, for a way may stay empty.
  void choose_ways(size_t first, std::vector<size_t>& chosen) {
    bool can_grow = false;
    for (size_t w = 0; w < ways_.size(); ++w) {
      spend();
      chosen.push_back(w);
      if (fits(chosen)) {
        can_grow = true;
        if (w >= first) choose_ways(w, chosen);
      }
      chosen.pop_back();
    }
    if (!can_grow) together_.push_back(chosen);
  }

  // --- states -------------------------------------------------------------------------------------------

  [[nodiscard]] uint32_t node_of(Rank rank) const {
    return static_cast<uint32_t>(index(net_.endpoint(rank)));
  }
  [[nodiscard]] uint32_t destination(uint32_t block) const {
    return node_of(collective_.destination(BlockId{block}));
  }
  [[nodiscard]] Mask& part(State& state, uint32_t block, uint32_t node) const {
    return state[block * nodes_ + node];
  }
  [[nodiscard]] Mask part(const State& state, uint32_t block, uint32_t node) const {
    return state[block * nodes_ + node];
  }

  [[nodiscard]] State first_state() const {
    if (collective_.flow() == Flow::kCombine) {
      State out(size_t{blocks_} * nodes_, 0);
      for (uint32_t b = 0; b < blocks_; ++b) {
        for (uint32_t r = 0; r < collective_.num_ranks(); ++r) part(out, b, node_of(Rank{r})) = bit(r);
      }
      return out;
    }
    State out(blocks_);
    for (uint32_t b = 0; b < blocks_; ++b) {
      const uint32_t origin = node_of(collective_.origin(BlockId{b}));
      out[b] = collective_.flow() == Flow::kMove ? static_cast<Mask>(origin) : bit(origin);
    }
    return out;
  }

  // The largest distance over which something must still be carried.
  [[nodiscard]] uint32_t longest_way_left(const State& state) const {
    uint32_t out = 0;
    for (uint32_t b = 0; b < blocks_; ++b) {
      if (collective_.flow() == Flow::kMove) {
        out = std::max(out, distance_[state[b]][destination(b)]);
        continue;
      }
      for (uint32_t r = 0; r < collective_.num_ranks(); ++r) {
        if (!collective_.is_destination(BlockId{b}, Rank{r})) continue;
        const uint32_t goal = node_of(Rank{r});
        if (collective_.flow() == Flow::kCopy) {
          out = std::max(out, nearest(state[b], goal));
          continue;
        }
        for (uint32_t from = 0; from < collective_.num_ranks(); ++from) {
          Mask holders = 0;
          for (uint32_t v = 0; v < nodes_; ++v) {
            if ((part(state, b, v) & bit(from)) != 0) holders = static_cast<Mask>(holders | bit(v));
          }
          if (holders == 0) return kMostNodes * kMostNodes;  // overwritten everywhere: lost
          out = std::max(out, nearest(holders, goal));
        }
      }
    }
    return out;
  }

  [[nodiscard]] uint32_t nearest(Mask holders, uint32_t goal) const {
    uint32_t out = kMostNodes;
    for (uint32_t v = 0; v < nodes_; ++v) {
      if ((holders & bit(v)) != 0) out = std::min(out, distance_[v][goal]);
    }
    return out;
  }

  [[nodiscard]] bool in_time(const State& state, uint32_t budget) const {
    const uint32_t left = longest_way_left(state);
    return packets() ? left <= budget : left == 0 || (budget > 0 && left <= kMostNodes);
  }

  // Pieces of the same block are alike.
  [[nodiscard]] std::string key(const State& state) const {
    const size_t size = state.size() / blocks_;
    std::vector<std::string> blocks;
    for (uint32_t b = 0; b < blocks_; ++b) {
      blocks.emplace_back(state.begin() + static_cast<std::ptrdiff_t>(b * size),
                          state.begin() + static_cast<std::ptrdiff_t>((b + 1) * size));
    }
    std::string out;
    for (uint32_t b = 0; b < blocks_; b += collective_.pieces()) {
      std::sort(blocks.begin() + b, blocks.begin() + b + collective_.pieces());
      for (uint32_t p = 0; p < collective_.pieces(); ++p) out += blocks[b + p];
    }
    return out;
  }

  // --- the search ---------------------------------------------------------------------------------------

  // Whether the end can be reached; if so steps_ holds how, last step first. The state is in time.
  bool reaches_end(const State& state, uint32_t budget) {
    if (longest_way_left(state) == 0) return true;
    if (budget == 0) return false;
    const std::string name = key(state);
    const auto [failed, is_new] = failed_.try_emplace(name, 0);
    if (!is_new && failed->second >= budget) return false;
    const bool by_blocks = least_ == Least::kCriticalBlocks && !single();
    for (uint32_t load = 1; load <= (by_blocks ? budget : 1); ++load) {
      load_limit_ = by_blocks || single() ? load : kAnyLoad;
      for (const std::vector<size_t>& set : together_) {
        Loads loads;
        for (const size_t w : set) loads.push_back({w});
        State next = state;
        if (fill(state, next, loads, 0, budget - load)) return true;
      }
    }
    failed_[name] = std::max(failed_[name], budget);
    return false;
  }

  // Tries every filling of a step's ways from place `at` on: a block in moves, a way in the others.
  bool fill(const State& state, State& next, Loads& loads, size_t at, uint32_t left) {
    spend();
    switch (collective_.flow()) {
      case Flow::kMove:
        return at == blocks_ ? go_on(next, loads, left) : move_block(state, next, loads, at, left);
      case Flow::kCopy:
        return at == loads.size() ? go_on(next, loads, left) : copy_over(state, next, loads, at, 0, left);
      case Flow::kCombine:
        break;
    }
    if (at == loads.size()) return go_on(next, loads, left);
    if (fill(state, next, loads, at + 1, left)) return true;
    for (const bool copy : {false, true}) {
      loads[at].copy = copy;
      if (combine_over(state, next, loads, at, 0, left)) return true;
    }
    loads[at].copy = false;
    return false;
  }

  bool go_on(const State& next, const Loads& loads, uint32_t left) {
    const bool idle =
        std::all_of(loads.begin(), loads.end(), [](const Load& load) { return load.blocks.empty(); });
    if (idle || !in_time(next, left)) return false;
    const uint32_t limit = load_limit_;
    const bool done = reaches_end(next, left);
    load_limit_ = limit;
    if (!done) return false;
    steps_.emplace_back();
    for (const Load& load : loads) {
      if (!load.blocks.empty()) steps_.back().push_back(load);
    }
    return true;
  }

  // How many more blocks a load can take. Where ways share arcs the limit is one of rounds, for each arc.
  [[nodiscard]] size_t room(const Loads& loads, const Load& load) const {
    if (!sharing()) return load_limit_ - std::min<size_t>(load_limit_, load.blocks.size());
    size_t out = kAnyLoad;
    for (const ArcId arc : ways_[load.way].arcs) {
      size_t on_arc = 0;
      for (const Load& other : loads) {
        const std::vector<ArcId>& arcs = ways_[other.way].arcs;
        if (std::find(arcs.begin(), arcs.end(), arc) != arcs.end()) on_arc += other.blocks.size();
      }
      const size_t most = size_t{load_limit_} * net_.capacity(arc);
      out = std::min(out, most - std::min(most, on_arc));
    }
    return out;
  }

  bool move_block(const State& state, State& next, Loads& loads, size_t block, uint32_t left) {
    const auto b = static_cast<uint32_t>(block);
    const uint32_t goal = destination(b);
    const Mask here = state[b];
    const auto too_late = [&](uint32_t node) {
      return packets() ? distance_[node][goal] > left : node != goal && left == 0;
    };
    if (here != goal) {
      for (Load& load : loads) {
        const Way& way = ways_[load.way];
        if (way.from != here || room(loads, load) == 0 || too_late(way.to)) continue;
        load.blocks.push_back(b);
        next[b] = static_cast<Mask>(way.to);
        if (fill(state, next, loads, block + 1, left)) return true;
        next[b] = here;
        load.blocks.pop_back();
      }
    }
    return !too_late(here) && fill(state, next, loads, block + 1, left);
  }

  // As many as the load allows of the blocks from `first` on that the sender has and the receiver lacks.
  bool copy_over(const State& state, State& next, Loads& loads, size_t at, uint32_t first, uint32_t left) {
    Load& load = loads[at];
    const Way& way = ways_[load.way];
    std::vector<uint32_t> useful;
    for (uint32_t b = first; b < blocks_; ++b) {
      if ((state[b] & bit(way.from)) != 0 && (next[b] & bit(way.to)) == 0) useful.push_back(b);
    }
    const size_t wanted = room(loads, load);
    if (wanted == 0 || (first == 0 && useful.empty())) return fill(state, next, loads, at + 1, left);
    // What one way takes, another that shares its arcs may lack.
    const bool scarce = sharing() && !packets() && load_limit_ < kAnyLoad;
    if (scarce && fill(state, next, loads, at + 1, left)) return true;
    for (size_t i = 0; i < useful.size(); ++i) {
      // Leaving one out is for those who cannot take all of them.
      if (!scarce && i > 0 && useful.size() - i < std::min<size_t>(wanted, useful.size())) break;
      const uint32_t b = useful[i];
      const Mask before = next[b];
      next[b] = static_cast<Mask>(next[b] | bit(way.to));
      load.blocks.push_back(b);
      const bool done = useful.size() == i + 1 && !scarce ? fill(state, next, loads, at + 1, left)
                                                          : copy_over(state, next, loads, at, b + 1, left);
      if (done) return true;
      load.blocks.pop_back();
      next[b] = before;
    }
    return false;
  }

  // What arrived before for the block at the way's end: nothing, sums, or a copy.
  enum class Arrived : uint8_t { kNothing, kSum, kCopy };
  [[nodiscard]] Arrived arrived(const Loads& loads, size_t before, uint32_t block, uint32_t node) const {
    for (size_t i = 0; i < before; ++i) {
      const Load& load = loads[i];
      if (ways_[load.way].to != node) continue;
      if (std::find(load.blocks.begin(), load.blocks.end(), block) == load.blocks.end()) continue;
      return load.copy ? Arrived::kCopy : Arrived::kSum;
    }
    return Arrived::kNothing;
  }

  // One block more on the way, from `first` on, and then the next way, or one more.
  bool combine_over(const State& state, State& next, Loads& loads, size_t at, uint32_t first, uint32_t left) {
    if (room(loads, loads[at]) == 0) return false;
    const Way& way = ways_[loads[at].way];
    for (uint32_t b = first; b < blocks_; ++b) {
      const Mask sent = part(state, b, way.from);
      const Mask there = part(next, b, way.to);
      const Arrived other = arrived(loads, at, b, way.to);
      if (sent == 0 || other == Arrived::kCopy) continue;
      if (loads[at].copy ? other != Arrived::kNothing || sent == there : (sent & there) != 0) continue;
      part(next, b, way.to) = loads[at].copy ? sent : static_cast<Mask>(sent | there);
      loads[at].blocks.push_back(b);
      if (fill(state, next, loads, at + 1, left)) return true;
      if (combine_over(state, next, loads, at, b + 1, left)) return true;
      loads[at].blocks.pop_back();
      part(next, b, way.to) = there;
    }
    return false;
  }

  const Topology& net_;
  const Collective& collective_;
  const Model& model_;
  uint32_t nodes_;
  uint32_t blocks_;
  Least least_;
  uint64_t effort_;
  std::array<std::array<uint32_t, kMostNodes>, kMostNodes> distance_{};
  std::vector<Way> ways_;
  std::vector<std::vector<size_t>> together_;
  std::unordered_map<std::string, uint32_t> failed_;  // most steps left with which a state has failed
  uint32_t load_limit_ = 1;
  std::vector<Loads> steps_;
};

}  // namespace

std::optional<Optimum> exhaustive_optimum(const Problem& problem, Least least, uint64_t effort) {
  try {
    return Search(problem, least, effort).run();
  } catch (const GaveUp&) {
    return std::nullopt;
  }
}

}  // namespace quadrille::testing
