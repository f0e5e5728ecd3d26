#include "quadrille/topology/queries/sparse_cuts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "quadrille/base/random.h"
#include "quadrille/base/text.h"
#include "quadrille/topology/queries/distances.h"
#include "quadrille/topology/queries/separations.h"

namespace quadrille {
namespace {

constexpr size_t kCorners = 4;
constexpr size_t kVectors = 6;
constexpr size_t kMixtures = 24;
constexpr size_t kImproved = 8;
constexpr uint64_t kSpectralWork = 12'000'000;  // arcs looked at for eigenvectors
constexpr uint64_t kMoveWork = 24'000'000;      // nodes looked at for moves
constexpr size_t kMovesBack = 64;               // in a row without a new best

// A set of nodes, the capacities across, and what they become when one more node changes sides.
class Sides {
 public:
  Sides(const Topology& topology, const CutSearch& search)
      : topology_(topology),
        search_(search),
        into_(size_t{topology.num_nodes()} + 1, 0),
        counts_(topology.num_nodes(), 0) {
    for (const NodeId v : topology.endpoints()) counts_[index(v)] = 1;
    for (const ArcId arc : topology.arcs()) ++into_[index(topology.head(arc)) + 1];
    for (size_t v = 1; v < into_.size(); ++v) into_[v] += into_[v - 1];
    arcs_into_.resize(topology.num_arcs());
    std::vector<uint32_t> next(into_.begin(), into_.end() - 1);
    for (const ArcId arc : topology.arcs()) arcs_into_[next[index(topology.head(arc))]++] = arc;
    reset(std::vector<char>(topology.num_nodes(), 0));
  }

  void reset(std::vector<char> side) {
    side_ = std::move(side);
    out_ = in_ = 0;
    nodes_ = inside_ = 0;
    for (const NodeId v : topology_.nodes()) {
      if (side_[index(v)] == 0) continue;
      ++nodes_;
      inside_ += counts_[index(v)];
    }
    for (const ArcId arc : topology_.arcs()) {
      const char from = side_[index(topology_.tail(arc))];
      const char to = side_[index(topology_.head(arc))];
      out_ += from > to ? topology_.capacity(arc) : 0;
      in_ += from < to ? topology_.capacity(arc) : 0;
    }
    changes_.clear();
  }

  void move(NodeId v) {
    const Change change = changes_.empty() ? change_by(v) : changes_[index(v)];
    out_ += change.out;
    in_ += change.in;
    const bool leaves = side_[index(v)] != 0;
    side_[index(v)] = leaves ? 0 : 1;
    nodes_ += leaves ? -1 : 1;
    inside_ += leaves ? -counts_[index(v)] : counts_[index(v)];
    if (!changes_.empty()) tell_neighbours(v);
  }

  /// Before many are asked what they are worth: what each would change is kept until the next reset.
  void look_at_all() {
    changes_.reserve(topology_.num_nodes());
    for (const NodeId v : topology_.nodes()) changes_.push_back(change_by(v));
  }

  // 0 where there is no cut.
  [[nodiscard]] double worth() const { return worth_of(nodes_, inside_, out_, in_, marked_inside()); }
  [[nodiscard]] double worth_after(NodeId v) const {
    const Change& change = changes_[index(v)];
    const int64_t by = side_[index(v)] != 0 ? -1 : 1;
    const bool marked = v == search_.marked ? !marked_inside() : marked_inside();
    return worth_of(nodes_ + by, inside_ + counts_[index(v)] * by, out_ + change.out, in_ + change.in,
                    marked);
  }
  [[nodiscard]] const std::vector<char>& side() const { return side_; }

 private:
  struct Change {
    int64_t out = 0;
    int64_t in = 0;
  };

  [[nodiscard]] Change change_by(NodeId v) const {
    Change change;
    const char mine = side_[index(v)];
    // An arc to the side that v leaves crosses afterwards, one to the other side no more.
    for (const ArcId arc : topology_.arcs_from(v)) {
      const int64_t capacity = topology_.capacity(arc);
      const bool same = side_[index(topology_.head(arc))] == mine;
      (same == (mine == 0) ? change.out : change.in) += same ? capacity : -capacity;
    }
    for (uint32_t i = into_[index(v)]; i < into_[index(v) + 1]; ++i) {
      const int64_t capacity = topology_.capacity(arcs_into_[i]);
      const bool same = side_[index(topology_.tail(arcs_into_[i]))] == mine;
      (same == (mine == 0) ? change.in : change.out) += same ? capacity : -capacity;
    }
    return change;
  }

