#include "quadrille/viewer/page_columns.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <map>
#include <set>
#include <tuple>

#include "quadrille/base/files.h"
#include "quadrille/compile/compile.h"
#include "quadrille/compile/make_problem.h"
#include "quadrille/program/arrays/array_layout.h"
#include "quadrille/schedule/plan_reader.h"
#include "quadrille/testing/error_of.test.h"
#include "quadrille/testing/judged_steps.test.h"
#include "quadrille/testing/source_path.test.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace {

// A second reader of the bytes, by the words of the header alone, that shares nothing with the writer or the page.
class Columns {
 public:
  explicit Columns(const std::string& bytes) : bytes_(bytes) {
    for (size_t i = 0; i < 8; ++i) head_.push_back(word(4 * i));
    for (size_t at = 32; at < bytes.size(); at += 8 + word(at + 4))
      columns_[word(at)] = bytes.substr(at + 8, word(at + 4));
  }

  uint32_t head(size_t i) const { return head_.at(i); }
  bool has(uint32_t id) const { return columns_.contains(id); }
  const std::string& raw(uint32_t id) const { return columns_.at(id); }
  std::vector<uint64_t> numbers(uint32_t id) const {
    std::vector<uint64_t> out;
    uint64_t value = 0;
    unsigned shift = 0;
    for (const char c : columns_.at(id)) {
      const auto byte = static_cast<uint8_t>(c);
      value |= uint64_t{byte & 127U} << shift;
      shift += 7;
      if (byte < 128) {
        out.push_back(value);
        value = shift = 0;
      }
    }
    return out;
  }
  std::vector<float> floats(uint32_t id) const {
    std::vector<float> out;
    const std::string& column = columns_.at(id);
    for (size_t i = 0; i < column.size(); i += 4) {
      uint32_t bits = 0;
      for (size_t k = 4; k-- > 0;) bits = bits << 8U | static_cast<uint8_t>(column[i + k]);
      out.push_back(std::bit_cast<float>(bits));
    }
    return out;
  }

 private:
  uint32_t word(size_t at) const {
    uint32_t out = 0;
    for (size_t k = 4; k-- > 0;) out = out << 8U | static_cast<uint8_t>(bytes_.at(at + k));
    return out;
  }
  std::string bytes_;
  std::vector<uint32_t> head_{};
  std::map<uint32_t, std::string> columns_{};
};

int64_t unzigzag(uint64_t x) {
  return x % 2 == 1 ? -static_cast<int64_t>(x / 2) - 1 : static_cast<int64_t>(x / 2);
}

using Name = std::vector<uint64_t>;
using TransferOnPage = std::tuple<std::vector<uint32_t>, std::vector<Name>, bool>;
using Step = std::multiset<TransferOnPage>;

