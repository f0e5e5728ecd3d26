// Allgather in shells: in step t every node receives all blocks from distance t.
//
// They come from the neighbours at distance t-1 from their origin, which hold all of them, so every way to share
// the work among these is right; the one that burdens the busiest link least is found by a flow from the blocks
// to the links into the node. As many steps as the diameter, and no plan of single hops has fewer. In how many
// chunks a block comes decides how evenly links can share it: on tori and hypercubes as many chunks as links are
// mostly enough for (N-1)/degree blocks over each link, which is the least possible.
//
// On a Cayley graph one node's assignment is everybody's, translated.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <compare>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/graphs/exchange_conditions.h"
#include "quadrille/algorithms/graphs/worth_making.h"
#include "quadrille/algorithms/packing/swarms/swarm_at_least.h"
#include "quadrille/base/text.h"
#include "quadrille/search/maximum_flow.h"
#include "quadrille/topology/last_answers.h"
#include "quadrille/topology/queries/distances.h"
#include "quadrille/topology/queries/link_counts.h"

namespace quadrille::algorithms {

extern const Algorithm allgather_shells;

namespace allgather_shells_parts {
namespace {

// Some pieces of a block, and the link over which they enter a node. Of a Cayley graph the node is the identity.
struct Entry {
  uint32_t step;    // from 0
  uint32_t node;    // that they enter
  uint32_t link;    // among those into it
  uint32_t source;  // whose block it is
  uint32_t first_piece;
  uint32_t end_piece;
};

// A link into a node: an arc of capacity two is two links.
struct Link {
  NodeId from;
  ArcId arc;
};

struct Shells {
  bool translated = false;
  std::vector<std::vector<Link>> links;  // by node; of a Cayley graph the identity's
  std::vector<size_t> entries_of_step;
  std::vector<uint64_t> rounds;  // per step: most pieces over one link
  std::vector<uint64_t> load;    // per arc; of a Cayley graph per arc into the identity
};

std::vector<std::vector<Link>> links_into(const Topology& topology, bool translated) {
  std::vector<std::vector<Link>> out(translated ? 1 : topology.num_nodes());
  for (const ArcId arc : topology.arcs()) {
    const size_t head = index(topology.head(arc));
    if (head >= out.size()) continue;
    for (uint32_t unit = 0; unit < topology.capacity(arc); ++unit)
      out[head].push_back({topology.tail(arc), arc});
  }
  return out;
}

// Blocks that may come over the same links into a node.
struct Kind {
  std::vector<uint32_t> links;
  uint64_t mark;  // what differs in it is not the same links
  uint64_t count;
};

uint64_t mark_of(std::span<const uint32_t> links) {
  uint64_t out = 0;
  for (const uint32_t link : links) out |= uint64_t{1} << link % 64;
  return out;
}

// By a search up to so many links into a node.
constexpr size_t kFewLinks = 6;

// The blocks that reach one node in one step, to be dealt out to the links into it.
class Dealing {
 public:
  Dealing(std::span<const Kind> kinds, size_t links, uint32_t pieces)
      : kinds_(kinds), num_links_(links), pieces_(pieces) {
    for (const Kind& kind : kinds) wanted_ += kind.count * pieces;
    if (wanted_ == 0) return;
    for (most_ = at_least();; ++most_) {
      if (auto flow = flow_with(most_)) {
        flow_ = *std::move(flow);
        return;
      }
    }
  }

  /// The least load of the busiest link.
  [[nodiscard]] uint64_t most() const { return most_; }
  /// Calls take(kind, link, first piece, end), pieces of the kind's blocks one after another.
  template <typename Take>
  void for_each(Take take) const {
    size_t arc = 0;
    for (size_t k = 0; k < kinds_.size(); ++k) {
      uint64_t dealt = 0;
      for (const uint32_t link : kinds_[k].links) {
        const uint64_t end = dealt + flow_[arc++];
        if (end > dealt) take(k, link, dealt, end);
        dealt = end;
      }
    }
  }

