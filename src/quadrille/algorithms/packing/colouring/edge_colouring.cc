#include "quadrille/algorithms/packing/colouring/edge_colouring.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <numeric>

#include "quadrille/base/check.h"

namespace quadrille {
namespace {

constexpr uint32_t kNone = UINT32_MAX;
// So many are coloured along paths.
constexpr size_t kManyEdges = 1U << 15U;

// Vertices merged so that no group has more edges than the largest degree: all but one group are more than
// half full, so there are few.
struct Merged {
  std::vector<uint32_t> group;   // of each vertex
  std::vector<uint32_t> degree;  // of each group
};

Merged merge_small(const std::vector<uint32_t>& degrees, uint32_t most) {
  Merged out;
  out.group.resize(degrees.size());
  for (size_t v = 0; v < degrees.size(); ++v) {
    if (out.degree.empty() || out.degree.back() > most - degrees[v]) out.degree.push_back(0);
    out.group[v] = static_cast<uint32_t>(out.degree.size() - 1);
    out.degree.back() += degrees[v];
  }
  return out;
}

std::vector<uint32_t> degrees_of(uint32_t count, std::span<const BipartiteEdge> edges,
                                 uint32_t BipartiteEdge::*end) {
  std::vector<uint32_t> out(count, 0);
  for (const BipartiteEdge& e : edges) ++out[e.*end];
  return out;
}

// A regular bipartite multigraph with `size` vertices on each side. Edges are named by their positions in
// `ends`; sets of them are spans of one array of names, which halving rearranges.
class RegularColouring {
 public:
  RegularColouring(uint32_t size, std::vector<BipartiteEdge> ends)
      : size_(size), ends_(std::move(ends)), colours_(ends_.size(), kNone) {
    left_partner_.resize(ends_.size());
    right_partner_.resize(ends_.size());
    waiting_left_.assign(size_, kNone);
    waiting_right_.assign(size_, kNone);
  }

  std::vector<uint32_t> run(uint32_t degree) {
    std::vector<uint32_t> all(ends_.size());
    std::iota(all.begin(), all.end(), 0U);
    colour(all, degree, 0);
    return std::move(colours_);
  }

 private:
  // Colours first .. first+degree-1 for a regular set of edges.
  void colour(std::span<uint32_t> edges, uint32_t degree, uint32_t first) {
    while (degree > 1 && !std::has_single_bit(degree)) {
      if (degree % 2 != 0) {
        take_matching(edges, degree, first);
        edges = edges.subspan(size_);
        --degree;
        ++first;
        continue;
      }
      const size_t middle = halve(edges);
      colour(edges.first(middle), degree / 2, first);
      lend_colours(edges, middle, degree / 2, first);
      return;
    }
    halve_to_the_end(edges, degree, first);
  }

  // The first half has the colours first .. first+half-1. Enough of them join the second half to make its
  // degree a power of two, and are given out again with those that are left.
  void lend_colours(std::span<uint32_t> edges, size_t middle, uint32_t half, uint32_t first) {
    const uint32_t power = std::bit_ceil(half);
    const uint32_t kept = first + half - (power - half);
    const auto begin = std::partition(edges.begin(), edges.begin() + static_cast<ptrdiff_t>(middle),
                                      [&](uint32_t e) { return colours_[e] < kept; });
    halve_to_the_end(edges.subspan(static_cast<size_t>(begin - edges.begin())), power, kept);
  }

  void halve_to_the_end(std::span<uint32_t> edges, uint32_t degree, uint32_t first) {
    if (degree == 1) {
      for (const uint32_t e : edges) colours_[e] = first;
      return;
    }
    const size_t middle = halve(edges);
    halve_to_the_end(edges.first(middle), degree / 2, first);
    halve_to_the_end(edges.subspan(middle), degree / 2, first + degree / 2);
  }

  // Pairs the edges at every vertex; the pairs chain the edges to cycles, in which every second edge goes to
  // the first half. Returns where the second one starts. All degrees are even.
  size_t halve(std::span<uint32_t> edges) {
    for (const uint32_t e : edges) {
      pair(e, waiting_left_[ends_[e].left], left_partner_);
      pair(e, waiting_right_[ends_[e].right], right_partner_);
    }
    first_half_.clear();
    second_half_.clear();
    for (const uint32_t start : edges) {
      for (uint32_t e = start; left_partner_[e] != kNone;) {
        const uint32_t other = left_partner_[e];
        left_partner_[e] = left_partner_[other] = kNone;
        first_half_.push_back(e);
        second_half_.push_back(other);
        e = right_partner_[other];
      }
    }
    std::copy(first_half_.begin(), first_half_.end(), edges.begin());
    std::copy(second_half_.begin(), second_half_.end(),
              edges.begin() + static_cast<ptrdiff_t>(first_half_.size()));
    return first_half_.size();
  }

  static void pair(uint32_t e, uint32_t& waiting, std::vector<uint32_t>& partner) {
    if (waiting == kNone) {
      waiting = e;
      return;
    }
    partner[e] = waiting;
    partner[waiting] = e;
    waiting = kNone;
  }