std::vector<Step> steps_of(const Columns& page) {
  const uint32_t nodes = page.head(1);
  const uint32_t flags = page.head(7);
  const uint32_t form = flags >> 2U & 3U;
  std::vector<uint64_t> tails;
  for (const uint64_t d : page.numbers(1)) tails.push_back(d + (tails.empty() ? 0 : tails.back()));
  const auto arcs = page.numbers(13);
  const auto hops = (flags & 1U) != 0 ? std::vector<uint64_t>(page.head(4), 1) : page.numbers(11);
  const auto blocks = (flags & 2U) != 0 ? std::vector<uint64_t>(page.head(4), 1) : page.numbers(12);
  const auto first = form < 2 ? page.numbers(14) : std::vector<uint64_t>{};
  const auto second = form < 1 ? page.numbers(15) : std::vector<uint64_t>{};
  const auto pieces = (flags & 16U) != 0 ? page.numbers(16) : std::vector<uint64_t>{};
  std::vector<Step> out;
  size_t t = 0;
  size_t hop = 0;
  size_t block = 0;
  int64_t piece = 0;
  for (const uint64_t transfers : page.numbers(10)) {
    Step step;
    int64_t arc = 0;
    for (uint64_t i = 0; i < transfers; ++i, ++t) {
      TransferOnPage transfer;
      for (uint64_t h = 0; h < hops.at(t); ++h) {
        arc += unzigzag(arcs.at(hop++));
        std::get<0>(transfer).push_back(static_cast<uint32_t>(arc));
      }
      const uint64_t sender = tails.at(std::get<0>(transfer).front());
      for (uint64_t b = 0; b < blocks.at(t); ++b, ++block) {
        Name name;
        if (form < 2) name.push_back((first.at(block) + sender) % nodes);
        if (form < 1) name.push_back((second.at(block) + sender) % nodes);
        if (!pieces.empty()) name.push_back(static_cast<uint64_t>(piece += unzigzag(pieces.at(block))));
        std::get<1>(transfer).push_back(name);
      }
      if (page.has(17))
        std::get<2>(transfer) = (static_cast<uint8_t>(page.raw(17).at(t / 8)) >> (t % 8) & 1U) != 0;
      step.insert(transfer);
    }
    out.push_back(step);
  }
  EXPECT_EQ(hop, arcs.size());
  EXPECT_EQ(t, page.head(4));
  EXPECT_EQ(block, page.head(6));
  return out;
}

std::vector<std::vector<Name>> names_in_order(const Columns& page) {
  std::vector<std::vector<Name>> out;
  for (const Step& step : steps_of(page)) {
    // In a step transfers are sorted by their first arc, as a multiset of them is.
    out.emplace_back();
    for (const TransferOnPage& transfer : step)
      out.back().insert(out.back().end(), std::get<1>(transfer).begin(), std::get<1>(transfer).end());
  }
  return out;
}

std::vector<Step> steps_of(const Problem& problem, const Plan& plan) {
  std::vector<Step> out;
  for (size_t s = 0; s < plan.num_steps(); ++s) {
    const StepView view = plan.step(s);
    Step step;
    for (size_t t = 0; t < view.size(); ++t) {
      TransferOnPage transfer;
      for (const ArcId arc : view.arcs(t)) std::get<0>(transfer).push_back(static_cast<uint32_t>(index(arc)));
      for (const BlockId block : view.blocks(t)) {
        const BlockName name = problem.block_name(block);
        std::get<1>(transfer).emplace_back(name.parts.begin(), name.parts.begin() + name.size);
      }
      std::get<2>(transfer) = view.op(t) == TransferOp::kCopy;
      step.insert(transfer);
    }
    out.push_back(step);
  }
  return out;
}

std::string packed(const Problem& problem, const Plan& plan, PageSelection selection = {}) {
  PageColumns columns(problem, selection);
  plan.replay(columns);
  return columns.pack(layout_of(problem.topology()));
}

struct Case {
  std::string_view spec;
  CollectiveKind kind;
  Switching switching = Switching::kPacket;
  uint32_t pieces = 1;
};

class PageColumnsHold : public ::testing::TestWithParam<Case> {};

TEST_P(PageColumnsHold, every_transfer_of_a_plan) {
  const auto& [spec, kind, switching, pieces] = GetParam();
  const Problem problem = make_problem(parse_topology(spec), kind, {.switching = switching}, "", pieces);
  const Compiled made = compile(problem);
  const std::string bytes = packed(problem, made.schedule->plan());
  const Columns page(bytes);
  EXPECT_EQ(page.head(0), 0x31575651U);
  EXPECT_EQ(page.head(1), problem.topology().num_nodes());
  EXPECT_EQ(page.head(2), problem.topology().num_arcs());
  EXPECT_EQ(steps_of(page), steps_of(problem, made.schedule->plan()));
  EXPECT_EQ(bytes, packed(problem, made.schedule->plan()));
}

