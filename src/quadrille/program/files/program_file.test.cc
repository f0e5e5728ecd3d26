#include "quadrille/program/files/program_file.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "quadrille/base/input_error.h"
#include "quadrille/base/random.h"
#include "quadrille/collective/counts.h"
#include "quadrille/compile/compile.h"
#include "quadrille/program/check_program.h"
#include "quadrille/program/lower.h"
#include "quadrille/program/lowering/lower_sums.h"
#include "quadrille/program/program_digest.h"
#include "quadrille/program/sample_schedules.test.h"
#include "quadrille/testing/error_of.test.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace program_file_test {

std::vector<ProgramFile> samples() {
  std::vector<ProgramFile> out;
  out.push_back({lower(testing::direct_alltoall(3, 2)), "complete(3)", "direct"});
  out.push_back({lower(testing::direct_alltoall(1)), "complete(1)", ""});
  out.push_back({lower(testing::ring_reduce_scatter(4)), "ring(4)", "ring", true});
  out.push_back({lower(testing::both_ways_allreduce(5, 2)), "ring(5)", "both ways, \"quoted\""});
  out.push_back({lower(testing::switch_allreduce(4)), "star(4)", "switch"});
  for (const CollectiveKind kind : kCollectiveKinds) {
    for (uint64_t seed = 0; seed < 3; ++seed) {
      const Problem problem = standard_problem(parse_topology("mesh(2,3)"), kind, {}, NodeId{2}, 2);
      out.push_back({lower(testing::random_schedule(problem, seed)), "mesh(2,3)", "random"});
    }
  }
  return out;
}

// Of an allreduce whose pieces go with the ranks.
ProgramFile dealt_sample() {
  const Problem problem =
      standard_problem(parse_topology("torus(2,3)"), CollectiveKind::kAllreduce, {}, NodeId{0}, 12);
  const Compiled made = compile(problem, {.algorithm = "allreduce_node_invariant"});
  Translations all = *translations_of(problem.topology());
  all.deals_out = true;
  SumLowering lowering(problem, all);
  made.schedule->plan().replay(lowering);
  return {{problem.collective(), {*lowering.finish()}}, "torus(2,3)", "allreduce_node_invariant", false, all};
}

// Rank 0's programs, which are everybody's.
std::vector<ProgramFile> translated_samples() {
  std::vector<ProgramFile> out;
  for (const uint32_t pieces : {1U, 2U}) {
    for (const uint32_t ranks : {2U, 5U}) {
      const Program all = lower(testing::direct_alltoall(ranks, pieces));
      out.push_back({{all.collective, {all.ranks[0]}},
                     "complete",
                     "direct",
                     false,
                     translations_of(parse_topology("complete(" + std::to_string(ranks) + ")"))});
    }
  }
  const Program scattered = lower(testing::ring_reduce_scatter(5, 2));
  out.push_back({{scattered.collective, {scattered.ranks[0]}},
                 "ring(5)",
                 "",
                 false,
                 translations_of(parse_topology("ring(5)"))});
  const Program doubled = lower(testing::doubling_allreduce(2));
  out.push_back({{doubled.collective, {doubled.ranks[0]}},
                 "hypercube(2)",
                 "",
                 false,
                 translations_of(parse_topology("hypercube(2)"))});
  out.push_back(dealt_sample());
  return out;
}

uint32_t word(const std::string& bytes, size_t at) {
  uint32_t out = 0;
  for (size_t b = 0; b < 4; ++b) out |= uint32_t{static_cast<unsigned char>(bytes[at * 4 + b])} << (8 * b);
  return out;
}
void set_word(std::string& bytes, size_t at, uint64_t value) {
  for (size_t b = 0; b < 4; ++b) bytes[at * 4 + b] = static_cast<char>(value >> (8 * b) & 255U);
}

// Whoever alters a file on purpose puts its digest right.
std::string with_digest(std::string bytes) {
  Digest digest;
  for (size_t at = 6; at < bytes.size() / 4; ++at) digest.add(uint64_t{word(bytes, at)});
  set_word(bytes, 4, digest.value() & UINT32_MAX);
  set_word(bytes, 5, digest.value() >> 32U);
  return bytes;
}

std::string refusal(const std::string& bytes) {
  return error_of([&] { static_cast<void>(read_program(bytes, "x.qprog")); });
}

std::string altered(size_t at, uint64_t value) {
  std::string bytes = write_program({lower(testing::direct_alltoall(3)), "complete(3)", "direct"});
  set_word(bytes, at, value);
  return refusal(with_digest(bytes));
}

