// Topology: where messages travel.
//
// A topology is an immutable directed graph. Nodes are 0 .. num_nodes()-1, arcs 0 .. num_arcs()-1, sorted by
// tail and, for one tail, by head; everything known about a node or an arc lies in an array beside the graph:
//
//     const Topology net = parse_topology("torus(4,4)");
//     std::vector<uint32_t> load(net.num_arcs());
//     for (ArcId arc : net.arcs_from(NodeId{0})) load[index(arc)] += 1;
//
// An arc has a capacity: how many transfers may share it in one step. Parallel arcs of a file are one arc
// with the sum of their capacities. Nodes are endpoints (they take part in a collective: the i-th endpoint is
// rank i) or routers (they only forward). Where the structure of the graph is known it is kept: the factors
// of a product, the group of a Cayley graph, the levels of a tree; algorithms and bounds ask for it and work
// on nothing else.
//
// A Topology is a handle on shared immutable data: copies are cheap and safe between threads. It has no
// removal, no renaming and no edits: build another one.
//
// An outline (topology/products/outline.h) is a product too large to be listed: it has nodes, factors and a name, and
// whoever asks it for a link, or for a list of its nodes, gets an OutlineError.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "quadrille/base/ids.h"
#include "quadrille/topology/cayley/group.h"

namespace quadrille {

class Topology;
struct LinkRates;

/// G = G_1 x ... x G_d. Node (v_1, .., v_d) has the row-major number, last coordinate fastest; two nodes are
/// linked iff they differ in exactly one coordinate i, and there by a link of G_i, whose capacity they
/// inherit.
struct ProductStructure {
  std::vector<Topology> factors;
  /// strides[i]: how far apart two nodes are numbered that differ by one in coordinate i.
  std::vector<uint32_t> strides;

  [[nodiscard]] uint32_t coordinate(NodeId node, size_t dimension) const;
  [[nodiscard]] NodeId with_coordinate(NodeId node, size_t dimension, uint32_t value) const;
};

/// Nodes are the elements of a group, node x has an arc to x*g for every generator g. The set of generators
/// is closed under inverses and has not the identity. Left translations x -> a*x are automorphisms: all nodes
/// look alike.
struct CayleyStructure {
  std::shared_ptr<const Group> group;
  std::vector<uint32_t> generators;  ///< elements of the group, ascending

  /// Position in `generators` of each generator's inverse.
  std::vector<uint32_t> inverses;
  /// arcs[x * generators.size() + k] leads from x to x * generators[k].
  std::vector<ArcId> arcs;

  /// Empty in an outline, where asking for one is an OutlineError.
  [[nodiscard]] ArcId arc(NodeId x, size_t generator) const {
    if (arcs.empty()) [[unlikely]]
      refuse_arc();
    return arcs[index(x) * generators.size() + generator];
  }

 private:
  [[noreturn]] static void refuse_arc();
};

/// A complete tree: level 0 are the leaves, the one node of level height() is the root. A node of level l >=
/// 1 has arity[l-1] children on level l-1, and the link between levels l-1 and l has capacity[l-1] in each
/// direction. Numbering: level by level from the leaves upwards, left to right.
struct TreeStructure {
  std::vector<uint32_t> arity;
  std::vector<uint32_t> capacity;
  /// first[l]: number of the leftmost node of level l; first[height()+1] = number of nodes.
  std::vector<uint32_t> first;

  [[nodiscard]] uint32_t height() const { return static_cast<uint32_t>(arity.size()); }
  [[nodiscard]] uint32_t level(NodeId node) const;
  /// The parent of a node that is not the root.
  [[nodiscard]] NodeId parent(NodeId node) const;
};

class Topology {
 public:
  /// Its text spec, "torus(4,4)": parse_topology(name()) gives the same topology again.
  [[nodiscard]] const std::string& name() const { return data_->name; }

  /// Whether its links are not listed.
  [[nodiscard]] bool is_outline() const { return data_->is_outline; }

