// mpi-c: a C file for MPI that needs nothing else: one function with the signature of MPI_Alltoall or of whatever the
// collective is called there, what each rank does as a table of words, and what plays it (mpi_c_text.cc).
//
// Where every rank does the same after a translation (program/lowering/translations.h), the table of rank 0 is everybody's.
// A table is the program of a rank (program/rank_program.h) with its buffers put one behind the other and numbered
// through: input, output, scratch, and what arrives to be combined. So a reduction is a receive and, behind the wait, an action
// of its own.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "quadrille/base/input_error.h"
#include "quadrille/base/text.h"
#include "quadrille/exporters/mpi_c_text.h"
#include "quadrille/exporters/program_of_schedule.h"

namespace quadrille::exporters {
namespace mpi_c_parts {
namespace {

// Compilers take seconds for a megabyte of numbers.
constexpr size_t kMostBytes = size_t{4} << 20U;
constexpr size_t kColumns = 110;

enum Word : uint32_t { kSend, kReceive, kWait, kCopy, kReduce, kReduceBefore, kBarrier, kEnd };

struct Arriving {
  uint32_t first = 0;  // slot
  std::vector<SlotRun> runs{};
};

// The words of one rank.
class RankTable {
 public:
  RankTable(const RankProgram& program, bool in_order, std::vector<uint32_t>& words)
      : program_(program),
        words_(words),
        arrivals_(program.input_slots + program.output_slots + program.scratch_slots) {
    most_slots_ = arrivals_;
    for (const Action& action : program.actions) add(action);
    words_.push_back(kEnd);
    if (in_order) ++most_slots_;
  }

  [[nodiscard]] uint32_t slots() const { return most_slots_; }
  [[nodiscard]] uint32_t requests() const { return static_cast<uint32_t>(arriving_.size()); }
  [[nodiscard]] uint32_t most_runs() const { return most_runs_; }

 private:
  [[nodiscard]] uint32_t slot(const SlotRun& run) const {
    switch (run.buffer) {
      case Buffer::kInput:
        return run.first;
      case Buffer::kOutput:
        return program_.input_slots + run.first;
      case Buffer::kScratch:
        break;
    }
    return program_.input_slots + program_.output_slots + run.first;
  }

  void add(const Action& action) {
    switch (action.kind) {
      case ActionKind::kSend:
      case ActionKind::kReceive:
        words_.push_back(action.kind == ActionKind::kSend ? kSend : kReceive);
        arriving_.emplace_back();
        add_message(action);
        break;
      case ActionKind::kReceiveReduce:
        add_arrival(action);
        break;
      case ActionKind::kWait:
        add_wait(action);
        break;
      case ActionKind::kCopy:
        add_local(kCopy, slot(program_.runs_of(action)[0]), slot(program_.runs_of(action)[1]),
                  program_.runs_of(action)[0].count);
        break;
      case ActionKind::kReduce:
      case ActionKind::kReduceBefore:
        add_local(action.kind == ActionKind::kReduce ? kReduce : kReduceBefore,
                  slot(program_.runs_of(action)[0]), slot(program_.runs_of(action)[1]),
                  program_.runs_of(action)[0].count);
        break;
      case ActionKind::kBarrier:
        words_.push_back(kBarrier);
        break;
    }
  }

  void add_message(const Action& action) {
    const std::span<const SlotRun> runs = program_.runs_of(action);
    words_.push_back(static_cast<uint32_t>(index(action.peer)));
    words_.push_back(static_cast<uint32_t>(runs.size()));
    for (const SlotRun& run : runs) {
      words_.push_back(slot(run));
      words_.push_back(run.count);
    }
    most_runs_ = std::max(most_runs_, static_cast<uint32_t>(runs.size()));
  }

  // Behind all slots until it is waited for.
  void add_arrival(const Action& action) {
    Arriving out{.first = next_arrival_};
    uint32_t count = 0;
    for (const SlotRun& run : program_.runs_of(action)) {
      out.runs.push_back(run);
      count += run.count;
    }
    next_arrival_ += count;
    most_slots_ = std::max(most_slots_, arrivals_ + next_arrival_);
    for (const uint32_t word : std::array<uint32_t, 5>{kReceive, static_cast<uint32_t>(index(action.peer)),
                                                       count > 0 ? 1U : 0U, arrivals_ + out.first, count})
      words_.push_back(word);
    if (count == 0) words_.resize(words_.size() - 2);
    ++open_arrivals_;
    arriving_.push_back(std::move(out));
  }