INSTANTIATE_TEST_SUITE_P(
    Plans, PageColumnsHold,
    ::testing::Values(Case{"torus(4,4)", CollectiveKind::kAlltoall},
                      Case{"torus(3,3)", CollectiveKind::kAlltoall, Switching::kWormhole},
                      Case{"fat_tree(2,2)", CollectiveKind::kAllgather},
                      Case{"mesh(3,3)", CollectiveKind::kAllreduce, Switching::kPacket, 5},
                      Case{"ring(5)", CollectiveKind::kAllreduce},
                      Case{"hypercube(3)", CollectiveKind::kScatter, Switching::kPacket, 3},
                      Case{"ring(6)", CollectiveKind::kReduceScatter},
                      Case{"mesh(2,3)", CollectiveKind::kBroadcast, Switching::kWormhole, 2},
                      Case{"ring(1)", CollectiveKind::kAlltoall}));

// By sets of contributors, which share nothing with the counts.
using Sum = std::tuple<Name, uint64_t, uint64_t>;  // of a block: sent, and then at the receiver
std::vector<std::multiset<Sum>> sums_by_sets(const Problem& problem, const Plan& plan) {
  using Who = std::set<uint32_t>;
  std::map<std::tuple<NodeId, BlockId, uint32_t>, Who> sums;
  for (const NodeId node : problem.topology().endpoints())
    for (uint32_t b = 0; b < problem.collective().num_blocks(); ++b)
      sums[{node, BlockId{b}, 0}] = Who{static_cast<uint32_t>(index(node))};
  std::vector<std::multiset<Sum>> out;
  for (size_t s = 0; s < plan.num_steps(); ++s) {
    const StepView view = plan.step(s);
    const auto before = sums;
    std::vector<std::tuple<NodeId, BlockId, size_t>> arrived;
    for (size_t t = 0; t < view.size(); ++t) {
      const NodeId from = problem.topology().tail(view.arcs(t).front());
      const NodeId to = problem.topology().head(view.arcs(t).back());
      for (const BlockId block : view.blocks(t)) {
        Who sent;
        for (uint32_t slot = 0; slot < SumSlots::kCount; ++slot) {
          const auto at = before.find({from, block, slot});
          if (at != before.end() && (view.slots_of(t).from >> slot & 1U) != 0)
            sent.insert(at->second.begin(), at->second.end());
        }
        arrived.emplace_back(to, block, sent.size());
        Who& there = sums[{to, block, view.slots_of(t).to}];
        if (view.op(t) == TransferOp::kCopy) {
          if (view.slots_of(t).to == 0)
            for (uint32_t slot = 1; slot < SumSlots::kCount; ++slot) sums.erase({to, block, slot});
          there = sent;
        } else {
          there.insert(sent.begin(), sent.end());
        }
      }
    }
    out.emplace_back();
    for (const auto& [node, block, sent] : arrived) {
      Who all;
      for (uint32_t slot = 0; slot < SumSlots::kCount; ++slot) {
        const auto at = sums.find({node, block, slot});
        if (at != sums.end()) all.insert(at->second.begin(), at->second.end());
      }
      const BlockName name = problem.block_name(block);
      out.back().insert({Name(name.parts.begin(), name.parts.begin() + name.size), sent, all.size()});
    }
  }
  return out;
}

