// Sets of programs: what is in the folder is read again.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <set>

#include "quadrille/base/files.h"
#include "quadrille/exporters/exporter.h"
#include "quadrille/program/files/program_file.h"
#include "quadrille/program/sums/same_sums.h"
#include "quadrille/testing/with_room_for.test.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace {

class ProgramSet : public ::testing::Test {
 protected:
  ProgramSet()
      : folder_(std::filesystem::path(testing::TempDir()) /
                testing::UnitTest::GetInstance()->current_test_info()->name()) {}
  ~ProgramSet() override { std::filesystem::remove_all(folder_); }

  SetToExport asked(const char* topology, const char* collectives) {
    SetToExport out{.topology = parse_topology(topology), .collectives = collectives_of_set(collectives)};
    out.model = model_of_set(out.topology, {});
    out.model.cost = {.ts = 1, .tx = 0.001, .in_microseconds = true};
    out.sizes = {64, 65536};
    out.every_size = true;
    return out;
  }
  std::vector<ExportedProgram> write(const SetToExport& what) {
    return exporter_catalog().find("program-set")->write_set(what, folder_.string());
  }
  Program read(const ExportedProgram& one) {
    return all_programs(read_program(read_file((folder_ / one.file).string()), one.file));
  }

  std::filesystem::path folder_;
};

// Messages that one rank starts in a step, at most.
size_t most_sent_at_once(const Program& program) {
  size_t out = 0;
  for (const RankProgram& rank : program.ranks) {
    std::map<uint32_t, size_t> sent;
    for (const Action& action : rank.actions)
      if (action.kind == ActionKind::kSend) out = std::max(out, ++sent[action.step]);
  }
  return out;
}

// Of windows each rank adds up from its own place on, and they were the best for short vectors on both.
TEST_F(ProgramSet, RanksAddUpAlike) {
  for (const char* topology : {"ring(3)", "torus(3,3)"}) {
    const std::vector<ExportedProgram> written = write(asked(topology, "allreduce"));
    ASSERT_FALSE(written.empty());
    for (const ExportedProgram& one : written) EXPECT_TRUE(gives_same_sums(read(one))) << one.algorithm;
  }
}

// The best by time needs more memory than there is, and is no reason to have none.
TEST_F(ProgramSet, WhatIsTooLargeToBeMadeLeavesItToTheNextByTime) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a sanitizer takes memory of its own";
#endif
  SetToExport what = asked("torus(24,24)", "allreduce");
  what.sizes = {16U << 20U};
  const std::vector<ExportedProgram> best = write(what);
  ASSERT_EQ(best.size(), 1U);
  constexpr uint64_t kRoom = uint64_t{120} << 20U;
  const auto fits = [&] { return write(what).size() == 1 ? 0 : 1; };
  ASSERT_EQ(with_room_for(kRoom, fits), 0);
  const std::string index = read_file((folder_ / "programs.txt").string());
  EXPECT_NE(index.find("program allreduce - 0 - "), std::string::npos) << index;
  EXPECT_EQ(index.find(best.front().algorithm), std::string::npos) << index;
  EXPECT_TRUE(gives_same_sums(read(best.front())));  // of the same name, and another one by now
}

