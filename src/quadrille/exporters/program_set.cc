// program-set: a folder of program files for several collectives and sizes of messages, and programs.txt, which says what
// each is for (docs/program_format.md). For every size the plan is the one that `quadrille compare` names; where one ends
// and the next begins is where their times cross.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <system_error>
#include <utility>

#include "quadrille/base/files.h"
#include "quadrille/base/input_error.h"
#include "quadrille/compile/by_size.h"
#include "quadrille/compile/choice.h"
#include "quadrille/compile/compile.h"
#include "quadrille/compile/make_problem.h"
#include "quadrille/exporters/library_time.h"
#include "quadrille/exporters/program_of_schedule.h"
#include "quadrille/program/sums/same_sums.h"

namespace quadrille::exporters {
namespace program_set_parts {
namespace {

// As many as the machine on which a plan is mostly looked for has to spare.
constexpr unsigned kThreads = 2;
// Programs of all algorithms are made to count their messages on networks of at most so many nodes.
constexpr uint32_t kMostNodesOfFewMessages = 128;

// Whether it is all messages of ranks to ranks: no router keeps a block, to copy it, add to it or send it on later.
bool is_of_ranks(const Schedule& schedule) {
  const Topology& topology = schedule.problem().topology();
  const auto is_rank = [&](NodeId node) { return topology.rank(node).has_value(); };
  for (size_t s = 0; s < schedule.plan().num_steps(); ++s) {
    const StepView step = schedule.plan().step(s);
    for (size_t i = 0; i < step.size(); ++i) {
      const std::span<const ArcId> way = step.arcs(i);
      if (!is_rank(topology.tail(way.front())) || !is_rank(topology.head(way.back()))) return false;
    }
  }
  return true;
}

// A plan by its name in so many pieces, judged; or, where any may be chosen, one that is as good and the same at all nodes.
std::optional<ProgramFile> made(const Problem& problem, const SizedPlan& plan, bool is_free) {
  Wishes wishes{.algorithm = plan.algorithm, .same_at_all_nodes = is_free};
  const Problem split = in_pieces(problem, plan.pieces);
  const Decision decision = decide(split, wishes);
  const bool is_another = decision.choice->name() != plan.algorithm && is_same_at_all_nodes(*decision.choice);
  const std::string& algorithm = is_another ? decision.head.algorithm : plan.algorithm;
  std::unique_ptr<StreamedExport> stream;
  if (is_same_at_all_nodes(*decision.choice)) stream = stream_program(split);
  if (stream == nullptr) {
    const Compiled all = compile(decision, wishes);
    if (is_free && takes_paths(problem.model()) && !is_of_ranks(*all.schedule)) return std::nullopt;
    return smallest_program_of({*all.schedule, algorithm});
  }
  wishes.stored = false;
  wishes.steps_to = stream.get();
  static_cast<void>(compile(decision, wishes));
  return read_program(stream->finish(algorithm), algorithm);
}

// The same where its ranks all have the same bits in the end. Where routers lie between the ranks, a plan that has them keep blocks is
// none: what it takes is not what its program would take. Nor is an allreduce whose ranks add up in different orders: MPI's programs
// count on the same bits everywhere.
std::optional<ProgramFile> made_for_mpi(const Problem& problem, const SizedPlan& plan) {
  std::optional<ProgramFile> out = made(problem, plan, true);
  if (!out) return out;
  const Program& program = out->program;
  const bool same = out->translations
                        ? gives_same_sums(program.ranks.front(), program.collective, *out->translations)
                        : gives_same_sums(program);
  if (!same) out.reset();
  return out;
}

// Messages of all ranks together.
uint64_t messages_of(const ProgramFile& file) {
  const uint64_t out = file.program.num_messages() + file.program.num_null_messages();
  return file.translations ? out * file.program.collective.num_ranks() : out;
}

// A plan whose program is there.
struct MadePlan {
  SizedPlan plan{};
  ProgramFile program{};
  uint64_t messages = 0;
};

// Of plans that leave a message whole and have a rank send and receive one message at a time: which no other beats in start-ups and in
// messages of all ranks together; of few start-ups first.
std::vector<MadePlan> of_few_messages(const Problem& problem) {
  std::vector<MadePlan> all;
  for (SizedPlan& plan : sized_plans(problem, kThreads, {.pieces = 1})) {
    if (plan.model_only || plan.effort == Effort::kMuch) continue;
    if (std::optional<ProgramFile> program = made_for_mpi(problem, plan)) {
      const uint64_t messages = messages_of(*program);
      all.push_back({std::move(plan), *std::move(program), messages});
    }
  }
  std::ranges::stable_sort(all, {},
                           [](const MadePlan& one) { return std::pair(one.plan.start_ups, one.messages); });
  std::vector<MadePlan> out;
  for (MadePlan& one : all)
    if (out.empty() || one.messages < out.back().messages) out.push_back(std::move(one));
  return out;
}

// By time at a size, what was chosen for it first.
std::vector<const SizedPlan*> by_time(const SizeSweep& sweep, const SizeRow& row, const CostConstants& cost) {
  std::vector<const SizedPlan*> out;
  for (const SizedPlan& plan : sweep.plans)
    if (!plan.model_only) out.push_back(&plan);
  std::ranges::stable_sort(out, {}, [&](const SizedPlan* plan) { return plan->time(cost, row.bytes); });
  std::stable_partition(out.begin(), out.end(),
                        [&](const SizedPlan* plan) { return plan == &sweep.plans[row.best]; });
  return out;
}

// Programs of the plans of a sweep, each made once.
class PlansOfRanks {
 public:
  PlansOfRanks(Problem problem, std::span<const uint64_t> sizes)
      : problem_(std::move(problem)), sweep_(sweep_sizes(problem_, sizes, kThreads)) {}