 private:
  // Of any links the busiest has its share of what can come over no others; and that is enough (Hall 1935). Looked at
  // where there are few.
  [[nodiscard]] uint64_t at_least() const {
    uint64_t out = (wanted_ - 1) / num_links_ + 1;
    if (num_links_ > kFewLinks) return out;
    for (uint64_t some = 1; some < uint64_t{1} << num_links_; ++some) {
      uint64_t bound = 0;
      for (const Kind& kind : kinds_)
        if ((kind.mark & ~some) == 0) bound += kind.count * pieces_;
      const auto count = static_cast<uint64_t>(std::popcount(some));
      out = std::max(out, (bound + count - 1) / count);
    }
    return out;
  }

  // First the arcs from blocks to links, in the order of both.
  [[nodiscard]] std::optional<std::vector<uint64_t>> flow_with(uint64_t most) const {
    FlowNetwork network;
    std::vector<uint32_t> link_nodes;
    for (size_t link = 0; link < num_links_; ++link) link_nodes.push_back(network.add_node());
    std::vector<uint32_t> block_nodes;
    for (const Kind& kind : kinds_) {
      block_nodes.push_back(network.add_node());
      for (const uint32_t link : kind.links)
        network.add_arc(block_nodes.back(), link_nodes[link], pieces_ * kind.count);
    }
    for (size_t k = 0; k < kinds_.size(); ++k)
      network.add_arc(FlowNetwork::kSource, block_nodes[k], pieces_ * kinds_[k].count);
    for (const uint32_t link : link_nodes) network.add_arc(link, FlowNetwork::kSink, most);
    return network.flow_of(wanted_);
  }

  std::span<const Kind> kinds_;
  size_t num_links_;
  uint32_t pieces_;
  uint64_t wanted_ = 0;
  uint64_t most_ = 0;
  std::vector<uint64_t> flow_;
};

// Those blocks, each with the links that it may come over. Where there are many nodes blocks with the same links are dealt out
// together.
class Shell {
 public:
  Shell(size_t links, uint32_t pieces, bool together)
      : pieces_(pieces), num_links_(links), together_(together) {}

  void add(uint32_t source, const std::vector<uint32_t>& links) {
    const uint64_t mark = mark_of(links);
    const auto same = [&](const Kind& kind) { return kind.mark == mark && kind.links == links; };
    const auto at = together_ ? std::find_if(kinds_.begin(), kinds_.end(), same) : kinds_.end();
    if (at != kinds_.end()) {
      ++at->count;
      sources_[static_cast<size_t>(at - kinds_.begin())].push_back(source);
    } else {
      kinds_.push_back({links, mark, 1});
      sources_.push_back({source});
    }
  }

  // The least load of the busiest link, and what each carries.
  uint64_t deal(uint32_t step, uint32_t node, std::vector<Entry>& out) const {
    const auto begin = static_cast<ptrdiff_t>(out.size());
    const Dealing dealing(kinds_, num_links_, pieces_);
    dealing.for_each([&](size_t kind, uint32_t link, uint64_t dealt, uint64_t end) {
      while (dealt < end) {
        const auto piece = static_cast<uint32_t>(dealt % pieces_);
        const auto some = static_cast<uint32_t>(std::min<uint64_t>(pieces_ - piece, end - dealt));
        out.push_back({step, node, link, sources_[kind][dealt / pieces_], piece, piece + some});
        dealt += some;
      }
    });
    std::stable_sort(out.begin() + begin, out.end(),
                     [](const Entry& a, const Entry& b) { return a.link < b.link; });
    return dealing.most();
  }