// What gathers sums and gives them out along dimensions is the same at all nodes, with the pieces of the vector for who adds them up.
TEST_F(ProgramSet, LongVectorsOnTheNodesOfATorusNeedOnePart) {
  SetToExport what = asked("torus(8,8)", "allreduce");
  what.sizes = {16U << 20U};
  const std::vector<ExportedProgram> written = write(what);
  ASSERT_EQ(written.size(), 1U);
  EXPECT_EQ(written.front().algorithm, "allreduce_dimensions");
  const std::string bytes = read_file((folder_ / written.front().file).string());
  EXPECT_EQ(version_of(read_program(bytes, written.front().file)), kDealtFileVersion);
  EXPECT_LT(bytes.size(), 40'000U);  // 1.7 MB where each rank has its own
}

// A host with one link sends one message at a time: no switch copies it, or adds to it, on its way to many.
TEST_F(ProgramSet, SwitchesOnlyForward) {
  for (const char* topology : {"fat_tree(2,2)", "fat_tree(4;1)"}) {
    SetToExport what = asked(topology, "broadcast,allgather,allreduce");
    what.sizes = {65536};
    const std::vector<ExportedProgram> written = write(what);
    std::set<CollectiveKind> kinds;
    for (const ExportedProgram& one : written) {
      kinds.insert(one.collective);
      EXPECT_EQ(most_sent_at_once(read(one)), 1U) << topology << ": " << one.algorithm;
    }
    EXPECT_EQ(kinds.size(), 3U) << topology;
  }
}

// Between switches messages may share links; whether that is worth it can be known where a way has its cost.
TEST_F(ProgramSet, MessagesShareLinksWhereAWayHasACost) {
  SetToExport what = asked("xgft(2,4;1,2)", "alltoall");
  for (const ExportedProgram& one : write(what)) EXPECT_EQ(most_sent_at_once(read(one)), 1U) << one.algorithm;
  what.model.cost = {.ts = 0, .tx = 0.001, .tl = 1, .in_microseconds = true};
  const std::vector<ExportedProgram> written = write(what);
  ASSERT_FALSE(written.empty());
  EXPECT_GT(most_sent_at_once(read(written.front())), 1U) << written.front().algorithm;
  // Not where every further message takes as long as a first.
  what.model.cost = {.ts = 1, .tx = 0.001, .to = 1, .in_microseconds = true};
  what.sizes = {1 << 20};
  for (const ExportedProgram& one : write(what)) EXPECT_EQ(most_sent_at_once(read(one)), 1U) << one.algorithm;
}

TEST_F(ProgramSet, CandidatesStandBesideTheSet) {
  SetToExport what = asked("torus(3,3)", "alltoall,broadcast");
  const std::vector<ExportedProgram> chosen = write(what);
  const std::string index = read_file((folder_ / "programs.txt").string());
  what.candidates = 4;
  const std::vector<ExportedProgram> candidates = write(what);
  EXPECT_EQ(read_file((folder_ / "programs.txt").string()), index);
  std::map<CollectiveKind, std::set<uint64_t>> digests;
  std::map<CollectiveKind, size_t> count;
  std::set<std::string> files;
  bool goes_far = false;
  for (const ExportedProgram& one : candidates) {
    EXPECT_EQ(one.from_bytes, 0U);
    EXPECT_EQ(one.to_bytes, UINT64_MAX);
    EXPECT_TRUE(digests[one.collective].insert(one.digest).second) << one.algorithm;
    EXPECT_TRUE(files.insert(one.file).second) << one.file;
    ++count[one.collective];
    const Program program = read(one);
    for (const Action& action : program.ranks[0].actions) {
      const auto peer = static_cast<uint32_t>(quadrille::index(action.peer));
      goes_far = goes_far || (action.kind == ActionKind::kSend && peer / 3 != 0 && peer % 3 != 0);
    }
  }
  for (const auto& [kind, number] : count) {
    EXPECT_GE(number, 3U);
    EXPECT_LE(number, 4U + 2U + 4U);
  }
  EXPECT_EQ(count.size(), 2U);
  // Some leave it to the network to forward their messages.
  EXPECT_TRUE(goes_far);
  for (const ExportedProgram& one : chosen) EXPECT_FALSE(files.contains(one.file)) << one.file;
}

// Where ranks share processors, what messages cost is their number: fewer than 2 (n - 1) do no allreduce, and such a plan is tried
// beside those of few start-ups.
TEST_F(ProgramSet, CandidatesOfFewMessagesAreTried) {
  SetToExport what = asked("torus(4,4)", "allreduce");
  what.sizes = {65536};
  what.candidates = 4;
  std::set<uint64_t> messages;
  for (const ExportedProgram& one : write(what)) {
    const Program program = read(one);
    if (one.pieces == 1 && most_sent_at_once(program) == 1) messages.insert(program.num_messages());
  }
  EXPECT_TRUE(messages.contains(2 * 15)) << testing::PrintToString(messages);
  EXPECT_GT(messages.size(), 2U);
}

// A total exchange of a torus goes over its links, whoever does it; so a program that keeps them busy is faster.
TEST_F(ProgramSet, LongExchangesOnATorusAreNotLeftToTheLibrary) {
  SetToExport what = asked("torus(6,6)", "alltoall");
  what.every_size = false;
  const std::vector<ExportedProgram> written = write(what);
  ASSERT_FALSE(written.empty());
  EXPECT_LT(written.front().from_bytes, 65536U);
  EXPECT_GE(written.back().to_bytes, 65536U);
}

}  // namespace
}  // namespace quadrille