  [[nodiscard]] const Problem& problem() const { return problem_; }
  [[nodiscard]] const SizeSweep& sweep() const { return sweep_; }
  // With what further messages of a step cost, where the plan does not know them: its program does.
  double time(const SizedPlan& plan, uint64_t bytes) {
    const CostConstants& cost = problem_.model().cost;
    if (cost.to == 0 || plan.further_messages) return plan.time(cost, bytes);
    const auto [found, is_new] = further_messages_.try_emplace(&plan, 0);
    if (is_new) found->second = further_messages_of(program_of(&plan)->program);
    return plan.time(cost, bytes) + cost.to * static_cast<double>(found->second);
  }

  // Null for a plan that is none.
  const ProgramFile* program_of(const SizedPlan* plan) {
    const auto [found, is_new] = programs_.try_emplace(plan);
    if (is_new) {
      try {
        found->second = made_for_mpi(problem_, *plan);
      } catch (const InputError&) {
        if (!refused_) refused_ = std::current_exception();  // it is too large to be followed, perhaps
      }
    }
    return found->second ? &*found->second : nullptr;
  }
  // Where there is no plan at all, why the first one was none.
  void say_why_not() const {
    if (refused_) std::rethrow_exception(refused_);
  }
  // Null where none is one. What comes late by what is known of it is not made.
  const SizedPlan* best_at(const SizeRow& row) {
    const CostConstants& cost = problem_.model().cost;
    const SizedPlan* out = nullptr;
    for (const SizedPlan* plan : by_time(sweep_, row, cost)) {
      if (out != nullptr && (cost.to == 0 || plan->time(cost, row.bytes) >= time(*out, row.bytes))) break;
      if (is_one(plan) && (out == nullptr || time(*plan, row.bytes) < time(*out, row.bytes))) out = plan;
    }
    return out;
  }
  bool is_one(const SizedPlan* plan) { return program_of(plan) != nullptr; }