  // It has changed sides: so do its links, of what it and its neighbours would change.
  void tell_neighbours(NodeId v) {
    changes_[index(v)] = change_by(v);
    for (const ArcId arc : topology_.arcs_from(v))
      changes_[index(topology_.head(arc))] = change_by(topology_.head(arc));
    for (uint32_t i = into_[index(v)]; i < into_[index(v) + 1]; ++i)
      changes_[index(topology_.tail(arcs_into_[i]))] = change_by(topology_.tail(arcs_into_[i]));
  }

  [[nodiscard]] bool marked_inside() const {
    return search_.marked != kNoNode && side_[index(search_.marked)] != 0;
  }
  [[nodiscard]] double worth_of(int64_t nodes, int64_t inside, int64_t out, int64_t in, bool marked) const {
    if (nodes == 0 || nodes == topology_.num_nodes()) return 0;
    return search_.worth(static_cast<uint32_t>(inside), marked,
                         {static_cast<uint64_t>(out), static_cast<uint64_t>(in)});
  }

  const Topology& topology_;
  const CutSearch& search_;
  std::vector<uint32_t> into_;
  std::vector<ArcId> arcs_into_;
  std::vector<int64_t> counts_;  // 1 for an endpoint
  std::vector<char> side_;
  std::vector<Change> changes_{};  // by each node
  int64_t nodes_ = 0;
  int64_t inside_ = 0;
  int64_t out_ = 0;
  int64_t in_ = 0;
};

struct Found {
  double worth = 0;
  std::vector<char> side;
};

// --- orders ---------------------------------------------------------------------------------------------

std::vector<NodeId> sorted_by(const std::vector<double>& value) {
  std::vector<NodeId> order;
  for (size_t v = 0; v < value.size(); ++v) order.push_back(id_at<NodeId>(v));
  std::stable_sort(order.begin(), order.end(),
                   [&](NodeId a, NodeId b) { return value[index(a)] < value[index(b)]; });
  return order;
}

// By distance from one corner, then from the corner farthest from all before.
std::vector<std::vector<NodeId>> orders_from_corners(const Topology& topology) {
  std::vector<std::vector<NodeId>> out;
  std::vector<uint32_t> nearest(topology.num_nodes(), UINT32_MAX);
  NodeId corner{0};
  for (size_t i = 0; i < kCorners; ++i) {
    const std::vector<uint32_t> hops = distances_from(topology, corner);
    out.push_back(sorted_by(std::vector<double>(hops.begin(), hops.end())));
    for (size_t v = 0; v < hops.size(); ++v) nearest[v] = std::min(nearest[v], hops[v]);
    corner = id_at<NodeId>(std::max_element(nearest.begin(), nearest.end()) - nearest.begin());
    if (i == 0) nearest.assign(nearest.size(), UINT32_MAX);  // the first was no corner yet
    if (nearest[index(corner)] == 0) break;
  }
  return out;
}

// The vectors that change least over the links, by subspace iteration; only sums, products and roots, so that
// they are the same everywhere.
class Spectrum {
 public:
  // Of a small network the last ones are kept, since cuts are looked for again for every collective.
  static Spectrum of(const Topology& topology) {
    constexpr uint32_t kMostNodesKept = 128;
    thread_local std::optional<Spectrum> last;
    if (!last || !last->topology_.is_copy_of(topology)) {
      if (topology.num_nodes() > kMostNodesKept) return Spectrum(topology);
      last.emplace(topology);
    }
    return *last;
  }

  explicit Spectrum(const Topology& topology) : topology_(topology), degree_(topology.num_nodes(), 0.0) {
    for (const ArcId arc : topology.arcs()) {
      degree_[index(topology.tail(arc))] += topology.capacity(arc);
      degree_[index(topology.head(arc))] += topology.capacity(arc);
    }
    most_ = *std::max_element(degree_.begin(), degree_.end());
    const size_t wanted = std::min<size_t>(kVectors, topology.num_nodes() - 1);
    for (size_t i = 0; i < wanted; ++i) {
      std::vector<double> vector;
      for (uint32_t v = 0; v < topology.num_nodes(); ++v)
        vector.push_back(static_cast<double>(rng_.below(2'000'001)) - 1'000'000.0);
      vectors_.push_back(std::move(vector));
    }
    const uint64_t a_round = (uint64_t{topology.num_arcs()} + wanted * topology.num_nodes()) * wanted + 1;
    const uint64_t rounds = std::clamp<uint64_t>(kSpectralWork / a_round, 12, 300);
    straighten();
    for (uint64_t round = 0; round < rounds; ++round) {
      for (std::vector<double>& vector : vectors_) multiply(vector);
      straighten();
    }
    turn_to_eigenvectors();
  }

  [[nodiscard]] const std::vector<std::vector<double>>& vectors() const { return vectors_; }