  // Gives a colour to a perfect matching and puts it in front. Every edge counts `copies` times, and false
  // edges, from each left vertex to the right vertex of the same number, fill the degree up to a power of
  // two. Half of the even part of every multiplicity goes to either half without being touched.
  void take_matching(std::span<uint32_t> edges, uint32_t degree, uint32_t first) {
    const auto real = static_cast<uint32_t>(ends_.size());
    uint64_t power = std::bit_ceil(std::max<uint64_t>(uint64_t{degree} * size_, degree));
    const auto copies = static_cast<uint32_t>(power / degree);
    add_false_edges();
    std::vector<std::pair<uint32_t, uint64_t>> weighted;  // edge, how many times it counts
    weighted.reserve(edges.size() + size_);
    for (const uint32_t e : edges) weighted.emplace_back(e, copies);
    const uint64_t filling = power - uint64_t{copies} * degree;
    for (uint32_t v = 0; v < size_ && filling > 0; ++v) weighted.emplace_back(real + v, filling);
    for (; power > 1; power /= 2) halve_weights(weighted, real);
    remove_false_edges(real);

    for (const auto& matched : weighted) {
      QUADRILLE_CHECK(matched.first < real && matched.second == 1, "a matching of real edges");
      colours_[matched.first] = first;
    }
    QUADRILLE_CHECK(weighted.size() == size_, fmt::format("{} of {} matched", weighted.size(), size_));
    std::partition(edges.begin(), edges.end(), [&](uint32_t e) { return colours_[e] == first; });
  }

  void halve_weights(std::vector<std::pair<uint32_t, uint64_t>>& weighted, uint32_t real) {
    odd_.clear();
    for (const auto& w : weighted) {
      if (w.second % 2 != 0) odd_.push_back(w.first);
    }
    const size_t middle = halve(odd_);
    const auto false_edges = [&](auto begin, auto end) {
      return std::count_if(begin, end, [&](uint32_t e) { return e >= real; });
    };
    const auto cut = odd_.begin() + static_cast<ptrdiff_t>(middle);
    const bool second = false_edges(odd_.begin(), cut) > false_edges(cut, odd_.end());
    for (auto e = second ? cut : odd_.begin(); e != (second ? odd_.end() : cut); ++e) chosen_[*e] = 1;
    size_t kept = 0;
    for (const auto& w : weighted) {
      const uint64_t weight = w.second / 2 + (chosen_[w.first] != 0 ? 1 : 0);
      chosen_[w.first] = 0;
      if (weight > 0) weighted[kept++] = {w.first, weight};
    }
    weighted.resize(kept);
  }

  void add_false_edges() {
    for (uint32_t v = 0; v < size_; ++v) ends_.push_back({v, v});
    left_partner_.resize(ends_.size(), kNone);
    right_partner_.resize(ends_.size(), kNone);
    chosen_.assign(ends_.size(), 0);
  }
  void remove_false_edges(uint32_t real) {
    ends_.resize(real);
    left_partner_.resize(real);
    right_partner_.resize(real);
  }

  uint32_t size_;
  std::vector<BipartiteEdge> ends_;
  std::vector<uint32_t> colours_;
  // Scratch of halve(): the edge that each edge is paired with at either end, and per vertex the edge that
  // still waits for its partner.
  std::vector<uint32_t> left_partner_;
  std::vector<uint32_t> right_partner_;
  std::vector<uint32_t> waiting_left_;
  std::vector<uint32_t> waiting_right_;
  std::vector<uint32_t> first_half_;
  std::vector<uint32_t> second_half_;
  // Scratch of take_matching().
  std::vector<uint32_t> odd_;
  std::vector<char> chosen_;
};

// One edge after another takes a colour that is free at both its ends. Where there is none, the colours of a path are
// exchanged that begins at the one end with a colour which is free at the other. Most paths are short, as there are many
// colours; so many edges are coloured in less time than it takes to halve them again and again.
class PathColouring {
 public:
  PathColouring(uint32_t num_left, uint32_t num_right, uint32_t degree, std::span<const BipartiteEdge> edges)
      : edges_(edges),
        num_left_(num_left),
        degree_(degree),
        words_((degree + 63) / 64),
        at_(size_t{num_left + num_right} * degree, Entry{kNone, kNone}),
        free_(size_t{num_left + num_right} * words_, ~uint64_t{0}),
        lowest_(size_t{num_left + num_right}, 0) {
    if (degree % 64 == 0) return;
    for (size_t v = 0; v < size_t{num_left} + num_right; ++v)
      free_[(v + 1) * words_ - 1] = (uint64_t{1} << (degree % 64)) - 1;
  }