 private:
  Problem problem_;
  SizeSweep sweep_;
  std::map<const SizedPlan*, std::optional<ProgramFile>> programs_{};
  std::exception_ptr refused_{};
  std::map<const SizedPlan*, uint64_t> further_messages_{};
};

// A plan, and whose it is.
struct Offer {
  PlansOfRanks* of = nullptr;
  const SizedPlan* plan = nullptr;

  [[nodiscard]] double time(uint64_t bytes) const { return of->time(*plan, bytes); }
};

// The least size at which the later one is faster: it is not at `low`, and it is at `high`.
uint64_t crossing(const Offer& early, const Offer& late, uint64_t low, uint64_t high) {
  while (high - low > 1) {
    const uint64_t middle = low + (high - low) / 2;
    (late.time(middle) < early.time(middle) ? high : low) = middle;
  }
  return high;
}

// What is best from where on, by rising sizes; the first begins at nothing.
struct Region {
  Offer is{};
  uint64_t from = 0;
};

// All have been asked for the same sizes; of what is as fast the first's is taken.
std::vector<Region> regions(std::span<const std::unique_ptr<PlansOfRanks>> asked) {
  std::vector<Region> out;
  uint64_t before = 0;
  for (size_t r = 0; r < asked.front()->sweep().rows.size(); ++r) {
    const uint64_t bytes = asked.front()->sweep().rows[r].bytes;
    Offer best;
    for (const auto& one : asked) {
      const Offer offer{one.get(), one->best_at(one->sweep().rows[r])};
      if (offer.plan != nullptr && (best.plan == nullptr || offer.time(bytes) < best.time(bytes)))
        best = offer;
    }
    if (best.plan == nullptr) continue;
    if (out.empty()) {
      out.push_back({best, 0});
    } else if (out.back().is.plan != best.plan) {
      out.push_back({best, crossing(out.back().is, best, before, bytes)});
    }
    before = bytes;
  }
  return out;
}

// The best plan for each size, then the second best of each, until there are enough.
std::vector<const SizedPlan*> best_of_all(PlansOfRanks& plans, uint32_t wanted) {
  const SizeSweep& sweep = plans.sweep();
  std::vector<const SizedPlan*> out;
  std::vector<std::vector<const SizedPlan*>> sorted;
  for (const SizeRow& row : sweep.rows) sorted.push_back(by_time(sweep, row, plans.problem().model().cost));
  for (size_t place = 0; place < sweep.plans.size() && out.size() < wanted; ++place) {
    for (const auto& at_size : sorted) {
      if (place >= at_size.size() || out.size() == wanted) continue;
      const SizedPlan* plan = at_size[place];
      const bool is_new = std::ranges::none_of(out, [&](const SizedPlan* one) {
        return one->algorithm == plan->algorithm && one->pieces == plan->pieces;
      });
      if (is_new && plans.is_one(plan)) out.push_back(plan);
    }
  }
  return out;
}

// Switches let any number of messages share a link. That is asked where the constants say what a way, or a further message, costs: else
// all at once would look as if it were for nothing. A rank that sends several at once starts each of them.
bool may_share_links(const SetToExport& what) {
  const CostConstants& cost = what.model.cost;
  return what.topology.has_routers() && what.model.switching == Switching::kWormhole && cost.tl + cost.to > 0;
}
Model sharing_links(Model model) {
  model.switching = Switching::kShared;
  if (model.cost.to == 0) model.cost.to = model.cost.ts;
  return model;
}

class SetWriter {
 public:
  SetWriter(const SetToExport& what, std::string folder)
      : what_(what), folder_(std::move(folder)), library_(what.topology, what.model) {
    std::error_code error;
    std::filesystem::create_directories(folder_, error);
    if (error) throw InputError(fmt::format("cannot make the folder '{}': {}", folder_, error.message()));
  }

  std::vector<ExportedProgram> write() {
    for (const CollectiveKind kind : what_.collectives) {
      const std::optional<Rank> root =
          make_problem(what_.topology, kind, what_.model, {}).collective().root();
      if (root && what_.root == "all") {
        for (const NodeId node : what_.topology.endpoints()) add(kind, fmt::format("{}", index(node)));
      } else {
        add(kind, root ? what_.root : std::string());
      }
    }
    write_network();
    write_index();
    return std::move(written_);
  }