  [[nodiscard]] std::vector<double> mixture() {
    std::vector<double> out(topology_.num_nodes(), 0.0);
    for (const std::vector<double>& vector : vectors_) {
      const double share = static_cast<double>(rng_.below(2001)) - 1000.0;
      for (size_t v = 0; v < out.size(); ++v) out[v] += share * vector[v];
    }
    return out;
  }

 private:
  // By 2 most - Laplacian.
  void multiply(std::vector<double>& vector) {
    scratch_.resize(vector.size());
    for (size_t v = 0; v < vector.size(); ++v) scratch_[v] = (2.0 * most_ - degree_[v]) * vector[v];
    for (const ArcId arc : topology_.arcs()) {
      const size_t tail = index(topology_.tail(arc));
      const size_t head = index(topology_.head(arc));
      const double capacity = topology_.capacity(arc);
      scratch_[tail] += capacity * vector[head];
      scratch_[head] += capacity * vector[tail];
    }
    vector.swap(scratch_);
  }

  // At right angles to each other and to what is the same everywhere, and of length one.
  void straighten() {
    for (size_t i = 0; i < vectors_.size(); ++i) {
      std::vector<double>& vector = vectors_[i];
      const double mean =
          std::accumulate(vector.begin(), vector.end(), 0.0) / static_cast<double>(vector.size());
      for (double& x : vector) x -= mean;
      for (size_t j = 0; j < i; ++j) {
        const double along = std::inner_product(vector.begin(), vector.end(), vectors_[j].begin(), 0.0);
        for (size_t v = 0; v < vector.size(); ++v) vector[v] -= along * vectors_[j][v];
      }
      const double length = std::sqrt(std::inner_product(vector.begin(), vector.end(), vector.begin(), 0.0));
      for (double& x : vector) x = length > 0 ? x / length : 0;
    }
  }

  // What is spanned has been found long before each vector by itself, above all where a network is nearly
  // symmetric: of a torus with a fault the one that matters bends at the fault. So the small matrix of how they
  // vary together is diagonalised (Jacobi), and they are turned with it.
  void turn_to_eigenvectors() {
    const size_t k = vectors_.size();
    std::vector<std::vector<double>> matrix(k, std::vector<double>(k));
    for (size_t i = 0; i < k; ++i) {
      std::vector<double> image = vectors_[i];
      multiply(image);
      for (size_t j = 0; j < k; ++j)
        matrix[i][j] = std::inner_product(image.begin(), image.end(), vectors_[j].begin(), 0.0);
    }
    for (int sweep = 0; sweep < 12; ++sweep) {
      for (size_t p = 0; p < k; ++p) {
        for (size_t q = p + 1; q < k; ++q) rotate(p, q, matrix);
      }
    }
  }
  // Makes matrix[p][q] zero.
  void rotate(size_t p, size_t q, std::vector<std::vector<double>>& matrix) {
    if (matrix[p][q] == 0) return;
    const double half = (matrix[q][q] - matrix[p][p]) / (2 * matrix[p][q]);
    const double tangent = (half < 0 ? -1 : 1) / (std::abs(half) + std::sqrt(half * half + 1));
    const double cosine = 1 / std::sqrt(tangent * tangent + 1);
    const double sine = tangent * cosine;
    const auto turn = [&](double& a, double& b) {
      const double before = a;
      a = cosine * before - sine * b;
      b = sine * before + cosine * b;
    };
    for (size_t i = 0; i < matrix.size(); ++i) turn(matrix[i][p], matrix[i][q]);
    for (size_t i = 0; i < matrix.size(); ++i) turn(matrix[p][i], matrix[q][i]);
    for (size_t v = 0; v < vectors_[p].size(); ++v) turn(vectors_[p][v], vectors_[q][v]);
  }

  Topology topology_;
  Rng rng_{20};
  std::vector<double> degree_;
  double most_ = 0;
  std::vector<std::vector<double>> vectors_;
  std::vector<double> scratch_;
};

// --- the search -----------------------------------------------------------------------------------------

class SparseCuts {
 public:
  SparseCuts(const Topology& topology, const CutSearch& search)
      : topology_(topology), sides_(topology, search) {}

  std::vector<Found> run() {
    bridges();
    std::vector<NodeId> as_numbered;
    for (const NodeId v : topology_.nodes()) as_numbered.push_back(v);
    sweep(as_numbered);
    for (const std::vector<NodeId>& order : orders_from_corners(topology_)) sweep(order);
    Spectrum spectrum = Spectrum::of(topology_);
    for (const std::vector<double>& vector : spectrum.vectors()) sweep(sorted_by(vector));
    for (size_t i = 0; i < kMixtures; ++i) sweep(sorted_by(spectrum.mixture()));
    keep_best(kImproved);
    const uint64_t tries = kMoveWork / kImproved;
    for (Found& found : found_) improve(found, tries);
    keep_best(kImproved);
    return std::move(found_);
  }