 private:
  uint32_t pieces_;
  size_t num_links_;
  bool together_;
  std::vector<Kind> kinds_;
  std::vector<std::vector<uint32_t>> sources_;  // of each kind
};

// Hops from every source to a node; of a Cayley graph by one search.
class HopsTo {
 public:
  HopsTo(const Topology& topology, bool translated) : topology_(topology), translated_(translated) {
    for (uint32_t v = 0; v < (translated ? 1 : topology.num_nodes()); ++v)
      hops_.push_back(distances_to(topology, NodeId{v}));
  }

  // Of one that is not translated: from each source.
  [[nodiscard]] std::span<const uint32_t> row(NodeId node) const { return hops_[index(node)]; }
  [[nodiscard]] uint32_t get(uint32_t source, NodeId node) const {
    if (!translated_) return hops_[index(node)][source];
    const Group& group = *topology_.cayley()->group;
    return hops_[0][group.multiply(group.inverse(static_cast<uint32_t>(index(node))), source)];
  }

 private:
  const Topology& topology_;
  bool translated_;
  std::vector<std::vector<uint32_t>> hops_;
};

bool are_dealt_together(const Topology& topology) {
  constexpr uint32_t kSmall = 128;
  return topology.num_nodes() > kSmall && topology.cayley() == nullptr;
}

// Calls take(entries) with those of every node and step, the steps of a node one after the other, and then rounds(step, most) with the
// load of the busiest link.
template <typename Take, typename Rounds>
void deal_all(const Problem& problem, const std::vector<std::vector<Link>>& links_of, Take take,
              Rounds rounds) {
  const Topology& topology = problem.topology();
  const bool translated = topology.cayley() != nullptr;
  const bool together = are_dealt_together(topology);
  const HopsTo hops(topology, translated);
  std::vector<Entry> entries;
  for (uint32_t v = 0; v < links_of.size(); ++v) {
    std::vector<Shell> shells;
    std::vector<uint32_t> links;
    for (uint32_t source = 0; source < topology.num_nodes(); ++source) {
      const uint32_t distance = hops.get(source, NodeId{v});
      if (distance == 0) continue;
      links.clear();
      for (uint32_t link = 0; link < links_of[v].size(); ++link)
        if (hops.get(source, links_of[v][link].from) + 1 == distance) links.push_back(link);
      if (shells.size() < distance)
        shells.resize(distance, Shell(links_of[v].size(), problem.collective().pieces(), together));
      shells[distance - 1].add(source, links);
    }
    for (uint32_t t = 0; t < shells.size(); ++t) {
      entries.clear();
      const uint64_t most = shells[t].deal(t, v, entries);
      take(entries);
      rounds(t, most);
    }
  }
}

// What is dealt out at nodes with few links, known without the blocks themselves: how many there are of each kind. Shells of many nodes
// are alike.
class CountedShells {
 public:
  CountedShells(const Problem& problem, const std::vector<std::vector<Link>>& links_of)
      : topology_(problem.topology()), pieces_(problem.collective().pieces()), links_of_(links_of) {}

  // What a shell comes to.
  struct Dealt {
    uint64_t most = 0;
    size_t entries = 0;
    std::array<uint64_t, kFewLinks> load{};
  };
  // Calls take(node, step, dealt).
  template <typename Take>
  void for_each(Take take) {
    const HopsTo hops(topology_, false);
    for (uint32_t v = 0; v < links_of_.size(); ++v) {
      const std::vector<std::vector<Key>>& shells = count(hops, v);
      for (uint32_t t = 0; t < num_shells_; ++t) take(v, t, dealt(links_of_[v].size(), shells[t]));
    }
  }

 private:
  // Links, a bit each, and how many blocks may come over them.
  struct Key {
    uint32_t links;
    uint32_t count;
    friend auto operator<=>(const Key&, const Key&) = default;
  };

