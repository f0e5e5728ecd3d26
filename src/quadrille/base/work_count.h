// Counts of work that a command does once: the tests that hold it to that read them, and nothing else does.
//
//     const uint64_t before = work_counted(Work::kJudging);
//     run_command(...);
//     EXPECT_EQ(work_counted(Work::kJudging) - before, 1);
//
// One count a process, added to once a pass and not once a step, so that it costs nothing.
#pragma once

#include <cstdint>

namespace quadrille {

enum class Work : uint8_t {
  kGenerating,  ///< an algorithm makes a plan, whoever takes the steps
  kJudging,     ///< the judge has seen a plan to its end
  kLayingOut,   ///< arrays are laid out for a plan
  kSearching,   ///< routes, a tree, a timetable or a packing are searched for, which may take as long as a
                ///< plan
};

void count_work(Work work);
[[nodiscard]] uint64_t work_counted(Work work);

}  // namespace quadrille