  [[nodiscard]] uint32_t num_nodes() const { return data_->num_nodes; }
  [[nodiscard]] uint32_t num_arcs() const {
    require_links();
    return static_cast<uint32_t>(data_->head.size());
  }
  [[nodiscard]] IdRange<NodeId> nodes() const { return {0, num_nodes()}; }
  [[nodiscard]] IdRange<ArcId> arcs() const { return {0, num_arcs()}; }

  /// Arcs that leave a node, heads ascending.
  [[nodiscard]] IdRange<ArcId> arcs_from(NodeId node) const {
    require_links();
    return {data_->arcs_begin[index(node)], data_->arcs_begin[index(node) + 1]};
  }
  [[nodiscard]] uint32_t out_degree(NodeId node) const { return arcs_from(node).size(); }
  [[nodiscard]] NodeId tail(ArcId arc) const { return data_->tail[index(arc)]; }
  [[nodiscard]] NodeId head(ArcId arc) const { return data_->head[index(arc)]; }
  [[nodiscard]] uint32_t capacity(ArcId arc) const { return data_->capacity[index(arc)]; }
  /// The arc back, or kNoArc in a directed graph that has none.
  [[nodiscard]] ArcId reverse(ArcId arc) const { return data_->reverse[index(arc)]; }
  /// The arc from one node to another, by binary search.
  [[nodiscard]] std::optional<ArcId> find_arc(NodeId from, NodeId to) const;
  /// The same as arrays, for loops over many arcs.
  [[nodiscard]] std::span<const NodeId> tails() const {
    require_links();
    return data_->tail;
  }
  [[nodiscard]] std::span<const NodeId> heads() const {
    require_links();
    return data_->head;
  }
  /// The smallest and the largest of all arcs.
  [[nodiscard]] std::pair<uint32_t, uint32_t> capacity_range() const {
    require_links();
    return {data_->narrowest, data_->widest};
  }
  [[nodiscard]] std::span<const uint32_t> capacities() const {
    require_links();
    return data_->capacity;
  }
  /// True if some link has no way back.
  [[nodiscard]] bool is_directed() const { return data_->directed; }

  [[nodiscard]] uint32_t num_endpoints() const {
    return is_outline() ? num_nodes() : static_cast<uint32_t>(data_->endpoints.size());
  }
  [[nodiscard]] std::span<const NodeId> endpoints() const {
    require_links();
    return data_->endpoints;
  }
  [[nodiscard]] NodeId endpoint(Rank rank) const {
    return is_outline() ? id_at<NodeId>(index(rank)) : data_->endpoints[index(rank)];
  }
  /// The rank of an endpoint; nothing for a router.
  [[nodiscard]] std::optional<Rank> rank(NodeId node) const;
  [[nodiscard]] bool has_routers() const { return num_endpoints() != num_nodes(); }

  /// How people call the node: "(1,3)", "2013", "router 2.0", a name from a file, or its number.
  [[nodiscard]] std::string label(NodeId node) const;

  /// Structure where it is known, else null.
  [[nodiscard]] const ProductStructure* product() const {
    return data_->product ? &*data_->product : nullptr;
  }
  [[nodiscard]] const CayleyStructure* cayley() const { return data_->cayley ? &*data_->cayley : nullptr; }
  [[nodiscard]] const TreeStructure* tree() const { return data_->tree ? &*data_->tree : nullptr; }

  /// Bandwidths and latencies, where whoever described the graph gave them (topology/link_rates.h); else null.
  [[nodiscard]] const LinkRates* link_rates() const { return data_->link_rates.get(); }
  /// What the user should know of how the graph was read, a sentence each: attributes that mean nothing here, perhaps.
  [[nodiscard]] std::span<const std::string> remarks() const { return data_->remarks; }
  /// The same network with these.
  [[nodiscard]] Topology with(std::shared_ptr<const LinkRates> link_rates,
                              std::vector<std::string> remarks) const;

