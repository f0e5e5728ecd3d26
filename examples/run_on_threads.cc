// A schedule at work: every node of a hypercube is a thread with real buffers, they add up what all of them
// have, and every byte of the result is checked. Then: what would keep the steps apart without a common
// clock.
#include <quadrille/quadrille.h>

#include <iostream>

using namespace quadrille;

int main() {
  const Model one_port{.send = kOnePort, .receive = kOnePort};
  const Problem problem = make_problem(parse_topology("hypercube(4)"), CollectiveKind::kAllreduce, one_port);
  const Compiled made = compile(problem);
  std::cout << problem.title() << " by " << made.head.algorithm << ", " << made.verdict.figures.steps
            << " steps\n";

  const JobResult job = run_on_threads(*made.schedule, {.block_bytes = 65536, .iterations = 3});
  std::cout << job.messages << " messages between " << problem.collective().num_ranks() << " threads, "
            << job.bytes_sent << " bytes in each of 3 runs\n"
            << job.bytes_checked << " bytes checked, " << job.wrong_bytes << " wrong\n";

  const Synchronisation sync = synchronise(*made.schedule, {});
  std::cout << "without a common clock: " << sync.barriers.size() << " barriers, or " << sync.signals.size()
            << " signals, or " << sync.priority_levels << " levels of priority\n";

  // The signals at work: messages hold the links of their paths, and no two steps meet on one.
  const JobResult obeying = run_on_threads(
      *made.schedule, {.synchronisation = stated(sync, {}, StateAs::kSignals), .watch_links = true});
  std::cout << "with them: " << obeying.null_messages << " null messages, " << obeying.meetings->conflicts
            << " conflicts on links\n";
  return job.correct() && obeying.correct() ? 0 : 1;
}