  std::vector<uint32_t> run() {
    for (uint32_t e = 0; e < edges_.size(); ++e) {
      const uint32_t left = edges_[e].left;
      const uint32_t right = num_left_ + edges_[e].right;
      uint32_t colour = first_free(left, right);
      if (colour == kNone) {
        colour = first_free(left, left);
        exchange(right, colour, first_free(right, right));
      }
      entry(left, colour) = {e, right};
      entry(right, colour) = {e, left};
      turn(left, colour);
      turn(right, colour);
    }
    std::vector<uint32_t> colours(edges_.size());
    for (uint32_t v = 0; v < num_left_; ++v) {
      for (uint32_t c = 0; c < degree_; ++c) {
        if (const uint32_t edge = entry(v, c).edge; edge != kNone) colours[edge] = c;
      }
    }
    return colours;
  }

 private:
  struct Entry {
    uint32_t edge;
    uint32_t other;  // its other end
  };

  [[nodiscard]] Entry& entry(uint32_t v, uint32_t colour) { return at_[v * degree_ + colour]; }
  void turn(uint32_t v, uint32_t colour) {
    free_[v * words_ + colour / 64] ^= uint64_t{1} << (colour % 64);
    lowest_[v] = std::min(lowest_[v], colour / 64);
  }

  // No word before it has a free colour.
  size_t lowest(uint32_t v) {
    uint32_t& word = lowest_[v];
    while (word < words_ && free_[v * words_ + word] == 0) ++word;
    return word;
  }

  [[nodiscard]] uint32_t first_free(uint32_t v, uint32_t w) {
    const uint64_t* a = &free_[v * words_];
    const uint64_t* b = &free_[w * words_];
    for (size_t i = std::max(lowest(v), lowest(w)); i < words_; ++i) {
      if (const uint64_t both = a[i] & b[i]; both != 0)
        return static_cast<uint32_t>(i * 64 + static_cast<size_t>(std::countr_zero(both)));
    }
    return kNone;
  }

  // Exchanges the two colours along the path from v, which has no edge of the second one.
  void exchange(uint32_t v, uint32_t first, uint32_t second) {
    Entry along = entry(v, first);
    std::swap(entry(v, first), entry(v, second));
    turn(v, first);
    turn(v, second);
    while (along.edge != kNone) {
      v = along.other;
      along = entry(v, second);
      std::swap(entry(v, first), entry(v, second));
      if (along.edge == kNone) {
        turn(v, first);
        turn(v, second);
      }
      std::swap(first, second);
    }
  }

  std::span<const BipartiteEdge> edges_;
  uint32_t num_left_;
  size_t degree_;
  size_t words_;
  std::vector<Entry> at_;       // by vertex and colour; the right ones come after the left ones
  std::vector<uint64_t> free_;  // colours of each vertex
  std::vector<uint32_t> lowest_;
};

// Edges between groups that lack some, until all have `degree`.
void make_regular(std::vector<BipartiteEdge>& edges, std::vector<uint32_t> left, std::vector<uint32_t> right,
                  uint32_t degree) {
  const size_t size = std::max(left.size(), right.size());
  left.resize(size, 0);
  right.resize(size, 0);
  edges.reserve(size * degree);
  uint32_t to = 0;
  for (uint32_t from = 0; from < size; ++from) {
    while (left[from] < degree) {
      while (right[to] == degree) ++to;
      edges.push_back({from, to});
      ++left[from];
      ++right[to];
    }
  }
}

}  // namespace

uint32_t max_degree(uint32_t num_left, uint32_t num_right, std::span<const BipartiteEdge> edges) {
  uint32_t most = 0;
  for (const uint32_t d : degrees_of(num_left, edges, &BipartiteEdge::left)) most = std::max(most, d);
  for (const uint32_t d : degrees_of(num_right, edges, &BipartiteEdge::right)) most = std::max(most, d);
  return most;
}

std::vector<uint32_t> edge_colouring(uint32_t num_left, uint32_t num_right,
                                     std::span<const BipartiteEdge> edges) {
  if (edges.empty()) return {};
  const uint32_t degree = max_degree(num_left, num_right, edges);
  const Merged left = merge_small(degrees_of(num_left, edges, &BipartiteEdge::left), degree);
  const Merged right = merge_small(degrees_of(num_right, edges, &BipartiteEdge::right), degree);
  const size_t size = std::max(left.degree.size(), right.degree.size());
  QUADRILLE_CHECK(uint64_t{size} * degree + size < kNone, fmt::format("{} x {} edges", size, degree));

  std::vector<BipartiteEdge> merged;
  merged.reserve(edges.size() < kManyEdges ? size * degree : edges.size());
  for (const BipartiteEdge& e : edges) merged.push_back({left.group[e.left], right.group[e.right]});
  if (edges.size() >= kManyEdges) {
    return PathColouring(static_cast<uint32_t>(left.degree.size()),
                         static_cast<uint32_t>(right.degree.size()), degree, merged)
        .run();
  }
  make_regular(merged, left.degree, right.degree, degree);
  std::vector<uint32_t> colours =
      RegularColouring(static_cast<uint32_t>(size), std::move(merged)).run(degree);
  colours.resize(edges.size());
  return colours;
}

}  // namespace quadrille