TEST(PageColumns, tell_of_how_many_contributions_a_sum_is) {
  for (const auto& [spec, kind, pieces] : {std::tuple("ring(5)", CollectiveKind::kAllreduce, 1U),
                                           {"torus(4,4)", CollectiveKind::kAllreduce, 8U},
                                           {"mesh(2,3)", CollectiveKind::kReduceScatter, 2U},
                                           {"fat_tree(2,2)", CollectiveKind::kReduce, 3U}}) {
    const Problem problem = make_problem(parse_topology(spec), kind, {}, "", pieces);
    const Compiled made = compile(problem);
    const Columns page(packed(problem, made.schedule->plan()));
    ASSERT_TRUE(page.has(19));
    const auto sums = page.numbers(19);
    const auto held = page.numbers(23);
    size_t block = 0;
    std::vector<std::multiset<Sum>> found;
    for (const std::vector<Name>& step : names_in_order(page)) {
      found.emplace_back();
      for (const Name& name : step) {
        found.back().insert({name, sums.at(block), held.at(block)});
        ++block;
      }
    }
    EXPECT_EQ(block, sums.size());
    EXPECT_EQ(found, sums_by_sets(problem, made.schedule->plan())) << spec;
    // From the third step on what the first two added up counts.
    if (made.schedule->plan().num_steps() < 3) continue;
    const Columns later(packed(problem, made.schedule->plan(), {.first_step = 2}));
    const auto rest = later.numbers(19);
    EXPECT_TRUE(std::equal(rest.rbegin(), rest.rend(), sums.rbegin()));
  }
  const Problem moves = make_problem(parse_topology("ring(5)"), CollectiveKind::kAlltoall, {});
  EXPECT_FALSE(Columns(packed(moves, compile(moves).schedule->plan())).has(19));
}

TEST(PageColumns, tell_the_network_and_where_it_stands) {
  const Problem problem = make_problem(parse_topology("torus(3,4)"), CollectiveKind::kAllgather);
  const Columns page(packed(problem, compile(problem).schedule->plan()));
  const NetworkLayout layout = layout_of(problem.topology());
  const auto places = page.floats(4);
  ASSERT_EQ(places.size(), 36U);
  EXPECT_EQ(places[3 * 5], layout.x[5]);
  EXPECT_EQ(places[3 * 5 + 1], layout.y[5]);
  EXPECT_EQ(page.raw(5), std::string(layout.wraps.begin(), layout.wraps.end()));
  EXPECT_EQ(page.raw(6), std::string(layout.group.begin(), layout.group.end()));
  EXPECT_FALSE(page.has(3));
  EXPECT_FALSE(page.has(21));
  EXPECT_THAT(page.raw(20), ::testing::StartsWith("(0,0)\n(0,1)\n"));
  EXPECT_EQ(page.numbers(22), std::vector<uint64_t>(12, 1));
  const Topology& net = problem.topology();
  const auto heads = page.numbers(2);
  for (const ArcId arc : net.arcs())
    EXPECT_EQ(int64_t{static_cast<uint32_t>(index(net.tail(arc)))} + unzigzag(heads[index(arc)]),
              int64_t{static_cast<uint32_t>(index(net.head(arc)))});
}

TEST(PageColumns, tell_how_far_links_bend) {
  const Problem cube = make_problem(parse_topology("hypercube(6)"), CollectiveKind::kBroadcast);
  const NetworkLayout layout = layout_of(cube.topology());
  ASSERT_FALSE(layout.bends.empty());
  EXPECT_EQ(Columns(packed(cube, compile(cube).schedule->plan())).floats(7), layout.bends);
  const Problem ring = make_problem(parse_topology("ring(5)"), CollectiveKind::kBroadcast);
  EXPECT_FALSE(Columns(packed(ring, compile(ring).schedule->plan())).has(7));
}

TEST(PageColumns, tell_routers_and_capacities) {
  const Problem problem = make_problem(parse_topology("fat_tree(2,2)"), CollectiveKind::kAlltoall);
  const Columns page(packed(problem, compile(problem).schedule->plan()));
  EXPECT_EQ(page.raw(21), std::string({0, 0, 0, 0, 1, 1, 1}));
  EXPECT_EQ(page.has(3), problem.topology().capacities()[problem.topology().num_arcs() - 1] != 1);
}

