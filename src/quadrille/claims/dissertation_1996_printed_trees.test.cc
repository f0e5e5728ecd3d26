// Trees of chapter 3 of the 1996 dissertation, and the paths of its theorem 2.1, grown here as they are printed:
// where they fail first.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "quadrille/testing/stated.test.h"

namespace quadrille {
namespace dissertation_1996_printed_trees_test {

TEST(DissertationClaims, the_tree_of_an_extended_ring_lacks_heads_where_w_is_0) {
  // Heights of the paths that hang on the root, by the rule that weight 0 is not sent: 2rho of them are claimed.
  std::vector<std::pair<uint32_t, uint32_t>> lacking;
  for (uint32_t n = 4; n <= 40; ++n) {
    for (uint32_t rho = 1; 2 * rho < n; ++rho) {
      const uint32_t diameter = (n / 2 + rho - 1) / rho;
      const uint32_t w = (n - 1) / rho - diameter;
      const uint32_t k = n - (w + diameter) * rho - 1;
      std::vector<uint32_t> informed(n, 0);  // how often
      uint32_t heads = 0;
      const auto walk = [&](uint32_t first, uint32_t stride, uint32_t weight) {
        if (weight == 0) return;
        ++heads;
        for (uint32_t at = first; weight > 0; --weight, at = (at + stride) % n) ++informed[at];
      };
      for (uint32_t i = 1; i <= rho; ++i) walk(i, rho, diameter);
      for (uint32_t i = 1; i <= rho; ++i) walk(n - i, n - rho, i <= k ? w + 1 : w);
      for (uint32_t v = 1; v < n; ++v) ASSERT_EQ(informed[v], stated(1U)) << n << " " << rho;
      EXPECT_EQ(heads == 2 * rho, stated(w > 0)) << n << " " << rho;
      if (heads != 2 * rho) {
        EXPECT_EQ(heads, stated(rho + k));
        lacking.emplace_back(n, rho);
      }
    }
  }
  ASSERT_GE(lacking.size(), 3U);
  EXPECT_EQ(lacking[0].first * 100 + lacking[0].second, stated(602U));
  EXPECT_EQ(lacking[1].first * 100 + lacking[1].second, stated(803U));
  EXPECT_EQ(lacking[2].first * 100 + lacking[2].second, stated(903U));
}

// Points [i,j] with i along the side of m nodes and j along that of n.
using Point = std::pair<int, int>;

struct Window {
  int west, east, south, north;
};
Window window(int n, int m) {
  return {.west = (m - 1) / 2, .east = m / 2, .south = (n - 1) / 2, .north = n / 2};
}

int positive(int a, int n) { return ((a % n) + n) % n; }

TEST(DissertationClaims, equation_3_4_as_extracted_loses_points_and_with_ceilings_is_a_map) {
  int smallest = 0;
  for (int n = 3; n <= 9; ++n) {
    for (int m = 3; m <= 9; ++m) {
      // Both ranges from -floor to floor, as extracted.
      const int printed = (2 * ((m - 1) / 2) + 1) * (2 * ((n - 1) / 2) + 1);
      EXPECT_EQ(printed == n * m, stated(n % 2 == 1 && m % 2 == 1)) << n << " x " << m;
      if (printed != n * m && smallest == 0) smallest = n * 10 + m;
      // With a ceiling on the positive side every node has one point, and neighbours are neighbours.
      const Window w = window(n, m);
      const auto node = [&](int i, int j) { return std::pair(positive(1 - j, n), positive(2 - i, m)); };
      std::set<std::pair<int, int>> nodes;
      for (int i = -w.west; i <= w.east; ++i) {
        for (int j = -w.south; j <= w.north; ++j) {
          nodes.insert(node(i, j));
          const std::pair<int, int> next = node(i + 1, j);
          EXPECT_EQ(next.first, node(i, j).first);
          EXPECT_EQ(positive(next.second + 1, m), node(i, j).second);
        }
      }
      EXPECT_EQ(static_cast<int>(nodes.size()), stated(n * m));
      EXPECT_EQ(node(0, 0), std::pair(1, 2 % m));  // the source (r, c), which the text calls (c, r)
    }
  }
  EXPECT_EQ(smallest, stated(34));
}

// The regions of section 3.4.2, case by case: 'A' to 'D'. The point that case 4 takes from D has its sign put
// right, or D does not have it.
std::map<Point, char> regions(int n, int m) {
  const Window w = window(n, m);
  std::map<Point, char> region;
  for (int i = -w.west; i <= w.east; ++i) {
    for (int j = -w.south; j <= w.north; ++j) {
      if (i == 0 && j == 0) continue;
      char of = i > 0 ? (j > 0 ? 'A' : 'B') : (j > 0 ? 'D' : 'C');
      const bool odd = (i + j) % 2 != 0;
      if (i == 0 && j > 0) of = m % 2 == 1 ? (odd ? 'A' : 'D') : 'D';
      if (i == 0 && j < 0) of = m % 2 == 1 ? (odd ? 'C' : 'B') : 'C';
      if (j == 0 && i > 0) of = n % 2 == 1 ? (odd ? 'B' : 'A') : 'B';
      if (j == 0 && i < 0) of = n % 2 == 1 ? (odd ? 'D' : 'C') : 'C';
      region[{i, j}] = of;
    }
  }
  region[{0, 1}] = 'A';
  region[{1, 0}] = 'B';
  region[{0, -1}] = 'C';
  region[{-1, 0}] = 'D';
  if (n % 2 == 0) region[{-w.west, 1}] = 'C';
  if (m % 2 == 0) region[{1, w.north}] = 'D';
  return region;
}

// Whether every region hangs together on the plane, at its owner, and none is too large.
bool balanced(int n, int m) {
  const std::map<Point, char> region = regions(n, m);
  const int most = (n * m - 1 + 3) / 4;
  for (const Point& owner : {Point(0, 1), Point(1, 0), Point(0, -1), Point(-1, 0)}) {
    const char name = region.at(owner);
    std::vector<Point> reached = {owner};
    for (size_t at = 0; at < reached.size(); ++at) {
      const auto [i, j] = reached[at];
      for (const Point& next : {Point(i + 1, j), Point(i - 1, j), Point(i, j + 1), Point(i, j - 1)}) {
        const auto found = region.find(next);
        if (found == region.end() || found->second != name) continue;
        if (std::ranges::find(reached, next) == reached.end()) reached.push_back(next);
      }
    }
    const auto size =
        std::ranges::count_if(region, [name](const auto& point) { return point.second == name; });
    if (static_cast<int>(reached.size()) != size || size > most) return false;
  }
  return true;
}

TEST(DissertationClaims, the_printed_trees_of_tori_fail_where_a_region_is_one_column_wide) {
  int smallest = 0;
  for (int n = 3; n <= 16; ++n) {
    for (int m = 3; m <= 16; ++m) {
      const bool narrow = (m <= 4 && n % 2 == 0) || (n == 3 && m % 2 == 0);
      EXPECT_EQ(balanced(n, m), stated(!narrow)) << n << " x " << m;
      if (n >= 4 && m >= 4 && !balanced(n, m) && smallest == 0) smallest = n * 10 + m;
      // Case 4 as printed takes a point from D that lies in A.
      if (n % 2 == 0 && m % 2 == 0 && m >= 6) {
        EXPECT_EQ(regions(n, m).at({m / 2, 1}), 'A');
      }
    }
  }
  EXPECT_EQ(smallest, stated(44));           // the theorem says n, m >= 4
  EXPECT_EQ(balanced(4, 3), stated(false));  // case 2 fails at m = 3,
  EXPECT_EQ(balanced(3, 4), stated(false));  // case 3 at n = 3
}

TEST(DissertationClaims, in_the_7_by_7_torus_the_four_trees_are_rotations_of_one_another) {
  for (int n = 3; n <= 15; n += 2) {
    const std::map<Point, char> region = regions(n, n);
    for (const auto& [point, name] : region) {
      const Point turned(point.second, -point.first);
      EXPECT_EQ(region.at(turned), stated(name == 'D' ? 'A' : static_cast<char>(name + 1))) << n;
    }
  }
}

// The four arms of an n x n torus that are turned into one another: a quadrant each, with the half axis of its owner.
// For even n with the row and the column that the plane has more on one side.
std::map<char, int> sizes_of_arms(int n) {
  const Window w = window(n, n);
  std::map<char, int> size;
  for (int i = -w.west; i <= w.east; ++i) {
    for (int j = -w.south; j <= w.north; ++j) {
      if (i >= 0 && j > 0) ++size['A'];
      if (i > 0 && j <= 0) ++size['B'];
      if (i <= 0 && j < 0) ++size['C'];
      if (i < 0 && j >= 0) ++size['D'];
    }
  }
  return size;
}

TEST(DissertationClaims, an_earlier_tree_of_square_tori_is_balanced_for_odd_sides_and_not_for_even_ones) {
  for (int n = 3; n <= 40; ++n) {
    int most = 0;
    int all = 0;
    for (const auto& [arm, size] : sizes_of_arms(n)) {
      most = std::max(most, size);
      all += size;
    }
    EXPECT_EQ(all, n * n - 1) << n;
    const int balance = (n * n - 1 + 3) / 4;
    EXPECT_EQ(most == balance, stated(n % 2 == 1)) << n;
    EXPECT_EQ(most - balance, stated(n % 2 == 1 ? 0 : n / 2)) << n;
  }
}

// The paths of the proof of theorem 2.1: those of a dimension stop before its last link, which they take at the end.
// `complete` walks a shortest one of each dimension to its end, as must be.
std::set<std::vector<Point>> paths_of_theorem_2_1(const std::vector<std::vector<int>>& first,
                                                  const std::vector<std::vector<int>>& second,
                                                  bool complete) {
  std::set<std::vector<Point>> all;
  const auto shortest = [](const std::vector<std::vector<int>>& paths) {
    return *std::ranges::min_element(paths, {}, &std::vector<int>::size);
  };
  const auto add = [&](const std::vector<int>& own, const std::vector<int>& other, bool swapped, bool whole) {
    std::vector<Point> path;
    const auto visit = [&](int x, int y) {
      const Point at = swapped ? Point(y, x) : Point(x, y);
      if (path.empty() || path.back() != at) path.push_back(at);
    };
    const size_t stop = own.size() - (whole ? 1 : 2);
    for (size_t s = 0; s <= stop; ++s) visit(own[s], other.front());
    for (const int y : other) visit(own[stop], y);
    visit(own.back(), other.back());
    all.insert(path);
  };
  for (const std::vector<int>& own : first)
    add(own, shortest(second), false, complete && own == shortest(first));
  for (const std::vector<int>& own : second)
    add(own, shortest(first), true, complete && own == shortest(second));
  return all;
}

// Whether so many paths share no node but their ends.
bool disjoint(const std::set<std::vector<Point>>& paths, size_t number) {
  std::set<Point> inner;
  size_t visits = 0;
  for (const std::vector<Point>& path : paths) {
    inner.insert(path.begin() + 1, path.end() - 1);
    visits += path.size() - 2;
  }
  return paths.size() == number && inner.size() == visits;
}

TEST(DissertationClaims, the_printed_paths_of_theorem_2_1_meet_where_both_coordinates_are_the_last_but_one) {
  using Paths = std::vector<std::vector<int>>;
  // The two ways round a ring, the way along a line.
  const auto ring = [](int n, int to) {
    Paths paths(2);
    for (int x = 0; x <= to; ++x) paths[0].push_back(x);
    paths[1].push_back(0);
    for (int x = n - 1; x >= to; --x) paths[1].push_back(x);
    return paths;
  };
  const auto line = [](int to) {
    Paths paths(1);
    for (int x = 0; x <= to; ++x) paths[0].push_back(x);
    return paths;
  };
  EXPECT_TRUE(disjoint(paths_of_theorem_2_1(line(1), line(1), false), 2));
  EXPECT_FALSE(
      disjoint(paths_of_theorem_2_1(line(1), line(2), false), 2));  // from (1,1) to (2,3) in L_2 x L_3
  for (int a = 1; a <= 4; ++a) {
    for (int b = 1; b <= 4; ++b) {
      // Both pass the node whose coordinates are the last but one, unless that is where they start.
      EXPECT_EQ(disjoint(paths_of_theorem_2_1(line(a), line(b), false), 2), stated(a == 1 && b == 1))
          << a << " " << b;
      EXPECT_EQ(disjoint(paths_of_theorem_2_1(line(a), line(b), true), 2), stated(true)) << a << " " << b;
      EXPECT_EQ(disjoint(paths_of_theorem_2_1(ring(6, a), ring(7, b), true), 4), stated(true))
          << a << " " << b;
    }
  }
}

TEST(DissertationClaims, the_printed_rule_of_extended_rings_informs_a_node_twice_where_w_is_0) {
  // Weight 0 is sent like any other: the neighbour hears it, and stops, or counts on below zero.
  int smallest = 0;
  for (int n = 4; n <= 40; ++n) {
    for (int rho = 1; 2 * rho < n; ++rho) {
      const int diameter = (n / 2 + rho - 1) / rho;
      const int w = (n - 1) / rho - diameter;
      const int k = n - (w + diameter) * rho - 1;
      std::vector<int> heard(static_cast<size_t>(n), 0);
      const auto send = [&](int to, int stride, int weight) {
        do {
          ++heard[static_cast<size_t>(positive(to, n))];
          to += stride;
        } while (--weight > 0);
      };
      for (int i = 1; i <= rho; ++i) send(i, rho, diameter);
      for (int i = 1; i <= rho; ++i) send(-i, -rho, i <= k ? w + 1 : w);
      const auto twice = std::ranges::count_if(heard, [](int times) { return times > 1; });
      EXPECT_EQ(twice, stated(w == 0 ? rho - k : 0)) << n << " " << rho;
      if (twice > 0 && smallest == 0) smallest = n * 10 + rho;
    }
  }
  EXPECT_EQ(smallest, stated(62));
}

}  // namespace dissertation_1996_printed_trees_test
}  // namespace quadrille