 private:
  void add(CollectiveKind kind, const std::string& root) {
    const Problem problem = make_problem(what_.topology, kind, what_.model, root);
    if (what_.candidates != 0) {
      add_candidates(problem, what_.candidates);
      if (what_.model.switching != Switching::kShared) {
        Model forwarded = what_.model;
        forwarded.switching = Switching::kShared;
        forwarded.packets = Packets::kOne;
        add_candidates(make_problem(what_.topology, kind, forwarded, root), (what_.candidates + 1) / 2);
      }
      add_of_few_messages(kind, root, what_.candidates);
    } else if (what_.algorithm == "auto") {
      std::vector<std::unique_ptr<PlansOfRanks>> asked;
      asked.push_back(std::make_unique<PlansOfRanks>(problem, what_.sizes));
      if (may_share_links(what_))
        asked.push_back(std::make_unique<PlansOfRanks>(
            make_problem(what_.topology, kind, sharing_links(what_.model), root), what_.sizes));
      const double rounds = asked.front()->sweep().rows.back().bound.rounds.to_double();
      const std::vector<Region> found = regions(asked);
      if (found.empty()) asked.front()->say_why_not();
      for (size_t i = 0; i < found.size(); ++i) {
        const uint64_t to = i + 1 < found.size() ? found[i + 1].from - 1 : UINT64_MAX;
        const Offer& is = found[i].is;
        add_for_sizes(is.of->problem(), *is.plan, *is.of->program_of(is.plan), rounds, {found[i].from, to});
      }
    } else {
      SizedPlan only;
      only.algorithm = what_.algorithm;
      add_for_sizes(problem, only, *made(problem, only, false), 0, {});
    }
  }

  void add_candidates(const Problem& problem, uint32_t wanted) {
    PlansOfRanks plans(problem, what_.sizes);
    const std::vector<const SizedPlan*> best = best_of_all(plans, wanted);
    if (best.empty()) plans.say_why_not();
    for (const SizedPlan* plan : best) write_candidate(problem, *plan, *plans.program_of(plan));
  }

  // What a message costs a machine whose ranks share processors or a way out is in no constant.
  void add_of_few_messages(CollectiveKind kind, const std::string& root, uint32_t wanted) {
    if (what_.topology.num_nodes() > kMostNodesOfFewMessages) return;
    Model model = what_.model;
    model.send = model.receive = kOnePort;
    const Problem one_at_a_time = make_problem(what_.topology, kind, model, root);
    std::vector<MadePlan> found = of_few_messages(one_at_a_time);
    if (found.size() > wanted) found.resize(wanted);
    for (const MadePlan& one : found) write_candidate(one_at_a_time, one.plan, one.program);
  }

  void write_candidate(const Problem& problem, const SizedPlan& plan, const ProgramFile& program) {
    const auto number =
        std::ranges::count(written_, problem.collective().kind(), &ExportedProgram::collective);
    write_one(problem, plan, program, {}, fmt::format("candidate_{}", number));
  }

  void add_for_sizes(const Problem& problem, const SizedPlan& plan, const ProgramFile& program, double rounds,
                     MessageSizes region) {
    if (const auto sizes = sizes_of(problem, plan, rounds, program.program, region))
      write_one(problem, plan, program, *sizes, fmt::format("{}", sizes->from));
  }