TEST(PageColumns, show_some_steps_or_what_some_nodes_do) {
  const Problem problem = make_problem(parse_topology("torus(4,4)"), CollectiveKind::kAlltoall);
  const Compiled made = compile(problem);
  const std::vector<Step> all = steps_of(problem, made.schedule->plan());
  const Columns some(packed(problem, made.schedule->plan(), {.first_step = 2, .end_step = 5}));
  EXPECT_EQ(steps_of(some), std::vector<Step>(all.begin() + 2, all.begin() + 5));
  EXPECT_FALSE(some.has(22));

  const Topology& net = problem.topology();
  std::vector<Step> of_node_3 = all;
  for (Step& step : of_node_3)
    std::erase_if(step, [&](const TransferOnPage& transfer) {
      const ArcId arc{std::get<0>(transfer).front()};
      return net.tail(arc) != NodeId{3} && net.head(arc) != NodeId{3};
    });
  const Columns node(packed(problem, made.schedule->plan(), {.first_node = 3, .end_node = 4}));
  EXPECT_EQ(steps_of(node), of_node_3);
}

TEST(PageColumns, have_times_where_a_step_decides_them) {
  const Model model{.cost = {.ts = 2, .tx = 0.5, .tl = 1, .in_microseconds = true}};
  const Problem problem = make_problem(parse_topology("ring(4)"), CollectiveKind::kAllgather, model);
  const Compiled made = compile(problem, {.bytes = 10});
  PageColumns columns(made.head.problem, {}, 10);
  made.schedule->plan().replay(columns);
  const Columns page(columns.pack(layout_of(problem.topology())));
  const auto starts = page.floats(18);
  ASSERT_EQ(starts.size(), made.verdict.figures.steps + 1);
  EXPECT_EQ(starts.front(), 0);
  ASSERT_TRUE(made.time.has_value());
  EXPECT_FLOAT_EQ(starts.back(), static_cast<float>(made.time->total));

  // Messages of a node beyond its first cost, too; where several go over one link they are one if they go on together.
  for (const auto& [spec, packets] : {std::pair("ring(4)", Packets::kOne), {"torus(3,3)", Packets::kMany}}) {
    Model several = model;
    several.cost.to = 3;
    several.packets = packets;
    const Problem exchange = make_problem(parse_topology(spec), CollectiveKind::kAlltoall, several);
    const Compiled busy = compile(exchange, {.bytes = 10});
    PageColumns with_messages(busy.head.problem, {}, 10);
    busy.schedule->plan().replay(with_messages);
    ASSERT_TRUE(busy.time.has_value() && busy.time->messages > 0);
    EXPECT_FLOAT_EQ(Columns(with_messages.pack(layout_of(exchange.topology()))).floats(18).back(),
                    static_cast<float>(busy.time->total));
  }
}

TEST(PageColumns, have_times_with_what_is_rearranged_where_that_is_known) {
  const Model model{.send = kOnePort,
                    .receive = kOnePort,
                    .switching = Switching::kWormhole,
                    .cost = {.ts = 2, .tx = 0.5, .rho = 1, .in_microseconds = true}};
  const Problem problem = make_problem(parse_topology("mesh(4,4)"), CollectiveKind::kAlltoall, model);
  PageColumns columns(problem, {}, 10);
  const Compiled made = compile(
      problem, {.algorithm = "alltoall_mesh", .bytes = 10, .steps_to = &columns, .rearranged_by_step = true});
  const NetworkLayout layout = layout_of(problem.topology());
  EXPECT_FALSE(Columns(columns.pack(layout)).has(18));
  ASSERT_TRUE(made.rearranged_before && made.time);
  const std::vector<RearrangedBefore>& parts = *made.rearranged_before;
  ASSERT_EQ(parts.size(), lay_out_arrays(*made.schedule).rearrangements());
  ASSERT_GE(parts.size(), 1U);
  columns.rearrange(parts);
  const auto starts = Columns(columns.pack(layout)).floats(18);
  EXPECT_FLOAT_EQ(starts.back(), static_cast<float>(made.time->total));
  // The step that waits for the rearrangement takes so much longer than the blocks that it carries say.
  for (const RearrangedBefore& part : parts)
    EXPECT_GE(starts[part.step + 1] - starts[part.step], 2 + 10 * static_cast<float>(part.blocks));

  // Of some steps alone: those before them count.
  PageColumns last(problem, {.first_step = starts.size() - 2}, 10);
  made.schedule->plan().replay(last);
  last.rearrange(parts);
  const auto end = Columns(last.pack(layout)).floats(18);
  ASSERT_EQ(end.size(), 2U);
  EXPECT_FLOAT_EQ(end.back(), starts.back());

  // What is copied has no arrays, and a price all the same.
  const Compiled copies = compile(make_problem(parse_topology("ring(4)"), CollectiveKind::kAllgather, model),
                                  {.bytes = 10, .rearranged_by_step = true});
  ASSERT_TRUE(copies.rearranged_before);
  EXPECT_TRUE(copies.rearranged_before->empty());
}