TEST(ProgramFile, IsReadAsItWasWritten) {
  for (const ProgramFile& file : samples()) {
    const std::string bytes = write_program(file);
    EXPECT_EQ(bytes.size() % 4, 0U);
    EXPECT_EQ(read_program(bytes, "x.qprog"), file) << file.program.collective.name();
    EXPECT_EQ(write_program(read_program(bytes, "x.qprog")), bytes);
  }
}

TEST(ProgramFile, HasOnePartWhereAllRanksDoTheSame) {
  for (const ProgramFile& file : translated_samples()) {
    const std::string bytes = write_program(file);
    EXPECT_EQ(word(bytes, 2), file.translations->deals_out ? 3U : 2U);
    EXPECT_EQ(read_program(bytes, "x.qprog"), file);
    const Program all = all_programs(file);
    EXPECT_TRUE(check_program(all).empty());
    ASSERT_EQ(all.ranks.size(), all.collective.num_ranks());
    for (uint32_t r = 0; r < all.ranks.size(); ++r) {
      EXPECT_EQ(index(all.ranks[r].rank), r);
      // It keeps its own block, and no other.
      size_t copies = 0;
      for (const Action& action : all.ranks[r].actions) {
        if (action.kind != ActionKind::kCopy || all.collective.kind() != CollectiveKind::kAlltoall) continue;
        EXPECT_EQ(all.ranks[r].runs_of(action)[0].first, r * all.collective.pieces());
        ++copies;
      }
      EXPECT_EQ(copies, all.collective.kind() == CollectiveKind::kAlltoall ? 1U : 0U);
    }
    const size_t table = word(bytes, 15);
    EXPECT_EQ(word(bytes, table + 1), bytes.size() / 4);
    EXPECT_EQ(word(bytes, table + 2), file.translations->generators.size());
    EXPECT_EQ(word(bytes, word(bytes, table)), 0U);  // rank
  }
}

TEST(ProgramFile, RefusesWaysThatLeadNowhere) {
  const std::string good = write_program(translated_samples()[1]);
  const size_t table = word(good, 15);
  const auto spoilt = [&](size_t at, uint64_t value) {
    std::string bad = good;
    set_word(bad, at, value);
    return refusal(with_digest(bad));
  };
  EXPECT_EQ(spoilt(table + 2, 1U << 20U),
            "x.qprog: damaged: the ways to the ranks lie behind the end of the file");
  EXPECT_EQ(spoilt(table + 3, word(good, table + 4)),
            "x.qprog: damaged: generator 0 does not move each rank to another");
  const size_t ways = table + 3 + 5 * size_t{word(good, table + 2)};
  EXPECT_EQ(spoilt(ways + 2, 1), "x.qprog: damaged: the way to rank 1 does not come from rank 0");
  EXPECT_EQ(spoilt(ways + 3, word(good, ways + 3) ^ 1U).find("x.qprog: damaged: the way to rank 1 leads to "),
            0U);
  EXPECT_EQ(spoilt(10, 1), "x.qprog: damaged: a program that is not the same on all ranks has one part");
}

TEST(ProgramFile, RefusesToDealOutWhatIsNotAVectorOfAsManyPieces) {
  std::string exchange = write_program(translated_samples()[1]);
  set_word(exchange, 2, 3);
  EXPECT_EQ(refusal(exchange), "x.qprog: damaged: alltoall in 1 pieces has no blocks to deal out to 5 ranks");
  // The blocks that stay are other blocks.
  std::string dealt = write_program(dealt_sample());
  set_word(dealt, 2, 2);
  EXPECT_EQ(refusal(dealt).find("x.qprog: a bad program: [matched] "), 0U);
}

TEST(ProgramFile, ItsWordsStandWhereThePageSays) {
  const std::string bytes = write_program({lower(testing::direct_alltoall(3, 2)), "complete(3)", "direct"});
  EXPECT_EQ(bytes.substr(0, 8), "quadprog");
  EXPECT_EQ(word(bytes, 2), 1U);
  EXPECT_EQ(word(bytes, 3), bytes.size() / 4);
  EXPECT_EQ((uint64_t{word(bytes, 5)} << 32U | word(bytes, 4)), digest_of_program_file(bytes));
  EXPECT_EQ(word(bytes, 6), 4U);  // alltoall
  EXPECT_EQ(word(bytes, 7), 3U);  // ranks
  EXPECT_EQ(word(bytes, 8), 2U);  // pieces
  EXPECT_EQ(word(bytes, 9), UINT32_MAX);
  EXPECT_EQ(bytes.substr(word(bytes, 11) * size_t{4}, word(bytes, 12)), "complete(3)");
  EXPECT_EQ(bytes.substr(word(bytes, 13) * size_t{4}, word(bytes, 14)), "direct");
  const size_t second = word(bytes, word(bytes, 15) + 1);
  EXPECT_EQ(word(bytes, second), 1U);      // rank
  EXPECT_EQ(word(bytes, second + 1), 6U);  // input slots
  EXPECT_EQ(word(bytes, word(bytes, 15) + 3), bytes.size() / 4);
}