  void add_wait(const Action& wait) {
    const std::span<const uint32_t> requests = program_.requests_of(wait);
    words_.push_back(kWait);
    words_.push_back(static_cast<uint32_t>(requests.size()));
    for (const uint32_t request : requests)
      words_.push_back(static_cast<uint32_t>(arriving_.size()) - request);
    for (const uint32_t request : requests) {
      uint32_t from = arrivals_ + arriving_[request].first;
      for (const SlotRun& run : arriving_[request].runs) {
        add_local(kReduce, slot(run), from, run.count);
        from += run.count;
      }
      if (!arriving_[request].runs.empty()) --open_arrivals_;
    }
    if (open_arrivals_ == 0) next_arrival_ = 0;
  }

  void add_local(Word kind, uint32_t to, uint32_t from, uint32_t count) {
    for (const uint32_t word : {uint32_t{kind}, to, from, count}) words_.push_back(word);
  }

  const RankProgram& program_;
  std::vector<uint32_t>& words_;
  std::vector<Arriving> arriving_{};  // by request
  uint32_t arrivals_;                 // where those begin
  uint32_t next_arrival_ = 0;
  uint32_t open_arrivals_ = 0;
  uint32_t most_slots_ = 0;
  uint32_t most_runs_ = 1;
};

void require_small(size_t bytes, const Problem& problem) {
  if (bytes <= kMostBytes) return;
  throw InputError(fmt::format(
      "mpi-c: the table of {} is longer than the 4 MB that compilers take in good time; a plan by displacements has one "
      "table for all ranks, such as --algorithm alltoall_cayley or alltoall_torus, --switching wormhole needs fewer messages "
      "where paths may be taken whole, and --to program has no such limit",
      problem.title()));
}

void add_numbers(std::string& out, std::string_view declaration, const std::vector<uint32_t>& numbers,
                 const Problem& problem) {
  out += fmt::format("static const unsigned {}[] = {{", declaration);
  size_t column = kColumns;
  for (size_t i = 0; i < numbers.size(); ++i) {
    if (column >= kColumns) {
      out += "\n ";
      column = 1;
      require_small(out.size(), problem);
    }
    const size_t before = out.size();
    fmt::format_to(std::back_inserter(out), " {}{}", numbers[i], i + 1 < numbers.size() ? "," : "");
    column += out.size() - before;
  }
  out += "};\n";
}

// No name from a file ends the comment that it stands in.
std::string comment_text(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c == '*' || c == '\\' || static_cast<unsigned char>(c) < ' ') c = '_';
  }
  return out;
}

std::string head_of(const ScheduleToExport& what, std::string_view name) {
  std::string large(name);
  large[0] = static_cast<char>(large[0] - 'a' + 'A');
  const Problem& problem = what.schedule.problem();
  const Collective& collective = problem.collective();
  std::string out = fmt::format(
      "/* {} by {}, {} steps: what MPI_{} does, for any count and type.\n"
      "   Written by Quadrille; no library is needed but MPI. Rank i is the i-th endpoint of the network. For other\n"
      "   communicators than of {} ranks{} the function calls MPI's own. The first call on a communicator\n"
      "   duplicates it. Ranks of unlike machines (other byte orders) are not served. Declare it as\n"
      "   MPI_{} is declared; another name: -DQUADRILLE_NAME=my_{}. */\n",
      comment_text(problem.title()),
      comment_text(what.algorithm.empty() ? "nobody who is named" : what.algorithm),
      what.schedule.figures().steps, large, collective.num_ranks(),
      collective.root() ? fmt::format(", and for other roots than {},", index(*collective.root())) : "",
      large, name);
  for (const std::string_view header : {"limits", "mpi", "stdlib", "string"})
    out += fmt::format("#include <{}.h>\n", header);
  out += "\n";
  out += fmt::format("#ifndef QUADRILLE_NAME\n#define QUADRILLE_NAME quadrille_{}\n#endif\n\n", name);
  return out;
}

std::string write(const ScheduleToExport& what) {
  const Problem& problem = what.schedule.problem();
  const Collective& collective = problem.collective();
  const std::string_view own_name = mpi_name_of(collective.kind());
  if (own_name.empty()) {
    throw InputError(
        fmt::format("mpi-c: no function for {}: its plan is for one matrix of counts, and MPI's takes any",
                    collective.name()));
  }
  // Where a transfer is a message of its own, it is five words of two characters at least, at both of its ends.
  const bool by_itself = problem.model().switching == Switching::kPacket &&
                         problem.model().packets == Packets::kOne &&
                         problem.topology().num_endpoints() == problem.topology().num_nodes();
  const auto require_room = [&] {
    if (by_itself) require_small(what.schedule.figures().transfers * 2 * 5 * 2, problem);
  };
  // The text that plays one table for all has no sums in it.
  const bool combines = collective.flow() == Flow::kCombine;
  if (combines) require_room();
  const ProgramFile file = combines ? program_of_schedule(what) : smallest_program_of(what, require_room);
  const bool all_alike = file.translations.has_value();
  std::string out = head_of(what, own_name);

  std::vector<uint32_t> words;
  std::vector<uint32_t> first_word;
  std::vector<uint32_t> input_slots;
  std::vector<uint32_t> all_slots;
  std::vector<uint32_t> all_requests;
  uint32_t most_runs = 1;
  for (const RankProgram& rank : file.program.ranks) {
    first_word.push_back(static_cast<uint32_t>(words.size()));
    const RankTable table(rank, file.in_order, words);
    require_small(words.size() * 2, problem);
    input_slots.push_back(rank.input_slots);
    all_slots.push_back(table.slots());
    all_requests.push_back(table.requests());
    most_runs = std::max(most_runs, table.most_runs());
  }
  out += fmt::format("enum {{ RANKS = {}, PIECES = {}, ", collective.num_ranks(), collective.pieces());
  if (collective.root()) out += fmt::format("ROOT = {}, ", index(*collective.root()));
  out += fmt::format("MOST_RUNS = {}, PLACES = {} }};\n", most_runs, all_alike ? collective.num_ranks() : 1);
  out +=
      "/* Actions: SEND and RECEIVE peer, number of runs, each its first slot and how many; WAIT number of requests, each\n"
      "   how many starts ago; COPY, REDUCE (to becomes to combined with from) and REDUCE_BEFORE (from combined with to):\n"
      "   to, from, how many. */\n"
      "enum { SEND, RECEIVE, WAIT, COPY, REDUCE, REDUCE_BEFORE, BARRIER, END };\n\n";
  add_numbers(out, "words", words, problem);
  add_numbers(out, "first_word", first_word, problem);
  add_numbers(out, "input_slots", input_slots, problem);
  add_numbers(out, "all_slots", all_slots, problem);
  add_numbers(out, "all_requests", all_requests, problem);
  if (all_alike) {
    std::vector<uint32_t> generators;
    for (const std::vector<uint32_t>& goes : file.translations->generators)
      generators.insert(generators.end(), goes.begin(), goes.end());
    std::vector<uint32_t> ways;
    for (const Translations::LastStep& last : file.translations->ways) {
      ways.push_back(last.before);
      ways.push_back(last.generator);
    }
    add_numbers(out, "generators", generators, problem);
    add_numbers(out, "ways", ways, problem);
  }
  out += mpi_c_places(all_alike);
  out += mpi_c_player();
  if (collective.flow() == Flow::kCombine) {
    out += mpi_c_order(file.in_order);
    out += mpi_c_combining();
  } else {
    out += mpi_c_moving();
  }
  out += mpi_c_function(collective.kind());
  require_small(out.size(), problem);
  return out;
}

}  // namespace
}  // namespace mpi_c_parts

extern const Exporter mpi_c;

constinit const Exporter mpi_c{
    .name = "mpi-c",
    .summary = "a C file with one function that does it over MPI, without any library of ours",
    .extension = ".c",
    .write = mpi_c_parts::write};

}  // namespace quadrille::exporters