TEST(PageColumns, leave_out_hops_over_no_link) {
  const std::string path = source_path("testdata/bad_plans/path_exists__a_worm_jumps.plan");
  const PlanFile file = read_plan(read_file(path), path);
  PageColumns columns(file.problem);
  file.plan.replay(columns);
  EXPECT_GE(columns.missing_hops(), 1U);
  const Columns page(columns.pack(layout_of(file.problem.topology())));
  for (const Step& step : steps_of(page))
    for (const TransferOnPage& transfer : step)
      for (const uint32_t arc : std::get<0>(transfer)) EXPECT_LT(arc, file.problem.topology().num_arcs());
}

TEST(PageColumns, say_what_to_leave_out_when_there_is_too_much) {
  const Problem problem =
      make_problem(parse_topology("ring(2)"), CollectiveKind::kAlltoall, {.switching = Switching::kWormhole});
  PageColumns columns(problem, {}, std::nullopt, 1000);
  const std::vector<BlockId> many(999, BlockId{1});
  StepBuilder step;
  step.add(std::vector{ArcId{0}}, many);
  step.flush(columns);
  step.add(ArcId{0}, BlockId{1});
  EXPECT_THAT(error_of([&] { step.flush(columns); }),
              ::testing::AllOf(::testing::HasSubstr("1,000 hops and blocks"),
                               ::testing::HasSubstr("--steps 0:1"), ::testing::HasSubstr("--nodes 0:16")));
}

TEST(PageColumns, append_numbers_by_their_differences) {
  const Problem problem = make_problem(parse_topology("ring(3)"), CollectiveKind::kAllgather);
  std::string bytes = packed(problem, compile(problem).schedule->plan());
  PageColumns::append_numbers(bytes, 30, std::vector<uint64_t>{5, 3, 300, 1ULL << 40U});
  std::vector<int64_t> sums;
  for (const uint64_t d : Columns(bytes).numbers(30))
    sums.push_back(unzigzag(d) + (sums.empty() ? 0 : sums.back()));
  EXPECT_EQ(sums, (std::vector<int64_t>{5, 3, 300, 1LL << 40U}));
}

TEST(PageColumns, name_blocks_as_addresses_do) {
  const Problem exchange = make_problem(parse_topology("fat_tree(2,2)"), CollectiveKind::kAlltoall);
  EXPECT_EQ(page_block_key(exchange, BlockId{1 * 4 + 2}), "1-2");
  const Problem pieces = make_problem(parse_topology("ring(4)"), CollectiveKind::kAllgather, {}, "", 3);
  EXPECT_EQ(page_block_key(pieces, BlockId{2 * 3 + 1}), "2.1");
  const Problem sum = make_problem(parse_topology("ring(4)"), CollectiveKind::kAllreduce, {}, "", 3);
  EXPECT_EQ(page_block_key(sum, BlockId{2}), "2");
}

}  // namespace
}  // namespace quadrille