  // By step, the kinds in the order in which they are first met.
  const std::vector<std::vector<Key>>& count(const HopsTo& hops, uint32_t v) {
    const std::span<const uint32_t> from_here = hops.row(NodeId{v});
    std::vector<std::span<const uint32_t>> from_neighbours;
    for (const Link& link : links_of_[v]) from_neighbours.push_back(hops.row(link.from));
    for (std::vector<Key>& shell : shells_) shell.clear();
    num_shells_ = 0;
    for (uint32_t source = 0; source < topology_.num_nodes(); ++source) {
      const uint32_t distance = from_here[source];
      if (distance == 0) continue;
      uint32_t links = 0;
      for (size_t link = 0; link < from_neighbours.size(); ++link)
        links |= from_neighbours[link][source] + 1 == distance ? 1U << link : 0U;
      num_shells_ = std::max(num_shells_, distance);
      if (shells_.size() < distance) shells_.resize(distance);
      std::vector<Key>& shell = shells_[distance - 1];
      const auto at = std::ranges::find(shell, links, &Key::links);
      at == shell.end() ? shell.push_back({links, 1}) : static_cast<void>(++at->count);
    }
    return shells_;
  }

  const Dealt& dealt(size_t links, const std::vector<Key>& shell) {
    const auto [at, is_new] = known_.try_emplace({links, shell});
    if (!is_new) return at->second;
    std::vector<Kind> kinds;
    for (const Key& key : shell) {
      Kind kind{{}, key.links, key.count};
      for (uint32_t link = 0; link < links; ++link)
        if ((key.links >> link & 1U) != 0) kind.links.push_back(link);
      kinds.push_back(std::move(kind));
    }
    const Dealing dealing(kinds, links, pieces_);
    Dealt& out = at->second;
    out.most = dealing.most();
    dealing.for_each([&](size_t /*kind*/, uint32_t link, uint64_t first, uint64_t end) {
      out.load[link] += end - first;
      out.entries += (end + pieces_ - 1) / pieces_ - first / pieces_;
    });
    return out;
  }

  const Topology& topology_;
  uint32_t pieces_;
  const std::vector<std::vector<Link>>& links_of_;
  std::vector<std::vector<Key>> shells_{};
  uint32_t num_shells_ = 0;
  std::map<std::pair<size_t, std::vector<Key>>, Dealt> known_{};
};

// The entries themselves, which on a mesh of a thousand nodes are 50 to 100 MB, are made once somebody wants the plan: as a rule
// another one is better.
Shells shells_of(const Problem& problem) {
  const Topology& topology = problem.topology();
  Shells out;
  out.translated = topology.cayley() != nullptr;
  out.links = links_into(topology, out.translated);
  out.load.assign(topology.num_arcs(), 0);
  const auto note = [&](uint32_t step, uint64_t most, size_t entries) {
    if (out.rounds.size() <= step) {
      out.rounds.resize(step + 1, 0);
      out.entries_of_step.resize(step + 1, 0);
    }
    out.rounds[step] = std::max(out.rounds[step], most);
    out.entries_of_step[step] += entries;
  };
  if (are_dealt_together(topology) && most_links_in(topology) <= kFewLinks) {
    CountedShells(problem, out.links)
        .for_each([&](uint32_t node, uint32_t step, const CountedShells::Dealt& dealt) {
          for (size_t link = 0; link < out.links[node].size(); ++link)
            out.load[index(out.links[node][link].arc)] += dealt.load[link];
          note(step, dealt.most, dealt.entries);
        });
    return out;
  }
  size_t last = 0;
  const auto take = [&](const std::vector<Entry>& entries) {
    for (const Entry& entry : entries)
      out.load[index(out.links[entry.node][entry.link].arc)] += entry.end_piece - entry.first_piece;
    last = entries.size();
  };
  deal_all(problem, out.links, take, [&](uint32_t step, uint64_t most) { note(step, most, last); });
  return out;
}

// By step, node, link: within a step in the order in which they are dealt out.
std::vector<Entry> entries_of(const Problem& problem, const Shells& shells) {
  std::vector<size_t> next(shells.rounds.size(), 0);
  size_t all = 0;
  for (size_t t = 0; t < next.size(); ++t) next[t] = std::exchange(all, all + shells.entries_of_step[t]);
  std::vector<Entry> out(all);
  const auto take = [&](const std::vector<Entry>& entries) {
    for (const Entry& entry : entries) out[next[entry.step]++] = entry;
  };
  deal_all(problem, shells.links, take, [](uint32_t /*step*/, uint64_t /*most*/) {});
  return out;
}

struct AskedShells {
  Topology topology;
  uint32_t pieces;
  std::shared_ptr<const Shells> shells;