  void write_one(const Problem& problem, const SizedPlan& plan, const ProgramFile& program,
                 MessageSizes sizes, const std::string& suffix) {
    const CollectiveKind kind = problem.collective().kind();
    const std::string bytes = write_program(program);
    ExportedProgram out{.collective = kind,
                        .from_bytes = sizes.from,
                        .to_bytes = sizes.to,
                        .algorithm = program.algorithm,
                        .pieces = plan.pieces,
                        .digest = digest_of_program_file(bytes)};
    if (const auto rank = problem.collective().root()) out.root = static_cast<uint32_t>(index(*rank));
    const auto is_same = [&](const ExportedProgram& one) {
      return one.collective == kind && one.root == out.root && one.digest == out.digest;
    };
    if (what_.candidates != 0 && std::ranges::any_of(written_, is_same)) return;
    out.file = out.root == UINT32_MAX ? fmt::format("{}_{}.qprog", name_of(kind), suffix)
                                      : fmt::format("{}_from_{}_{}.qprog", name_of(kind), out.root, suffix);
    write_file((std::filesystem::path(folder_) / out.file).string(), bytes);
    written_.push_back(std::move(out));
  }

  // Where of a region the program is expected to be faster than the MPI library, if it is anywhere.
  [[nodiscard]] std::optional<MessageSizes> sizes_of(const Problem& problem, const SizedPlan& plan,
                                                     double rounds, const Program& program,
                                                     MessageSizes sizes) const {
    if (what_.every_size || what_.algorithm != "auto") return sizes;
    const CostConstants& cost = problem.model().cost;
    // Where further messages cost something the plan's time may know them.
    const double each = cost.to == 0 ? cost.ts : plan.further_messages ? 0 : cost.to;
    const double further = each * static_cast<double>(further_messages_of(program));
    const double at_nothing = plan.time(cost, 0);
    constexpr uint64_t kMany = uint64_t{1} << 30U;
    const double per_byte = (plan.time(cost, kMany) - at_nothing) / static_cast<double>(kMany);
    return where_faster(library_, problem.collective().kind(), rounds, at_nothing + further, per_byte, sizes);
  }

  // Which links there are, for ranks whose communicator has a graph: where all nodes have one.
  void write_network() const {
    constexpr uint32_t kMostNodes = 4096;
    const Topology& topology = what_.topology;
    const uint32_t nodes = topology.num_nodes();
    if (topology.num_endpoints() != nodes || nodes > kMostNodes) return;
    std::string out = fmt::format("quadrille-network 1\nnodes {}\n", nodes);
    for (uint32_t v = 0; v < nodes; ++v) {
      std::vector<uint32_t> heads;
      for (const ArcId arc : topology.arcs_from(NodeId{v}))
        heads.push_back(static_cast<uint32_t>(index(topology.head(arc))));
      out += fmt::format("{}\n", fmt::join(heads, " "));
    }
    write_file((std::filesystem::path(folder_) / "network.txt").string(), out);
  }

  // Last, so that a folder with an index is whole.
  void write_index() const {
    std::string out = fmt::format("quadrille-program-set 1\ntopology {}\nranks {}\n", what_.topology.name(),
                                  what_.topology.num_endpoints());
    for (const ExportedProgram& one : written_) {
      const auto or_dash = [](uint64_t number, uint64_t none) {
        return number == none ? std::string("-") : fmt::format("{}", number);
      };
      out += fmt::format("program {} {} {} {} {} {:016x} {} {}\n", name_of(one.collective),
                         or_dash(one.root, UINT32_MAX), one.from_bytes, or_dash(one.to_bytes, UINT64_MAX),
                         one.pieces, one.digest, one.file, one.algorithm);
    }
    write_file((std::filesystem::path(folder_) / (what_.candidates == 0 ? "programs.txt" : "candidates.txt"))
                   .string(),
               out);
  }

  const SetToExport& what_;
  std::string folder_;
  LibraryTime library_;
  std::vector<ExportedProgram> written_{};
};

std::vector<ExportedProgram> write_set(const SetToExport& what, const std::string& folder) {
  return SetWriter(what, folder).write();
}

}  // namespace
}  // namespace program_set_parts

extern const Exporter program_set;

constinit const Exporter program_set{
    .name = "program-set",
    .summary = "a folder of programs for several collectives and sizes, chosen by time, with an index",
    .write_set = program_set_parts::write_set};

}  // namespace quadrille::exporters