  /// Same nodes, endpoints, arcs and capacities; names, labels and structure may differ. An outline is the same graph as
  /// an outline of the same factors, and as no other.
  [[nodiscard]] bool same_graph(const Topology& other) const;
  /// Made by the same builder: then everything is the same. False says nothing.
  [[nodiscard]] bool is_copy_of(const Topology& other) const { return data_ == other.data_; }

 private:
  friend class TopologyBuilder;

  struct Data {
    std::string name;
    uint32_t num_nodes = 0;
    bool is_outline = false;
    std::vector<uint32_t> arcs_begin;  // num_nodes + 1
    std::vector<NodeId> tail;
    std::vector<NodeId> head;
    std::vector<uint32_t> capacity;
    uint32_t narrowest = 1;
    uint32_t widest = 1;
    std::vector<ArcId> reverse;
    std::vector<NodeId> endpoints;  // ascending
    std::vector<Rank> rank;         // per node; empty when every node is an endpoint
    std::vector<std::string> labels;
    bool directed = false;
    std::optional<ProductStructure> product;
    std::optional<CayleyStructure> cayley;
    std::optional<TreeStructure> tree;
    std::shared_ptr<const LinkRates> link_rates;
    std::vector<std::string> remarks;
  };

  explicit Topology(std::shared_ptr<const Data> data) : data_(std::move(data)) {}

  void require_links() const {
    if (data_->is_outline) [[unlikely]]
      refuse_links();
  }
  [[noreturn]] void refuse_links() const;

  std::shared_ptr<const Data> data_;
};

/// Collects nodes and links, and makes the topology.
///
///     TopologyBuilder builder("path", 3);
///     builder.link(NodeId{0}, NodeId{1});
///     builder.link(NodeId{1}, NodeId{2});
///     const Topology path = builder.build();
class TopologyBuilder {
 public:
  /// Throws InputError when there are no nodes or more than 32-bit ids can name.
  TopologyBuilder(std::string name, uint64_t num_nodes);

  /// Room for that many arcs, so that they are stored without growing.
  void reserve_arcs(uint64_t arcs);
  /// An arc; `capacity` adds to that of an equal arc. Throws InputError for a self loop, a capacity of 0, a
  /// node that does not exist.
  void arc(NodeId tail, NodeId head, uint32_t capacity = 1);
  /// Both arcs between two nodes.
  void link(NodeId a, NodeId b, uint32_t capacity = 1);
  /// Makes exactly these nodes endpoints, the others routers; without it every node is an endpoint.
  /// Duplicates and nodes that do not exist are an InputError.
  void endpoints(std::vector<NodeId> nodes);
  /// One label per node.
  void labels(std::vector<std::string> labels);

  /// The graph is a product: see ProductStructure. Links are the caller's.
  void product(std::vector<Topology> factors);
  /// The graph is a Cayley graph: call it instead of arc() and link(); it adds all arcs, with capacity 1
  /// (with `capacities`, one per generator). Throws InputError for the identity as generator or a missing
  /// inverse.
  void cayley(std::shared_ptr<const Group> group, std::vector<uint32_t> generators,
              std::vector<uint32_t> capacities = {});
  /// The graph is already linked like the Cayley graph of this group: only remembers it (checked arc by arc).
  void also_cayley(std::shared_ptr<const Group> group, std::vector<uint32_t> generators);
  /// The graph is a complete tree: adds all links, and makes the leaves the endpoints if `routers`.
  void tree(std::vector<uint32_t> arity, std::vector<uint32_t> capacity, bool routers);

  /// Throws InputError when not every node can reach every other. The builder is used up.
  [[nodiscard]] Topology build();
  /// Without links, of which none may have been given: product() says what the graph is, and also_cayley() may. All nodes
  /// are endpoints. The builder is used up.
  [[nodiscard]] Topology build_outline();

 private:
  struct PendingArc {
    NodeId tail;
    NodeId head;
    uint32_t capacity;
  };

  void sort_arcs();
  void find_reverses();
  void check_connected() const;
  void index_generators();

  Topology::Data data_;
  uint32_t num_nodes_;
  std::vector<PendingArc> pending_;
};

}  // namespace quadrille