 private:
  // Those that part the network most evenly first: where all are alike these are worth most, or the others.
  void bridges() {
    const Separations around(topology_);
    std::vector<Separations::Part> all = around.bridges();
    const auto smaller = [&](const Separations::Part& p) {
      return std::min(p.endpoints, topology_.num_endpoints() - p.endpoints);
    };
    std::ranges::stable_sort(all, [&](const auto& a, const auto& b) { return smaller(a) > smaller(b); });
    const size_t looked_at = kMoveWork / (uint64_t{topology_.num_nodes()} + topology_.num_arcs());
    for (size_t i = 0; i < all.size() && i < looked_at; ++i) {
      // From both ends of the list in turn.
      const Separations::Part& bridge = all[i % 2 == 0 ? i / 2 : all.size() - 1 - i / 2];
      std::vector<char> side(topology_.num_nodes(), 0);
      for (const NodeId v : topology_.nodes()) side[index(v)] = around.is_in(bridge, v) ? 1 : 0;
      sides_.reset(side);
      found_.push_back({sides_.worth(), std::move(side)});
      if (found_.size() >= 2 * kImproved) keep_best(kImproved);
    }
  }

  // The best of all that begin the order.
  void sweep(const std::vector<NodeId>& order) {
    sides_.reset(std::vector<char>(topology_.num_nodes(), 0));
    double best = 0;
    size_t length = 0;
    for (size_t i = 0; i + 1 < order.size(); ++i) {
      sides_.move(order[i]);
      const double worth = sides_.worth();
      if (worth <= best) continue;
      best = worth;
      length = i + 1;
    }
    if (length == 0) return;
    std::vector<char> side(topology_.num_nodes(), 0);
    for (size_t i = 0; i < length; ++i) side[index(order[i])] = 1;
    found_.push_back({best, std::move(side)});
  }

  // Rounds in which every node moves once at most, the best one first; what is best on the way is kept.
  void improve(Found& found, uint64_t tries) {
    std::vector<char> moved;
    for (bool better = true; better;) {
      better = false;
      sides_.reset(found.side);
      sides_.look_at_all();
      moved.assign(topology_.num_nodes(), 0);
      for (size_t since = 0; since < kMovesBack; ++since) {
        const uint64_t look = uint64_t{topology_.num_nodes()} + topology_.num_arcs();
        if (tries < look) return;
        tries -= look;
        NodeId best = kNoNode;
        double worth = -1;
        for (const NodeId v : topology_.nodes()) {
          if (moved[index(v)] != 0) continue;
          const double then = sides_.worth_after(v);
          if (then > worth) {
            worth = then;
            best = v;
          }
        }
        if (best == kNoNode || worth <= 0) break;
        sides_.move(best);
        moved[index(best)] = 1;
        if (worth <= found.worth) continue;
        found = {worth, sides_.side()};
        better = true;
        since = 0;
      }
    }
  }

  void keep_best(size_t number) {
    std::stable_sort(found_.begin(), found_.end(),
                     [](const Found& a, const Found& b) { return a.worth > b.worth; });
    std::vector<Found> kept;
    for (Found& one : found_) {
      if (kept.size() == number) break;
      const auto same = [&](const Found& other) { return other.side == one.side; };
      if (std::ranges::none_of(kept, same)) kept.push_back(std::move(one));
    }
    found_ = std::move(kept);
  }

  const Topology& topology_;
  Sides sides_;
  std::vector<Found> found_;
};

}  // namespace

Cut cut_by_nodes(const Topology& topology, std::vector<char> side) {
  // The smaller side is the easier one to name.
  std::vector<NodeId> one;
  std::vector<NodeId> other;
  for (const NodeId v : topology.nodes()) (side[index(v)] != 0 ? one : other).push_back(v);
  const std::vector<NodeId>& named = other.size() < one.size() ? other : one;
  constexpr size_t kShown = 8;
  std::vector<std::string> labels;
  for (size_t i = 0; i < named.size() && i < kShown; ++i) labels.push_back(topology.label(named[i]));
  return {fmt::format("the {} {}{}", plural(named.size(), "node"), join(labels),
                      named.size() > kShown ? ", .." : ""),
          std::move(side)};
}

void for_each_sparse_cut(const Topology& topology, const CutSearch& search,
                         const std::function<void(const Cut&)>& visit) {
  if (topology.num_nodes() < 2) return;
  for (Found& found : SparseCuts(topology, search).run())
    visit(cut_by_nodes(topology, std::move(found.side)));
}

}  // namespace quadrille
