// Claims of the mesh paper that a run does not show: what lies where in the arrays before and after every
// step, and which links the paths of a step take. The arrays are moved here as section 3.3 says, by all nodes
// and block by block; the schedule of the program is held against them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/schedule/plan.h"
#include "quadrille/schedule/problem.h"
#include "quadrille/testing/judged_steps.test.h"
#include "quadrille/testing/stated.test.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {

namespace algorithms {
extern const Algorithm alltoall_mesh;
extern const Algorithm alltoall_mesh_longest_first;
}  // namespace algorithms

namespace meshes_test {

struct Place {
  uint32_t r = 0;
  uint32_t c = 0;
  friend auto operator<=>(const Place&, const Place&) = default;
};

struct Block {
  Place from{};
  Place to{};
  friend auto operator<=>(const Block&, const Block&) = default;
};

// Which way the rings of odd coordinates run, and the hops that order the blocks of their nodes are counted:
// forward, as section 3.2 has it, or backward.
enum class Odd { kForward, kBackward };

// All nodes' arrays on an R x C mesh, R and C even. B[u][v] is u hops along the node's direction of phase 2
// and v hops along that of phase 1; the rows go along the line of nodes that phase 1 takes.
class Arrays {
 public:
  using Array = std::vector<std::vector<Block>>;
  using Sent = std::map<Place, std::set<Block>>;

  Arrays(uint32_t rows, uint32_t columns, Odd odd) : rows_(rows), columns_(columns), odd_(odd) {
    for (const Place p : places()) {
      Array& array = arrays_[p];
      array.resize(along_row(p) ? rows_ : columns_);
      for (uint32_t u = 0; u < array.size(); ++u) {
        for (uint32_t v = 0; v < (along_row(p) ? columns_ : rows_); ++v)
          array[u].push_back({p, hopped(hopped(p, along_row(p), v), !along_row(p), u)});
      }
    }
  }

  [[nodiscard]] std::vector<Place> places() const {
    std::vector<Place> out;
    for (uint32_t r = 0; r < rows_; ++r) {
      for (uint32_t c = 0; c < columns_; ++c) out.push_back({r, c});
    }
    return out;
  }
  // EE and OO take their row in phase 1, EO and OE their column.
  [[nodiscard]] static bool along_row(Place p) { return p.r % 2 == p.c % 2; }
  [[nodiscard]] const Array& at(Place p) const { return arrays_.at(p); }

  // Step i of phase 1: columns 2i to the end go to the next node of the ring, and into the same columns.
  Sent phase1(uint32_t i) {
    return ring_step(i, true, [&](Array& mine, const Array& theirs) {
      for (size_t u = 0; u < mine.size(); ++u)
        std::copy(theirs[u].begin() + 2 * i, theirs[u].end(), mine[u].begin() + 2 * i);
    });
  }
  // Step j of phase 2: the same with rows.
  Sent phase2(uint32_t j) {
    return ring_step(j, false, [&](Array& mine, const Array& theirs) {
      std::copy(theirs.begin() + 2 * j, theirs.end(), mine.begin() + 2 * j);
    });
  }

 private:
  [[nodiscard]] Place hopped(Place p, bool in_row, uint32_t hops) const {
    uint32_t& x = in_row ? p.c : p.r;
    const uint32_t side = in_row ? columns_ : rows_;
    x = x % 2 == 1 && odd_ == Odd::kBackward ? (x + side - hops % side) % side : (x + hops) % side;
    return p;
  }

  template <typename Receive>
  Sent ring_step(uint32_t step, bool first_phase, const Receive& receive) {
    Sent sent;
    const std::map<Place, Array> before = arrays_;
    for (const Place p : places()) {
      const bool in_row = along_row(p) == first_phase;
      if (2 * step >= (in_row ? columns_ : rows_)) continue;  // the shorter rings are done
      const Array& mine = before.at(p);
      for (uint32_t u = 0; u < mine.size(); ++u) {
        for (uint32_t v = 0; v < mine[u].size(); ++v) {
          if ((first_phase ? v : u) >= 2 * step) sent[p].insert(mine[u][v]);
        }
      }
      receive(arrays_[hopped(p, in_row, 2)], mine);
    }
    return sent;
  }