  // Of a Cayley graph they are those of one node.
  [[nodiscard]] bool are_of(const Problem& problem) const {
    return pieces == problem.collective().pieces() && topology.cayley() == problem.topology().cayley() &&
           topology.same_graph(problem.topology());
  }
};

// Machines of one packet and of many, worms, and whoever borrows from them ask for the same shells, on whichever thread: those
// asked for last are kept.
std::shared_ptr<const Shells> kept_shells(const Problem& problem) {
  constexpr size_t kMostKept = 4;  // in one piece, in as many as a node has links, and between
  static std::mutex mutex;
  static std::deque<AskedShells> kept;
  {
    const std::lock_guard lock(mutex);
    for (const AskedShells& asked : kept)
      if (asked.are_of(problem)) return asked.shells;
  }
  auto made = std::make_shared<const Shells>(shells_of(problem));
  const std::lock_guard lock(mutex);
  kept.push_front({problem.topology(), problem.collective().pieces(), made});
  if (kept.size() > kMostKept) kept.pop_back();
  return made;
}

uint64_t steps_of(const Topology& topology) {
  static LastAnswers<bool, uint64_t> kept(8);
  return kept.of(topology, true, [&] { return distance_summary(topology).diameter; });
}

using KeptShells = std::shared_ptr<const Shells>;

// What shells take at least: steps to the farthest node, which are soon known, and then rounds: on a large network by searches from all
// nodes, which lenders would have done a dozen times.
bool are_worth_making(const Problem& problem) {
  const Topology& net = problem.topology();
  const uint64_t farthest = steps_of(net);
  if (!WorthMaking::is_any_of(farthest)) return false;
  static LastAnswers<std::pair<uint32_t, Ports>, uint64_t> rounds(8);
  const uint64_t least = rounds.of(net, {problem.collective().pieces(), problem.model().receive},
                                   [&] { return swarm_at_least(problem); });
  return WorthMaking::is_any_of(farthest, least);
}

Prediction predicted(const Problem& problem, Once<KeptShells>& made) {
  if (!made.is_made() && WorthMaking::is_limited() && !are_worth_making(problem)) return {};
  const Shells& shells = *made.get();
  uint64_t blocks = 0;
  for (const uint64_t most : shells.rounds) blocks += most;
  return {.steps = shells.rounds.size(),
          .start_ups = shells.rounds.size(),
          .busiest_link = shells.load.empty() ? 0 : *std::max_element(shells.load.begin(), shells.load.end()),
          .critical_blocks = blocks,
          .critical_hops = shells.rounds.size()};
}

// The entries over one link in one step, for one node or for all.
class ShellStep {
 public:
  ShellStep(const Problem& problem, const Shells& shells) : problem_(problem), shells_(shells) {}

  void add(std::span<const Entry> entries) {
    const Link& link = shells_.links[entries.front().node][entries.front().link];
    if (!shells_.translated) return add_at(0, link.arc, entries);
    const CayleyStructure& cayley = *problem_.topology().cayley();
    for (uint32_t a = 0; a < problem_.topology().num_nodes(); ++a) {
      const NodeId from{a == 0 ? static_cast<uint32_t>(index(link.from))
                               : cayley.group->multiply(a, static_cast<uint32_t>(index(link.from)))};
      add_at(a, *problem_.topology().find_arc(from, NodeId{a}), entries);
    }
  }
  void flush(StepSink& sink) { step_.flush(sink); }