TEST(ProgramFile, SaysWhatIsWrongWithAFile) {
  const std::string good = write_program({lower(testing::direct_alltoall(3)), "complete(3)", "direct"});
  EXPECT_EQ(refusal(""),
            "x.qprog: no program file: it begins neither with 'quadprog' nor, as JSON does, with '{'");
  EXPECT_EQ(refusal("quadrille-plan 1\n"),
            "x.qprog: no program file: it begins neither with 'quadprog' nor, as JSON does, with '{'");
  EXPECT_EQ(refusal(good.substr(0, 40)), "x.qprog: damaged: it ends within its head");
  EXPECT_EQ(refusal(good.substr(0, good.size() - 4)),
            "x.qprog: damaged: it has " + std::to_string(good.size() - 4) + " bytes and should have " +
                std::to_string(good.size()));
  std::string other = good;
  set_word(other, 2, 4);
  EXPECT_EQ(refusal(other), "x.qprog: a program file of version 4; this Quadrille reads versions 1 to 3");
  other = good;
  set_word(other, other.size() / 4 - 1, word(other, other.size() / 4 - 1) ^ 1U);
  EXPECT_NE(refusal(other).find("x.qprog: damaged: its digest is "), std::string::npos);
  EXPECT_EQ(altered(6, 8), "x.qprog: damaged: no collective has the number 8");
  EXPECT_EQ(altered(9, 1), "x.qprog: damaged: it states a root, and alltoall has none");
  EXPECT_EQ(altered(8, 0), "x.qprog: damaged: a block cannot be split into 0 pieces");
  EXPECT_EQ(altered(8, 2),
            "x.qprog: damaged: rank 0: 3 and 3 slots for what it has and gets, where alltoall has 6 and 6");
  EXPECT_EQ(altered(10, 2), "x.qprog: damaged: flags 2 of which only 1 is known");
  EXPECT_EQ(altered(12, 1U << 30U), "x.qprog: damaged: the topology lies behind the end of the file");
  EXPECT_EQ(altered(15, 1U << 30U), "x.qprog: damaged: the table of ranks lies behind the end of the file");
}

TEST(ProgramFile, RefusesABadProgramThatIsWellWritten) {
  // The first send of rank 0 goes to rank 2 instead of rank 1.
  const std::string good = write_program({lower(testing::direct_alltoall(3)), "complete(3)", "direct"});
  const size_t part = word(good, word(good, 15));
  for (size_t a = 0; a < word(good, part + 4); ++a) {
    const size_t action = part + 8 + 4 * a;
    if (word(good, action) != 0 || word(good, action + 1) != 1) continue;
    std::string bad = good;
    set_word(bad, action + 1, 2);
    EXPECT_NE(refusal(with_digest(bad)).find("x.qprog: a bad program: [matched]"), std::string::npos);
    return;
  }
  FAIL() << "rank 0 sends nothing to rank 1";
}

// Any bit may be wrong: a file is refused, or is a program that can be written again.
TEST(ProgramFile, TrustsNoWord) {
  uint64_t seed = 1;
  size_t read = 0;
  std::vector<ProgramFile> files = samples();
  for (ProgramFile& file : translated_samples()) files.push_back(std::move(file));
  for (const ProgramFile& file : files) {
    const std::string good = write_program(file);
    Rng rng(seed++);
    for (int i = 0; i < 100; ++i) {
      std::string bad = good;
      const size_t at = 6 + rng.below(bad.size() / 4 - 6);
      set_word(bad, at,
               rng.below(2) == 0 ? uint64_t{rng.below(9)}
                                 : uint64_t{word(bad, at)} ^ (uint64_t{1} << rng.below(16)));
      try {
        const ProgramFile got = read_program(with_digest(bad), "x.qprog");
        EXPECT_EQ(read_program(write_program(got), "again.qprog"), got);
        EXPECT_TRUE(check_program(all_programs(got)).empty());
        ++read;
      } catch (const InputError&) {
        continue;
      }
    }
  }
  EXPECT_GT(read, 20U);
}