  uint32_t rows_;
  uint32_t columns_;
  Odd odd_;
  std::map<Place, Array> arrays_;
};

// Phase 3 with the blocks in quadrants, clockwise: for the node itself, for its partner of step 1, for the
// one across, for its partner of step 2.
struct Quadrants {
  std::array<std::vector<Block>, 4> of;
  std::vector<Block> strays;  // for nobody in the cell
};

Place in_column(Place p) { return {p.r, p.c ^ 1U}; }
Place in_row(Place p) { return {p.r ^ 1U, p.c}; }

std::map<Place, Quadrants> rearranged(const Arrays& arrays) {
  std::map<Place, Quadrants> out;
  for (const Place p : arrays.places()) {
    const std::array<Place, 4> targets{p, in_column(p), in_row(in_column(p)), in_row(p)};
    for (const std::vector<Block>& row : arrays.at(p)) {
      for (const Block& block : row) {
        const auto found = std::ranges::find(targets, block.to);
        (found == targets.end() ? out[p].strays : out[p].of[static_cast<size_t>(found - targets.begin())])
            .push_back(block);
      }
    }
  }
  return out;
}

Arrays::Sent swap(std::map<Place, Quadrants>& all, Place (*partner)(Place), std::array<size_t, 2> quadrants) {
  Arrays::Sent sent;
  const std::map<Place, Quadrants> before = all;
  for (auto& [p, mine] : all) {
    for (const size_t q : quadrants) {
      const std::vector<Block>& given = before.at(p).of[q];
      sent[p].insert(given.begin(), given.end());
      mine.of[q] = before.at(partner(p)).of[q];
    }
  }
  return sent;
}

// The whole exchange: what every node sends in every step, and in the end has.
struct Done {
  std::vector<Arrays::Sent> sent;
  std::map<Place, Quadrants> last;
};

Done exchange(uint32_t rows, uint32_t columns, Odd odd) {
  Done out;
  Arrays arrays(rows, columns, odd);
  const uint32_t steps = std::max(rows, columns) / 2;
  for (uint32_t i = 1; i < steps; ++i) out.sent.push_back(arrays.phase1(i));
  for (uint32_t j = 1; j < steps; ++j) out.sent.push_back(arrays.phase2(j));
  out.last = rearranged(arrays);
  out.sent.push_back(swap(out.last, in_column, {1, 2}));
  out.sent.push_back(swap(out.last, in_row, {2, 3}));
  return out;
}

// Blocks that end where they do not belong, by their ends.
std::map<Block, Place> lost(const Done& done) {
  std::map<Block, Place> out;
  const auto look = [&](Place p, const std::vector<Block>& blocks) {
    for (const Block& block : blocks) {
      if (block.to != p) out[block] = p;
    }
  };
  for (const auto& [p, quadrants] : done.last) {
    for (const std::vector<Block>& quadrant : quadrants.of) look(p, quadrant);
    look(p, quadrants.strays);
  }
  return out;
}

Plan plan_of(const Algorithm& card, const Problem& problem) {
  Plan plan;
  cheapest(card.prepare(problem).plans)->generate(plan);  // also where another card is as good
  return plan;
}

// What every node sends in a step of the schedule.
Arrays::Sent sent_in(const Problem& problem, const StepView& step, uint32_t columns) {
  const auto place = [&](NodeId v) {
    const auto i = static_cast<uint32_t>(index(v));
    return Place{i / columns, i % columns};
  };
  Arrays::Sent out;
  for (size_t t = 0; t < step.size(); ++t) {
    std::set<Block>& sent = out[place(problem.topology().tail(step.arcs(t).front()))];
    for (const BlockId block : step.blocks(t))
      sent.insert({place(problem.origin(block)), place(problem.destination(block))});
  }
  return out;
}

// --- section 3 ------------------------------------------------------------------------------------------

// Where the blocks of row u of an array come from and go to: "00>02 00>03".
std::string row_of(const Arrays::Array& array, size_t u) {
  std::string out;
  for (const Block& b : array[u])
    out += fmt::format("{}{}{}>{}{}", out.empty() ? "" : " ", b.from.r, b.from.c, b.to.r, b.to.c);
  return out;
}

TEST(MeshClaims, Figure2) {
  Arrays arrays(6, 6, Odd::kBackward);
  const auto row = [&](size_t u) { return row_of(arrays.at({0, 0}), u); };
  EXPECT_EQ(row(0), stated("00>00 00>01 00>02 00>03 00>04 00>05"));  // (a): the network itself
  EXPECT_EQ(row(5), "00>50 00>51 00>52 00>53 00>54 00>55");
  arrays.phase1(1);  // (b): columns 2 to 5 from (0,4)
  EXPECT_EQ(row(0), "00>00 00>01 04>00 04>01 04>02 04>03");
  EXPECT_EQ(row(3), "00>30 00>31 04>30 04>31 04>32 04>33");
  arrays.phase1(2);  // (c): columns 4 and 5 once more, by now those of (0,2)
  EXPECT_EQ(row(0), "00>00 00>01 04>00 04>01 02>00 02>01");
  EXPECT_EQ(row(5), "00>50 00>51 04>50 04>51 02>50 02>51");
  arrays.phase2(1);  // (d): rows 2 to 5 from (4,0)
  EXPECT_EQ(row(1), "00>10 00>11 04>10 04>11 02>10 02>11");
  EXPECT_EQ(row(2), "40>00 40>01 44>00 44>01 42>00 42>01");
  EXPECT_EQ(row(5), "40>30 40>31 44>30 44>31 42>30 42>31");
  arrays.phase2(2);  // (e): all blocks are for the four nodes of the cell
  EXPECT_EQ(row(3), "40>10 40>11 44>10 44>11 42>10 42>11");
  EXPECT_EQ(row(4), "20>00 20>01 24>00 24>01 22>00 22>01");
  std::map<Place, Quadrants> all = rearranged(arrays);  // (f): nine for each
  const Quadrants& mine = all.at({0, 0});
  for (const std::vector<Block>& quadrant : mine.of) EXPECT_EQ(quadrant.size(), 9U);
  swap(all, in_column, {1, 2});  // (g): half are for the node, half for (1,0)
  for (const size_t q : {0U, 1U, 2U, 3U}) {
    for (const Block& block : mine.of[q]) EXPECT_EQ(block.to, q < 2 ? (Place{0, 0}) : (Place{1, 0}));
  }
  swap(all, in_row, {2, 3});  // (h): one block from every node
  std::set<Place> sources;
  for (const std::vector<Block>& quadrant : mine.of) {
    for (const Block& block : quadrant) {
      EXPECT_EQ(block.to, (Place{0, 0}));
      sources.insert(block.from);
    }
  }
  EXPECT_EQ(sources.size(), 36U);
}

// And not only (0,0), nor only on 6 x 6; and what the arrays send is what the schedule sends.
TEST(MeshClaims, Figure2OfEveryNode) {
  for (uint32_t rows = 2; rows <= 8; rows += 2) {
    for (uint32_t columns = rows; columns <= 8; columns += 2) {
      const std::string spec = fmt::format("mesh({},{})", rows, columns);
      const Done done = exchange(rows, columns, Odd::kBackward);
      EXPECT_TRUE(lost(done).empty()) << spec;
      const Problem problem = worms_on(spec);
      const Plan plan = plan_of(algorithms::alltoall_mesh, problem);
      ASSERT_EQ(plan.num_steps(), done.sent.size()) << spec;
      for (size_t s = 0; s < plan.num_steps(); ++s)
        EXPECT_EQ(sent_in(problem, plan.step(s), columns), done.sent[s]) << spec << ", step " << s + 1;
    }
  }
}

TEST(MeshClaims, Figure3) {
  // As described: (2,1) in the corner, its column along the row, both directions forward.
  const Arrays forward(6, 6, Odd::kForward);
  EXPECT_EQ(row_of(forward.at({2, 1}), 0), stated("21>21 21>31 21>41 21>51 21>01 21>11"));
  EXPECT_EQ(row_of(forward.at({2, 1}), 1), "21>22 21>32 21>42 21>52 21>02 21>12");
  // With it half of the blocks of (2,1) never arrive, those for even columns: row 1 is not in its cell.
  const std::map<Block, Place> wrong = lost(exchange(6, 6, Odd::kForward));
  std::set<Place> missed;
  for (const auto& [block, at] : wrong) {
    if (block.from == Place{2, 1}) missed.insert(block.to);
  }
  EXPECT_EQ(missed.size(), 18U);
  EXPECT_TRUE(std::ranges::all_of(missed, [](Place p) { return p.c % 2 == 0; }));
  // The smallest mesh where that happens is 2 x 4.
  EXPECT_TRUE(lost(exchange(2, 2, Odd::kForward)).empty());
  const std::map<Block, Place> smallest = lost(exchange(2, 4, Odd::kForward));
  ASSERT_TRUE(smallest.contains({{0, 1}, {0, 2}}));
  EXPECT_EQ(smallest.at({{0, 1}, {0, 2}}), (Place{0, 1}));
  // Right: odd coordinates run, and are counted, backward. Figure2OfEveryNode shows that it delivers.
  const Arrays backward(6, 6, Odd::kBackward);
  EXPECT_EQ(row_of(backward.at({2, 1}), 0), "21>21 21>31 21>41 21>51 21>01 21>11");
  EXPECT_EQ(row_of(backward.at({2, 1}), 1), "21>20 21>30 21>40 21>50 21>00 21>10");
  EXPECT_TRUE(lost(exchange(6, 6, Odd::kBackward)).empty());
}

// Where the printed phase 3 sends: step 2 has EE and OE down, OO and EO up.
TEST(MeshClaims, Section32Phase3Step2) {
  for (uint32_t rows = 2; rows <= 8; rows += 2) {
    for (uint32_t columns = 2; columns <= 8; columns += 2) {
      uint32_t out_of_the_mesh = 0;
      std::set<Place> printed;
      std::set<Place> corrected;
      for (const Place p : Arrays(rows, columns, Odd::kForward).places()) {
        const bool down = p.c % 2 == 0;
        if (down ? p.r + 1 == rows : p.r == 0) {
          ++out_of_the_mesh;
        } else {
          printed.insert({down ? p.r + 1 : p.r - 1, p.c});
        }
        corrected.insert(in_row(p));  // EE and EO down, OE and OO up
      }
      // OE in the last row, EO in the first.
      EXPECT_EQ(out_of_the_mesh, stated(columns)) << rows << " x " << columns;
      EXPECT_EQ(printed.size(), stated(size_t{rows - 1} * columns)) << rows << " x " << columns;
      EXPECT_EQ(corrected.size(), size_t{rows} * columns);
    }
  }
}

TEST(MeshClaims, Section33Phase1Array) {
  // Rings that run forward, and the array counted from the node's own column: smallest 2 x 4.
  EXPECT_EQ(lost(exchange(2, 2, Odd::kForward)).size(), stated(0U));
  const std::map<Block, Place> smallest = lost(exchange(2, 4, Odd::kForward));
  ASSERT_TRUE(smallest.contains({{0, 1}, {0, 2}}));
  EXPECT_EQ(smallest.at({{0, 1}, {0, 2}}) == (Place{0, 1}), stated(true));
  EXPECT_EQ(lost(exchange(2, 4, Odd::kBackward)).size(), stated(0U));
  // B[u,v] as printed is u < R hops along the ring of phase 1, which has C places, and v < C hops along that of phase
  // 2, which has R: most blocks have no place, others two.
  for (uint32_t rows = 2; rows <= 8; rows += 2) {
    for (uint32_t columns = rows; columns <= 8; columns += 2) {
      std::set<Place> has_a_place;
      for (uint32_t u = 0; u < rows; ++u)
        for (uint32_t v = 0; v < columns; ++v) has_a_place.insert({v % rows, u % columns});
      EXPECT_EQ(has_a_place.size(), stated(size_t{rows} * rows)) << rows << " x " << columns;
    }
  }
}

// The pieces of memory that the two sends of phase 3 are made of, where four quarters lie one after another: for the
// node itself, for its partner of step 1, for the one across and for its partner of step 2.
enum class Quarter { kSelf, kStep1, kAcross, kStep2 };
std::pair<int, int> pieces_of_phase_3(std::array<Quarter, 4> memory) {
  const auto pieces = [&](auto goes) {
    int count = 0;
    for (size_t i = 0; i < 4; ++i) count += goes(memory[i]) && (i == 0 || !goes(memory[i - 1])) ? 1 : 0;
    return count;
  };
  const int first = pieces([](Quarter q) { return q == Quarter::kStep1 || q == Quarter::kAcross; });
  for (Quarter& q : memory) {  // what comes, into the same places: for the node, or for its partner of step 2
    if (q == Quarter::kStep1) {
      q = Quarter::kSelf;
    } else if (q == Quarter::kAcross) {
      q = Quarter::kStep2;
    }
  }
  return {first, pieces([](Quarter q) { return q == Quarter::kStep2; })};
}

TEST(MeshClaims, Section33Phase3Array) {
  // Clockwise from the upper left: itself, step 1, across, step 2; column after column in memory.
  const std::pair clockwise =
      pieces_of_phase_3({Quarter::kSelf, Quarter::kStep2, Quarter::kStep1, Quarter::kAcross});
  EXPECT_EQ(clockwise.first, stated(1));
  EXPECT_EQ(clockwise.second, stated(2));
  const std::pair ours =
      pieces_of_phase_3({Quarter::kSelf, Quarter::kStep2, Quarter::kAcross, Quarter::kStep1});
  EXPECT_EQ(ours.first, stated(1));
  EXPECT_EQ(ours.second, stated(1));
}

// The order of dimensions of a node, by the parities of its coordinates: by the last one, the dimension last or first;
// the others as in a mesh without it. It begins with two dimensions, or with one.
std::vector<size_t> order_of(const std::vector<uint32_t>& at, size_t dimensions, size_t begin) {
  if (dimensions == 1) return {0};
  if (dimensions == 2 && begin == 2)
    return at[0] % 2 == at[1] % 2 ? std::vector<size_t>{1, 0} : std::vector<size_t>{0, 1};
  std::vector<size_t> order = order_of(at, dimensions - 1, begin);
  const bool last = at[dimensions - 1] % 2 == 0;
  order.insert(last ? order.end() : order.begin(), dimensions - 1);
  return order;
}

// Whether two hops to the next node of a ring meet on a link in some phase.
bool rings_collide(const std::vector<uint32_t>& sides, size_t begin) {
  const size_t n = sides.size();
  for (size_t phase = 0; phase < n; ++phase) {
    std::set<std::vector<uint32_t>> links;  // node, dimension, direction
    std::vector<uint32_t> at(n, 0);
    for (bool more = true; more;) {
      const size_t d = order_of(at, n, begin)[phase];
      const uint32_t to = (at[d] + 2) % sides[d];
      for (uint32_t x = at[d]; x != to; x = to > at[d] ? x + 1 : x - 1) {
        std::vector<uint32_t> link = at;
        link[d] = x;
        link.push_back(static_cast<uint32_t>(d));
        link.push_back(to > at[d] ? 1 : 0);
        if (!links.insert(link).second) return true;
      }
      more = false;
      for (size_t i = 0; i < n && !more; ++i) {
        more = ++at[i] < sides[i];
        if (!more) at[i] = 0;
      }
    }
  }
  return false;
}

TEST(MeshClaims, Section4Order) {
  using Sides = std::vector<uint32_t>;
  for (const Sides& sides :
       {Sides{4, 4}, {6, 6}, {2, 4, 6}, {4, 4, 4}, {6, 4, 6}, {4, 4, 2, 6}, {4, 4, 4, 4}})
    EXPECT_EQ(rings_collide(sides, 2), stated(false)) << sides.size() << " dimensions";
  // Begun with one dimension the rule collides in two, smallest 4 x 2.
  EXPECT_EQ(rings_collide({2, 2}, 1), stated(false));
  EXPECT_EQ(rings_collide({4, 2}, 1), stated(true));
}

TEST(MeshClaims, GroupsIdleForHalfTheDifferenceOfTheSides) {
  for (uint32_t rows = 2; rows <= 8; rows += 2) {
    for (uint32_t columns = rows; columns <= 12; columns += 2) {
      const Problem problem = worms_on(fmt::format("mesh({},{})", rows, columns));
      const Plan plan = plan_of(algorithms::alltoall_mesh, problem);
      const ProductStructure& product = *problem.topology().product();
      // Steps of phase 1 in which a node of a group sends: EE or OO, and EO or OE.
      uint32_t alike = 0;
      uint32_t mixed = 0;
      for (size_t s = 0; s < columns / 2 - 1; ++s) {
        const StepView step = plan.step(s);
        bool sends[2] = {false, false};
        for (size_t t = 0; t < step.size(); ++t) {
          const NodeId from = problem.topology().tail(step.arcs(t).front());
          sends[(product.coordinate(from, 0) + product.coordinate(from, 1)) % 2] = true;
        }
        alike += sends[0] ? 1 : 0;
        mixed += sends[1] ? 1 : 0;
      }
      EXPECT_EQ(alike, stated(columns / 2 - 1)) << rows << " x " << columns;
      EXPECT_EQ(mixed, stated(rows / 2 - 1)) << rows << " x " << columns;
      EXPECT_EQ(alike - mixed, stated((columns - rows) / 2)) << rows << " x " << columns;
    }
  }
}

// --- section 6 ------------------------------------------------------------------------------------------

// What keeps the paths of a step from being set up all at once: nothing, or the reason.
std::string obstacle(const Topology& mesh, const StepView& step) {
  std::set<ArcId> taken;
  std::set<NodeId> senders;
  std::set<NodeId> receivers;
  for (size_t t = 0; t < step.size(); ++t) {
    const std::span<const ArcId> path = step.arcs(t);
    const NodeId from = mesh.tail(path.front());
    const NodeId to = mesh.head(path.back());
    if (!senders.insert(from).second) return mesh.label(from) + " sends twice";
    if (!receivers.insert(to).second) return mesh.label(to) + " receives twice";
    for (size_t i = 0; i < path.size(); ++i) {
      if (!taken.insert(path[i]).second) return "a link is in two paths";
      if (i > 0 && mesh.head(path[i - 1]) != mesh.tail(path[i])) return "a path with a gap";
    }
    size_t turns = 0;
    for (size_t d = 0; d < mesh.product()->factors.size(); ++d)
      turns += mesh.product()->coordinate(from, d) != mesh.product()->coordinate(to, d) ? 1 : 0;
    if (turns != 1) return "a path that turns";
  }
  return "";
}

using Pair = std::pair<NodeId, NodeId>;
Pair unordered(NodeId a, NodeId b) { return a < b ? Pair{a, b} : Pair{b, a}; }

// Whether two circuits would meet on a link if each held both directions of its links; the two of a pair that
// exchanges are one.
bool two_way_circuits_meet(const Topology& mesh, const StepView& step) {
  std::map<Pair, std::set<Pair>> pairs;
  for (size_t t = 0; t < step.size(); ++t) {
    const std::span<const ArcId> path = step.arcs(t);
    const Pair ends = unordered(mesh.tail(path.front()), mesh.head(path.back()));
    for (const ArcId arc : path) pairs[unordered(mesh.tail(arc), mesh.head(arc))].insert(ends);
  }
  return std::ranges::any_of(pairs, [](const auto& entry) { return entry.second.size() > 1; });
}

bool two_way_circuits_meet(std::string_view spec) {
  const Problem problem = worms_on(spec);
  const Plan plan = plan_of(algorithms::alltoall_mesh, problem);
  for (size_t s = 0; s < plan.num_steps(); ++s) {
    if (two_way_circuits_meet(problem.topology(), plan.step(s))) return true;
  }
  return false;
}

TEST(MeshClaims, Section6Switching) {
  std::vector<std::string> specs = {"mesh(3,4,5)", "mesh(4,4,4)", "mesh(6,4,4)", "mesh(2,2,2,2)"};
  for (uint32_t rows = 2; rows <= 9; ++rows) {
    for (uint32_t columns = 2; columns <= 9; ++columns)
      specs.push_back(fmt::format("mesh({},{})", rows, columns));
  }
  for (const std::string& spec : specs) {
    const Problem problem = worms_on(spec);
    for (const Algorithm* card : {&algorithms::alltoall_mesh, &algorithms::alltoall_mesh_longest_first}) {
      const Plan plan = plan_of(*card, problem);
      for (size_t s = 0; s < plan.num_steps(); ++s)
        EXPECT_EQ(obstacle(problem.topology(), plan.step(s)), stated(""))
            << card->name << " on " << spec << ", step " << s;
    }
  }
}

// The hop back from the end of a ring of three meets the hops forward; shorter rings are pairs.
TEST(MeshClaims, Section6TwoWayCircuits) {
  for (uint32_t rows = 2; rows <= 7; ++rows) {
    for (uint32_t columns = 2; columns <= 7; ++columns) {
      EXPECT_EQ(two_way_circuits_meet(fmt::format("mesh({},{})", rows, columns)),
                std::max(rows, columns) >= 5)
          << rows << " x " << columns;
    }
  }
}

}  // namespace meshes_test
}  // namespace quadrille