 private:
  void add_at(uint32_t translation, ArcId arc, std::span<const Entry> entries) {
    blocks_.clear();
    for (const Entry& entry : entries) {
      const uint32_t source = translation == 0
                                  ? entry.source
                                  : problem_.topology().cayley()->group->multiply(translation, entry.source);
      for (uint32_t piece = entry.first_piece; piece < entry.end_piece; ++piece)
        blocks_.push_back(problem_.collective().block(Rank{source}, piece));
    }
    step_.add({&arc, 1}, blocks_);
  }

  const Problem& problem_;
  const Shells& shells_;
  StepBuilder step_;
  std::vector<BlockId> blocks_;
};

void generate(const Problem& problem, const KeptShells& shells, StepSink& sink) {
  ShellStep step(problem, *shells);
  const std::vector<Entry> all = entries_of(problem, *shells);
  for (size_t i = 0, end = 0; i < all.size(); i = end) {
    while (end < all.size() && all[end].step == all[i].step && all[end].node == all[i].node &&
           all[end].link == all[i].link)
      ++end;
    step.add(std::span(all).subspan(i, end - i));
    if (end == all.size() || all[end].step != all[i].step) step.flush(sink);
  }
}

// Distances that are kept, and looked at for every link.
constexpr uint64_t kMostSearched = uint64_t{1} << 26U;
constexpr uint64_t kMostLinks = 4096;

Applicability applies(const Problem& problem) {
  if (Applicability fits = bundles_over_all_links(problem); !fits.applies) return fits;
  const Topology& topology = problem.topology();
  if (const uint64_t links = most_links_in(topology); links > kMostLinks) {
    return Applicability::no(
        fmt::format("it deals blocks out to single links: up to {} into a node, {} has {}",
                    with_thousands(kMostLinks), topology.name(), with_thousands(links)));
  }
  if (topology.cayley() != nullptr) return Applicability::yes();
  const uint64_t searched = uint64_t{topology.num_arcs()} * topology.num_nodes();
  if (searched <= kMostSearched) return Applicability::yes();
  return Applicability::no(
      fmt::format("it looks at the distance of every node to every link: up to {} pairs, {} has {}",
                  with_thousands(kMostSearched), topology.name(), with_thousands(searched)));
}

// Of a Cayley graph one node's are found in a moment.
Preparation prepare(const Problem& problem) {
  const Effort effort = problem.topology().cayley() == nullptr ? some_at_large(problem) : Effort::kLittle;
  PreparedPlan plan = sharing(problem, kept_shells, predicted, generate, effort);
  plan->takes_at_least(steps_of(problem.topology()));
  return Preparation::of(std::move(plan));
}

// As many as links into a node, so that they can share a block equally.
Chunking chunks(const Problem& problem) {
  return {.unit =
              static_cast<uint32_t>(std::clamp<uint64_t>(most_links_in(problem.topology()), 1, kMostLinks))};
}

}  // namespace
}  // namespace allgather_shells_parts

constinit const Algorithm allgather_shells = {
    .name = "allgather_shells",
    .collective = CollectiveKind::kAllgather,
    .summary = "in step t every node receives all blocks from distance t, shared evenly among its links",
    .source = "breadth-first broadcast, arXiv 2202.03356",
    .remarks =
        "any network without routers, all ports; as many steps as the diameter; on tori and hypercubes with as "
        "many chunks as links at most a few in a hundred above (N-1)/degree blocks over a link, and mostly "
        "exactly that",
    .applies = allgather_shells_parts::applies,
    .chunks = allgather_shells_parts::chunks,
    .prepare = allgather_shells_parts::prepare,
};

}  // namespace quadrille::algorithms