TEST(ProgramFile, IsAlsoJson) {
  const ProgramFile file{lower(testing::both_ways_allreduce(5, 2)), "ring(5)", "both \"ways\"", true};
  const nlohmann::json json = nlohmann::json::parse(write_program_json(file));
  EXPECT_EQ(json["collective"], "allreduce");
  EXPECT_EQ(json["algorithm"], "both \"ways\"");
  EXPECT_EQ(json["in_order"], true);
  ASSERT_EQ(json["ranks"].size(), 5U);
  for (size_t r = 0; r < 5; ++r) {
    const RankProgram& rank = file.program.ranks[r];
    const nlohmann::json& actions = json["ranks"][r]["actions"];
    ASSERT_EQ(actions.size(), rank.actions.size());
    for (size_t a = 0; a < actions.size(); ++a) {
      const Action& action = rank.actions[a];
      EXPECT_EQ(actions[a]["do"], name_of(action.kind));
      EXPECT_EQ(actions[a]["step"], action.step + 1);
      if (starts_request(action.kind)) {
        EXPECT_EQ(actions[a]["peer"], index(action.peer));
        EXPECT_EQ(actions[a]["blocks"].size(), rank.blocks_of(action).size());
      }
      if (action.kind == ActionKind::kWait) {
        EXPECT_EQ(actions[a]["for"].size(), action.end - action.begin);
      } else {
        EXPECT_EQ(actions[a]["slots"].size(), action.end - action.begin);
      }
    }
  }
}

TEST(ProgramFile, ComesBackFromJson) {
  std::vector<ProgramFile> files = samples();
  for (ProgramFile& file : translated_samples()) files.push_back(std::move(file));
  files.front().algorithm = "\x01 \"\\\" \xc3\xa9 \xf0\x9f\x8c\x8d";
  for (const ProgramFile& file : files) {
    const std::string bytes = write_program(file);
    const std::string json = write_program_json(file);
    EXPECT_EQ(read_program(json, "x.json"), file) << file.program.collective.name();
    EXPECT_EQ(write_program(read_program(json, "x.json")), bytes);
    EXPECT_NE(json.find(fmt::format("\"digest\": \"{:016x}\"", digest_of_program_file(bytes))),
              std::string::npos);
  }
}

// Members may come in any order, and whoever writes a file by hand states no digest.
TEST(ProgramFile, ReadsJsonOfOthers) {
  const ProgramFile file{lower(testing::ring_reduce_scatter(4)), "ring(4)", "ring", true};
  nlohmann::json json = nlohmann::json::parse(write_program_json(file));  // sorts its keys
  EXPECT_EQ(read_program(json.dump(), "x.json"), file);
  json.erase("digest");
  json["algorithm"] = "mine \u00e9";
  EXPECT_EQ(read_program("  " + json.dump(1, '\t', true), "x.json").algorithm, "mine \u00e9");
}

