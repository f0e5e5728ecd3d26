// The scheme of the 2000 paper taken at its word: worms along the rows of its routing matrices, as far as its distance
// matrices say, by every node that has the message, to nodes that have it already, too. Only what happens where n is
// no power of 2k+1 is ours: strips that are cut off at the end of the ring.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "quadrille/algorithms/worm_broadcast/ring_strips.h"
#include "quadrille/testing/stated.test.h"

namespace quadrille {
namespace broadcast_tori_2000_literal_test {

using Vector = std::vector<int64_t>;
using Matrix = std::vector<Vector>;

// Definition 6: stage i of k, counted from 1. Row r is the way of the r-th worm, dimension by dimension.
Matrix routing_matrix(size_t k, size_t i) {
  Matrix rows(k, Vector(k, 0));
  for (size_t r = 1; r <= k; ++r) {
    Vector& row = rows[r - 1];
    if (k == 1) {
      row[0] = 1;
    } else if (i == 1) {  // e_1 + e_k, .., e_(k-1) + e_k, e_k
      row[k - 1] = 1;
      row[r - 1] = 1;
    } else if (r == 1) {  // e_1
      row[0] = 1;
    } else if (r <= k - i + 1) {  // e_2 - e_k, .., e_(k-i+1) - e_k
      row[r - 1] = 1;
      row[k - 1] = -1;
    } else {  // - e_(k-i+2), .., - e_k
      row[r - 1] = -1;
    }
  }
  return rows;
}

// What a stage counts along its ring of super nodes.
int64_t position_of(const Vector& x, size_t i) {
  if (x.size() == 1) return x[0];
  if (i == 1) return x.back();
  int64_t position = x[0];
  for (size_t d = x.size() - i + 1; d < x.size(); ++d) position -= x[d];
  return position;
}

// The paper's scheme on a torus of k sides n, from node 0.
class Literal {
 public:
  Literal(size_t k, int64_t n) : k_(k), n_(n), informed_{Vector(k, 0)} {
    Matrix span{Vector(k, 0)};
    for (size_t i = 1; i <= k; ++i) span = stage(i, span);
  }

  uint64_t steps = 0;
  uint64_t heard_again = 0;             // worms to nodes that have the message
  uint64_t congested_steps = 0;         // in which a link is in two worms
  uint64_t shared_ports = 0;            // worms of one node that leave on one link
  std::multiset<int64_t> reached_rows;  // of the nodes informed by the first part of stage 1
  [[nodiscard]] uint64_t informed() const { return informed_.size(); }

 private:
  [[nodiscard]] Vector wrapped(Vector x) const {
    for (int64_t& c : x) c = (c % n_ + n_) % n_;
    return x;
  }
  [[nodiscard]] int64_t centred(int64_t x) const {
    const int64_t r = (x % n_ + n_) % n_;
    return 2 * r > n_ ? r - n_ : r;
  }
  static Vector sum(Vector a, const Vector& b) {
    for (size_t d = 0; d < a.size(); ++d) a[d] += b[d];
    return a;
  }

  struct Worm {
    Vector from;
    Vector hops;
  };

  void step(const std::vector<Worm>& worms) {
    if (worms.empty()) return;
    ++steps;
    std::set<std::tuple<Vector, size_t, int64_t>> links;
    std::set<std::tuple<Vector, size_t, int64_t>> ports;
    std::set<Vector> now;
    bool congested = false;
    for (const Worm& worm : worms) {
      Vector at = wrapped(worm.from);
      EXPECT_TRUE(informed_.contains(at));
      bool first = true;
      for (size_t d = 0; d < k_; ++d) {
        const int64_t way = worm.hops[d] > 0 ? 1 : -1;
        for (int64_t hop = 0; hop != worm.hops[d]; hop += way) {
          if (first && !ports.emplace(at, d, way).second) ++shared_ports;
          first = false;
          congested = !links.emplace(at, d, way).second || congested;
          at[d] += way;
          at = wrapped(at);
        }
      }
      if (informed_.contains(at) || !now.insert(at).second) ++heard_again;
    }
    congested_steps += congested ? 1 : 0;
    informed_.merge(now);
  }

