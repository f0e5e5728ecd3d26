// Section 4.2 of the 1996 dissertation: total exchange in linear arrays, message by message and step by step.
// Nodes are 1..n, as there; only messages to the right are followed, the others are their mirror image.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "quadrille/base/random.h"
#include "quadrille/testing/stated.test.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/verify.h"

namespace quadrille {
namespace dissertation_1996_lines_test {

struct Message {
  int source;
  int destination;
  friend auto operator<=>(const Message&, const Message&) = default;
};
using Queue = std::vector<Message>;

// Which of some messages for the same destination goes first: a position.
using Tie = std::function<size_t(const Queue&)>;

size_t smallest_source(const Queue& tied) {
  return static_cast<size_t>(std::ranges::min_element(tied) - tied.begin());
}
size_t largest_source(const Queue& tied) {
  return static_cast<size_t>(std::ranges::max_element(tied) - tied.begin());
}

struct LineRun {
  int steps = 0;
  std::map<std::tuple<int, int, int>, int> left;  // (node, source, destination): the step in which it leaves
};

// Furthest first in L_n; node j does nothing before it wakes, after step wake[j].
LineRun furthest_first(int n, const Tie& tie, const std::vector<int>& wake) {
  std::vector<Queue> queue(static_cast<size_t>(n + 1));
  for (int j = 1; j <= n; ++j)
    for (int i = j + 1; i <= n; ++i) queue[static_cast<size_t>(j)].push_back({j, i});
  LineRun run;
  for (int left = n * (n - 1) / 2; left > 0;) {
    ++run.steps;
    std::vector<std::pair<int, Message>> moves;
    for (int j = 1; j < n; ++j) {
      Queue& here = queue[static_cast<size_t>(j)];
      if (here.empty() || run.steps <= wake[static_cast<size_t>(j)]) continue;
      int furthest = 0;
      for (const Message& m : here) furthest = std::max(furthest, m.destination);
      Queue tied;
      for (const Message& m : here)
        if (m.destination == furthest) tied.push_back(m);
      const Message sent = tied[tie(tied)];
      here.erase(std::ranges::find(here, sent));
      moves.emplace_back(j + 1, sent);
      run.left[{j, sent.source, sent.destination}] = run.steps;
    }
    for (const auto& [to, message] : moves) {
      if (message.destination == to) {
        --left;
      } else {
        queue[static_cast<size_t>(to)].push_back(message);
      }
    }
  }
  return run;
}

LineRun furthest_first(int n, const Tie& tie = smallest_source) {
  return furthest_first(n, tie, std::vector<int>(static_cast<size_t>(n + 1), 0));
}

constexpr int kLongestLine = 20;

TEST(DissertationClaims, scatterings_one_after_another_exchange_on_a_line_in_the_steps_of_section_4_2) {
  for (int n = 1; n <= 12; ++n) {
    const Topology line = parse_topology("line(" + std::to_string(n) + ")");
    const Problem problem = standard_problem(line, CollectiveKind::kAlltoall);
    const Collective& all = problem.collective();
    Plan plan;
    int64_t steps = 0;
    for (int source = 0; source < n; ++source) {
      // Both ways at once, furthest first: the message for distance d leaves in step far - d and never waits.
      const int sides[2] = {source, n - 1 - source};
      const int longest = std::max(sides[0], sides[1]);
      for (int step = 0; step < longest; ++step) {
        StepBuilder builder;
        for (int side = 0; side < 2; ++side) {
          const int way = side == 0 ? -1 : 1;
          for (int d = 1; d <= sides[side]; ++d) {
            const int hop = step - (sides[side] - d);
            if (hop < 0 || hop >= d) continue;
            const auto at = static_cast<uint32_t>(source + way * hop);
            const auto next = static_cast<uint32_t>(source + way * (hop + 1));
            const auto to = static_cast<uint32_t>(source + way * d);
            builder.add(*line.find_arc(NodeId{at}, NodeId{next}),
                        all.block(Rank{static_cast<uint32_t>(source)}, Rank{to}));
          }
        }
        builder.flush(plan);
      }
      steps += longest;
    }
    EXPECT_TRUE(verify(problem, plan).schedule.has_value()) << n;
    EXPECT_EQ(plan.num_steps(), static_cast<size_t>(steps)) << n;
    const int64_t optimum = (int64_t{n} * n - 1 + 3) / 4;
    EXPECT_EQ(steps, stated(3 * optimum - n / 2)) << n;
  }
}

TEST(DissertationClaims, furthest_first_takes_the_same_time_with_all_ties_and_waits_for_no_late_node) {
  Rng rng(4);
  const Tie random = [&rng](const Queue& tied) { return static_cast<size_t>(rng.below(tied.size())); };
  for (int n = 2; n <= 12; ++n) {
    const int optimum = n * n / 4;
    EXPECT_EQ(furthest_first(n, smallest_source).steps, stated(optimum)) << n;
    EXPECT_EQ(furthest_first(n, largest_source).steps, optimum) << n;
    for (int trial = 0; trial < 10; ++trial) {
      EXPECT_EQ(furthest_first(n, random).steps, optimum) << n;
      // Not synchronised: whoever wakes late delays the end by no more than that.
      std::vector<int> wake(static_cast<size_t>(n + 1), 0);
      for (int& late : wake) late = static_cast<int>(rng.below(2 * wake.size()));
      EXPECT_LE(furthest_first(n, random, wake).steps, optimum + *std::ranges::max_element(wake)) << n;
    }
  }
}

TEST(DissertationClaims, lemma_4_1_messages_for_a_destination_leave_together_after_those_for_the_next) {
  for (int n = 2; n <= kLongestLine; ++n) {
    LineRun run = furthest_first(n);
    for (int i = 2; i <= n - 1; ++i) {
      for (int j = 1; j < i; ++j) {
        const int first = run.left.at({j, 1, i});
        EXPECT_EQ(first, i == n - 1 ? j + 1 : run.left.at({j, j, i + 1}) + 1) << n << " " << i << " " << j;
        for (int k = 1; k < j; ++k)
          EXPECT_EQ(run.left.at({j, k + 1, i}), run.left.at({j, k, i}) + 1) << n << " " << i << " " << j;
      }
    }
  }
  // It is the tie that orders them: with the other one message 1 to 3 leaves node 2 of L_4 second.
  EXPECT_EQ(furthest_first(4).left.at({2, 1, 3}), stated(3));
  EXPECT_EQ(furthest_first(4, largest_source).left.at({2, 1, 3}), 4);
}

TEST(DissertationClaims, equation_4_9_says_when_each_message_leaves_each_node) {
  for (int n = 2; n <= kLongestLine; ++n) {
    const LineRun run = furthest_first(n);
    size_t moves = 0;
    for (int i = 2; i <= n; ++i) {
      for (int j = 1; j < i; ++j) {
        for (int k = 1; k <= j; ++k, ++moves)
          EXPECT_EQ(run.left.at({j, k, i}), stated(i < n ? j * n - j * i + k : j - k + 1))
              << n << " " << i << " " << j;
      }
    }
    EXPECT_EQ(run.left.size(), moves);  // each message once from each node on its way
  }
}

TEST(DissertationClaims, lemma_4_2_two_nodes_end_each_phase) {
  for (int n = 2; n <= kLongestLine; ++n) {
    std::map<int, int> last_sent;
    std::map<int, int> last_received;
    for (const auto& [move, step] : furthest_first(n).left) {
      const auto [node, source, destination] = move;
      last_sent[node] = std::max(last_sent[node], step);
      if (destination == node + 1) last_received[node + 1] = std::max(last_received[node + 1], step);
    }
    for (int j = 1; j <= n / 2; ++j) {
      EXPECT_EQ(last_sent.at(j), stated(j * n - j * j)) << n;
      EXPECT_EQ(last_received.at(n - j + 1), j * n - j * j) << n;
    }
  }
}

}  // namespace dissertation_1996_lines_test
}  // namespace quadrille