TEST(ProgramFile, SaysWhatIsWrongWithJson) {
  const nlohmann::json good = nlohmann::json::parse(
      write_program_json({lower(testing::direct_alltoall(3)), "complete(3)", "direct"}));
  const auto said = [&](auto spoil) {
    nlohmann::json bad = good;
    bad.erase("digest");
    spoil(bad);
    const std::string all = refusal(bad.dump());
    const size_t begin = all.find(": ") + 2;  // behind file, line and column
    return all.substr(begin, all.find('\n') - begin);
  };
  nlohmann::json damaged = good;
  damaged["pieces"] = 1;
  damaged["algorithm"] = "another";
  EXPECT_NE(refusal(damaged.dump()).find("damaged: its digest is "), std::string::npos);
  EXPECT_EQ(said([](auto& j) { j["format"] = "quadrille-plan"; }),
            "format cannot be 'quadrille-plan'; allowed are quadrille-program");
  EXPECT_EQ(said([](auto& j) { j["version"] = 4; }),
            "a program file of version 4; this Quadrille reads versions 1 to 3");
  EXPECT_EQ(said([](auto& j) { j["version"] = 2; }), "version 2 has translations");
  EXPECT_EQ(said([](auto& j) { j.erase("pieces"); }), "a program file: 'pieces' is missing");
  EXPECT_EQ(said([](auto& j) { j["rank"] = 3; }).substr(0, 53),
            "a program file: a key cannot be 'rank'; allowed are f");
  EXPECT_EQ(said([](auto& j) { j["pieces"] = 0; }), "a block cannot be split into 0 pieces");
  EXPECT_EQ(said([](auto& j) { j["pieces"] = -1; }), "pieces is a whole number from 0 to 4294967295");
  EXPECT_EQ(said([](auto& j) { j["pieces"] = 1.5; }), "pieces is a whole number from 0 to 4294967295");
  EXPECT_EQ(said([](auto& j) { j["num_ranks"] = 4; }), "ranks: 3 are there, and 4 are needed");
  EXPECT_EQ(said([](auto& j) { j["root"] = 0; }), "alltoall has no root");
  EXPECT_EQ(said([](auto& j) { j["collective"] = "broadcast"; }), "broadcast has a root");
  EXPECT_EQ(said([](auto& j) { j["ranks"][1].erase("actions"); }), "a rank: 'actions' is missing");
  EXPECT_EQ(said([](auto& j) { j["ranks"][0]["actions"][0]["step"] = 0; }), "steps are counted from 1");
  EXPECT_EQ(said([](auto& j) {
              j["ranks"][0]["actions"] = {{{"do", "wait"}, {"step", 1}, {"peer", 1}}};
            }),
            "a wait has no 'peer'");
  EXPECT_EQ(said([](auto& j) {
              j["ranks"][0]["actions"] = {{{"do", "copy"}, {"step", 1}}};
            }),
            "a copy has its 'slots'");
  EXPECT_EQ(said([](auto& j) {
              j["ranks"][0]["actions"] = {{{"do", "jump"}, {"step", 1}}};
            }).substr(0, 41),
            "do cannot be 'jump'; allowed are send, re");
  const auto send = [](nlohmann::json slots, nlohmann::json blocks) {
    return nlohmann::json::array(
        {{{"do", "send"}, {"step", 1}, {"peer", 1}, {"slots", slots}, {"blocks", blocks}}});
  };
  EXPECT_EQ(said([&](auto& j) {
              j["ranks"][0]["actions"] = send({{"input", 1, 1}}, {1, 2});
            }),
            "an action has 2 blocks in 1 slots");
  EXPECT_EQ(
      said([&](auto& j) {
        j["ranks"][0]["actions"] = send(nlohmann::json::array({nlohmann::json::array({"input", 1})}), {1});
      }),
      "a run of slots is a buffer, the first slot, and how many");
  EXPECT_EQ(said([](auto& j) { j["ranks"][0]["input_slots"] = 4; }),
            "damaged: rank 0: 4 and 3 slots for what it has and gets, where alltoall has 3 and 3");
  // What is well formed may be a bad program.
  EXPECT_NE(refusal([&] {
              nlohmann::json bad = good;
              bad.erase("digest");
              for (auto& action : bad["ranks"][0]["actions"])
                if (action["do"] == "send" && action["peer"] == 1) action["peer"] = 2;
              return bad.dump();
            }())
                .find("a bad program: [matched]"),
            std::string::npos);
}

// Any character may be wrong.
TEST(ProgramFile, TrustsNoCharacterOfJson) {
  uint64_t seed = 1;
  size_t read = 0;
  std::vector<ProgramFile> files = translated_samples();
  files.push_back({lower(testing::both_ways_allreduce(3, 2)), "ring(3)", "ways"});
  for (const ProgramFile& file : files) {
    std::string good = write_program_json(file);
    const size_t digest = good.find("\"digest\"");
    good.erase(digest, good.find('\n', digest) + 1 - digest);
    Rng rng(seed++);
    for (int i = 0; i < 400; ++i) {
      std::string bad = good;
      constexpr std::string_view kOthers = "0123456789,[]{}:\"\\ue -";
      bad[rng.below(bad.size())] = kOthers[rng.below(kOthers.size())];
      if (rng.below(20) == 0) bad.resize(rng.below(bad.size()));
      try {
        const ProgramFile got = read_program(bad, "x.json");
        EXPECT_EQ(read_program(write_program(got), "again.qprog"), got);
        EXPECT_TRUE(check_program(all_programs(got)).empty());
        ++read;
      } catch (const InputError&) {
        continue;
      }
    }
  }
  EXPECT_GT(read, 20U);
}

TEST(ProgramFile, HoldsNoTableOfCounts) {
  const Collective counted = Collective::counted(Counts(2, {{Rank{0}, Rank{1}, 3}}));
  EXPECT_EQ(error_of([&] {
              static_cast<void>(write_program({{counted, {}}, "", ""}));
            }),
            "program files hold no alltoallv: its blocks are numbered by a table of counts");
}

}  // namespace program_file_test
}  // namespace quadrille
