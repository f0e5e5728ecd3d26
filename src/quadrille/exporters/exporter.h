// Exporters: schedules in the forms that others read or run.
//
// One exporter is one file, exporters/<name>.cc, that defines one constant card (its name is the file's with '-' for '_'),
// and one line in exporters/catalog.inc. `quadrille export --to NAME` and its help come from the cards. An exporter takes a Schedule: what is written was judged.
//
//     const Exporter* program = exporter_catalog().find("program");
//     write_file("a.qprog", program->write({*made.schedule, made.head.algorithm}));
//
// An exporter of a set writes a folder: plans for several collectives and sizes of messages, chosen by time.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "quadrille/base/catalog.h"
#include "quadrille/collective/collective.h"
#include "quadrille/compile/compile.h"
#include "quadrille/model/model.h"
#include "quadrille/schedule/problem.h"
#include "quadrille/schedule/step.h"
#include "quadrille/topology/topology.h"
#include "quadrille/verify/schedule.h"

namespace quadrille {

/// One schedule, who made it, and for messages of which size, where a form says it.
struct ScheduleToExport {
  const Schedule& schedule;
  std::string_view algorithm{};
  uint64_t message_bytes = kDefaultMessageBytes;  ///< what MPI's count means
};

/// What a set is to serve.
struct SetToExport {
  Topology topology;
  std::vector<CollectiveKind> collectives{};
  Model model{};       ///< with the constants that times are reckoned by
  std::string root{};  ///< of the rooted ones: a node's number or label, or "all"; empty: the first endpoint
  std::vector<uint64_t> sizes{};  ///< of messages at which the best plan is asked for, rising
  std::string algorithm = "auto";
  /// Not 0: of each collective the plans that are at most the so-maniest by time at one of the sizes, at most as many
  /// altogether, each for all sizes, with the index candidates.txt: for whoever measures which is best; and half as many whose messages
  /// may meet on links (Switching::kShared), where the model has none; and, on
  /// networks of up to 128 nodes, at most as many of whole messages, one at a time, that need few of them or few start-ups.
  uint32_t candidates = 0;
  /// Also for sizes at which an MPI library's own algorithms may be expected to be faster (library_time.h). An algorithm
  /// that is asked for by name is for every size.
  bool every_size = false;
};

/// The model that a set is made for where nobody names a switching: many packets between neighbours; where routers lie between
/// the ranks worms, since a rank sends whole messages to another, and routers, which could copy and add up packets, have no program.
[[nodiscard]] Model model_of_set(const Topology& topology, Model model);

/// "all", or the names of some: "alltoall,allreduce". Throws InputError for what a set cannot hold.
[[nodiscard]] std::vector<CollectiveKind> collectives_of_set(const std::string& words);

/// What became of a set, for whoever wants to know: a row for each program.
struct ExportedProgram {
  CollectiveKind collective{};
  uint32_t root = UINT32_MAX;  ///< rank; of a rooted one
  uint64_t from_bytes = 0;
  uint64_t to_bytes = UINT64_MAX;  ///< inclusive
  std::string algorithm{};
  uint32_t pieces = 1;
  std::string file{};
  uint64_t digest = 0;
};

/// One of several files: how its name goes on behind what the user calls them.
struct ExportedFile {
  std::string suffix{};
  std::string content{};
};

/// A form that is written as the steps come, of a plan that is too large to be kept.
class StreamedExport : public StepSink {
 public:
  /// After the last step, which the judge has passed: what a file holds. Throws InputError for what the form cannot say.
  [[nodiscard]] virtual std::string finish(std::string_view algorithm) = 0;
};

struct Exporter {
  std::string_view name{};
  std::string_view summary{};    ///< one line: what is written, for whom
  std::string_view extension{};  ///< that files of it usually have
  /// What a file holds; null for an exporter of sets or of networks. Throws InputError for what the form cannot say.
  std::string (*write)(const ScheduleToExport& what) = nullptr;
  /// Beside `write`, for problems whose plans are too large to be kept: null for one that is not, or that the form cannot
  /// say without the whole plan.
  std::unique_ptr<StreamedExport> (*stream)(const Problem& problem) = nullptr;
  /// The same of a form of several files, one for each rank; then `write` is null.
  std::vector<ExportedFile> (*write_files)(const ScheduleToExport& what) = nullptr;
  /// The same of an exporter that needs no plan, but its network alone; then `write` is null.
  std::string (*write_network)(const Topology& network) = nullptr;
  /// Writes the files of a set into a folder, which is made if it is not there; null for an exporter of one schedule.
  std::vector<ExportedProgram> (*write_set)(const SetToExport& what, const std::string& folder) = nullptr;
};

/// All cards, sorted by name.
[[nodiscard]] const Catalog<Exporter>& exporter_catalog();

}  // namespace quadrille