  // From the span U_(i-1) to U_i.
  Matrix stage(size_t i, const Matrix& span) {
    const Matrix rows = routing_matrix(k_, i);
    std::map<int64_t, Vector> landed{{0, Vector(k_, 0)}};  // by position: the copy of the span, moved by that
    const auto count = static_cast<uint32_t>(k_);
    const Strip ring{0, -((n_ - 1) / 2), n_ / 2};
    for (const std::vector<StripSend>& sends :
         ring_strips(count, {ring}, steps_to_reach(2 * k_ + 1, static_cast<uint64_t>(n_)))) {
      std::vector<Worm> worms;
      for (const StripSend& send : sends) {
        Vector hops = rows[send.rank - 1];
        for (int64_t& h : hops) h *= send.to - send.from;
        const Vector moved = landed.at(send.from);
        landed.emplace(send.to, sum(moved, hops));
        for (const Vector& member : span) worms.push_back({sum(member, moved), hops});
      }
      step(worms);
    }
    if (i == 1)
      for (const Vector& x : informed_) reached_rows.insert(x.back());
    std::vector<Worm> worms;
    Matrix next;
    for (const auto& [position, moved] : landed) {
      EXPECT_EQ(centred(position_of(moved, i) - position), 0);
      // To the multiple of the vector of the stage, e_1 + e_(k-i+1) or e_1, at this position.
      Vector aim(k_, 0);
      aim[0] = position;
      if (i < k_) aim[k_ - i] = position;
      Vector hops(k_, 0);
      bool moves = false;
      for (size_t d = 0; d < k_; ++d) {
        const bool live = i == k_ || (i == 1 ? d == k_ - 1 : d == 0 || d > k_ - i);
        if (!live) hops[d] = centred(aim[d] - moved[d]);
        moves = moves || hops[d] != 0;
      }
      for (const Vector& member : span) {
        if (moves) worms.push_back({sum(member, moved), hops});
        next.push_back(wrapped(sum(sum(member, moved), hops)));
      }
    }
    step(worms);
    for (const Vector& member : next) EXPECT_TRUE(informed_.contains(member));
    return next;
  }

  size_t k_;
  int64_t n_;
  std::set<Vector> informed_;
};

int64_t power(int64_t base, size_t exponent) {
  int64_t out = 1;
  for (size_t i = 0; i < exponent; ++i) out *= base;
  return out;
}

const std::vector<std::pair<size_t, int64_t>>& sizes() {
  static const std::vector<std::pair<size_t, int64_t>> all = [] {
    std::vector<std::pair<size_t, int64_t>> out;
    for (const auto& [k, most] : {std::pair<size_t, int64_t>{1, 30}, {2, 26}, {3, 9}, {4, 5}, {5, 3}})
      for (int64_t n = 2; n <= most; ++n) out.emplace_back(k, n);
    return out;
  }();
  return all;
}

TEST(BroadcastClaims, Section3Stage11) {
  for (int64_t n = 2; n <= 60; ++n) {
    const Literal scheme(2, n);
    EXPECT_EQ(scheme.reached_rows.size(), stated(static_cast<size_t>(n))) << n;
    EXPECT_EQ(std::set<int64_t>(scheme.reached_rows.begin(), scheme.reached_rows.end()).size(),
              stated(static_cast<size_t>(n)))
        << n;
  }
}

TEST(BroadcastClaims, Section5RoutingMatrices) {
  for (size_t k = 1; k <= 6; ++k) {
    for (size_t i = 1; i <= k; ++i) {
      const Matrix rows = routing_matrix(k, i);
      for (size_t r = 0; r < k; ++r) {
        // A worm takes dimension r first: 2k ports with both signs. And its row moves it by one super node.
        for (size_t d = 0; d < k; ++d) EXPECT_EQ(rows[r][d] != 0 && d < r, false) << k << " " << i;
        EXPECT_NE(rows[r][r], 0) << k << " " << i;
        EXPECT_EQ(position_of(rows[r], i), stated(1)) << k << " " << i << " " << r;
      }
    }
  }
  for (const auto& [k, n] : sizes()) {
    const Literal scheme(k, n);
    EXPECT_EQ(scheme.congested_steps, stated(0U)) << k << " dimensions of " << n;
    EXPECT_EQ(scheme.shared_ports, stated(0U)) << k << " dimensions of " << n;
    EXPECT_EQ(scheme.informed(), stated(static_cast<uint64_t>(power(n, k)))) << k << " dimensions of " << n;
  }
}

TEST(BroadcastClaims, Section5Repeats) {
  for (const auto& [k, n] : sizes()) {
    const Literal scheme(k, n);
    // Who hears it before an alignment and is left behind hears it again: smallest 2 x 2 x 2 and 4 x 4.
    EXPECT_EQ(scheme.heard_again > 0, stated(k > 2 || (k == 2 && n >= 4))) << k << " dimensions of " << n;
    if (n >= 4) {
      EXPECT_EQ(scheme.steps, stated(k * steps_to_reach(2 * k + 1, static_cast<uint64_t>(n)) + k - 1))
          << k << " dimensions of " << n;
    }
  }
  EXPECT_EQ(Literal(2, 4).heard_again, stated(1U));
  EXPECT_EQ(Literal(3, 2).heard_again, stated(2U));
}

}  // namespace broadcast_tori_2000_literal_test
}  // namespace quadrille
