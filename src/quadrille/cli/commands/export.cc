// quadrille export: a judged plan in a form that others read or run; or a whole set of them, chosen by time.
#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "quadrille/base/files.h"
#include "quadrille/base/input_error.h"
#include "quadrille/base/json/json.h"
#include "quadrille/base/numbers/units.h"
#include "quadrille/base/text.h"
#include "quadrille/base/value_error.h"
#include "quadrille/cli/command.h"
#include "quadrille/cli/plan_argument.h"
#include "quadrille/cli/remarks.h"
#include "quadrille/cli/report/plan_report.h"
#include "quadrille/cli/report/report.h"
#include "quadrille/cli/report/stated_report.h"
#include "quadrille/cli/report/table.h"
#include "quadrille/cli/report/terminal_progress.h"
#include "quadrille/cli/report/waiting.h"
#include "quadrille/compile/by_size.h"
#include "quadrille/compile/compile.h"
#include "quadrille/exporters/exporter.h"
#include "quadrille/options/argument_parser.h"
#include "quadrille/options/plan_source.h"
#include "quadrille/options/wishes_options.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace export_parts {
namespace {

// Of one plan, or of a network alone.
constexpr CsvColumn kColumns[] = {{"form", "form"},
                                  {"collective", "collective"},
                                  {"network", "topology"},
                                  {"algorithm", "algorithm"},
                                  {"verdict", "verdict"},
                                  {"steps", "steps"},
                                  {"lower_bound", "lower_bound"},
                                  {"optimal", "optimal"},
                                  {"transfers", "transfers"},
                                  {"written", "written"}};
// Of each program of a set.
constexpr CsvColumn kColumnsOfSet[] = {{"collective", "collective"},
                                       {"root", "root"},
                                       {"from_bytes", "from_bytes"},
                                       {"to_bytes", "to_bytes"},
                                       {"algorithm", "algorithm"},
                                       {"pieces", "pieces"},
                                       {"file", "file"}};

struct ExportOptions {
  PlanSourceOptions source{};
  std::string to{};
  std::string output{};
  ReportForm form{};
  std::string sizes = "64:64MiB:4";
  bool every_size = false;
  uint32_t candidates = 0;
};

const Exporter& exporter_called(const std::string& name) {
  if (const Exporter* found = exporter_catalog().find(name)) return *found;
  const std::vector<std::string_view> names = exporter_catalog().names();
  throw ValueError(fmt::format("--to: no exporter is called '{}'; there are: {}", name, join(names)),
                   {.of = "--to", .given = name, .allowed = {names.begin(), names.end()}});
}

// --- one schedule --------------------------------------------------------------------------------------

// Writes what there is to a name, or to names that begin with it; says what was written.
std::string written_to(const std::string& output, const std::vector<ExportedFile>& files) {
  uint64_t bytes = 0;
  for (const ExportedFile& file : files) {
    write_file(output + file.suffix, file.content);
    bytes += file.content.size();
  }
  if (files.size() == 1 && files.front().suffix.empty())
    return fmt::format("{}, {} bytes", output, with_thousands(bytes));
  return fmt::format("{0}{1} to {0}{2}, {3} bytes", output, files.front().suffix, files.back().suffix,
                     with_thousands(bytes));
}

int export_one(const Exporter& exporter, const ExportOptions& options, Console& console) {
  if (options.source.app->count("--sizes") > 0)
    throw InputError(fmt::format("--sizes are those of a set; {} is one plan, give --bytes", exporter.name));
  for (const char* of_set : {"--every-size", "--candidates"}) {
    if (options.source.app->count(of_set) > 0)
      throw InputError(fmt::format("{}: it is for a set of programs; {} is one plan, leave it out", of_set,
                                   exporter.name));
  }
  const bool to_pipe = options.output == "-";
  if (to_pipe && exporter.write_files != nullptr)
    throw InputError(
        fmt::format("-o: {} is a file for each rank; give what their names begin with", exporter.name));
  TerminalProgress progress(console);
  Wishes wishes = options.source.wishes();
  wishes.progress = &progress;
  // Who can write one part for all ranks would rather.
  wishes.same_at_all_nodes = exporter.stream != nullptr && options.source.algorithm == "auto";
  PlanSource source = plan_source(options.source, "export", console);
  std::unique_ptr<StreamedExport> stream;
  const bool is_fixed = std::holds_alternative<Problem>(source) && !wishes.any_pieces && !wishes.any_packets;
  if (exporter.stream != nullptr && is_fixed) stream = exporter.stream(problem_of(source));
  wishes.stored = stream == nullptr;
  wishes.steps_to = stream.get();
  const Compiled judged = compile(std::move(source), wishes);
  const Problem& problem = judged.head.problem;
  Report report;
  report.add_json("form", options.to);
  report_problem(problem, report);
  report.add("algorithm", maker_of(options.source, judged), judged.head.algorithm);
  std::ostream& out = to_pipe ? console.err : console.out;
  if (!judged.good()) {
    report_verdict(problem, judged.verdict, report);
    report.print(out, options.form);
    if (options.form.for_people()) out << "\n" << findings_text(judged.verdict) << stated_text(judged.stated);
    return kExitBadPlan;
  }
  report_figures(judged, report);
  report_verdict(problem, judged.verdict, report);
  const std::vector<ExportedFile> files =
      while_waiting(console, fmt::format("writing {}", exporter.name), [&]() -> std::vector<ExportedFile> {
        if (stream) return {{"", stream->finish(judged.head.algorithm)}};
        const ScheduleToExport what{*judged.schedule, judged.head.algorithm,
                                    options.source.problem.message_bytes().value_or(kDefaultMessageBytes)};
        if (exporter.write_files != nullptr) return exporter.write_files(what);
        return {{"", exporter.write(what)}};
      });
  if (to_pipe) {
    console.out << files.front().content;
  } else {
    report.add("written", written_to(options.output, files), options.output);
  }
  report.print(out, options.form);
  return kExitOk;
}

// --- a network -----------------------------------------------------------------------------------------

// Of a plan, or of a spec, which may stand alone: there is no collective in a network.
Topology network_of(const ExportOptions& options, Console& console) {
  const PlanSourceOptions& source = options.source;
  if (!source.plan.empty()) return problem_of(plan_source(source, "export", console)).topology();
  ProblemOptions problem = source.problem;
  if (problem.topology.empty()) std::swap(problem.collective, problem.topology);
  if (problem.topology.empty()) throw InputError("which network? such as \"torus(4,4)\", or a plan's FILE");
  if (!problem.collective.empty()) (void)parse_collective_kind(problem.collective);
  return parse_topology(problem.network());
}

int export_network(const Exporter& exporter, const ExportOptions& options, Console& console) {
  for (const char* other :
       {"--sizes", "--every-size", "--candidates", "--bytes", "--pieces", "--algorithm", "--counts"}) {
    if (options.source.app->count(other) > 0)
      throw InputError(fmt::format("{}: {} is the network alone; leave it out", other, exporter.name));
  }
  const Topology network = network_of(options, console);
  say_remarks(network, console);
  const std::string content = exporter.write_network(network);
  if (options.output == "-") {
    console.out << content;
    return kExitOk;
  }
  write_file(options.output, content);
  Report report;
  report.add_json("form", options.to);
  report.add_text("network", network.name());
  report.add_json("topology", network.name());
  report.add("written", fmt::format("{}, {} bytes", options.output, with_thousands(content.size())),
             options.output);
  report.print(console.out, options.form);
  return kExitOk;
}

// --- a set ---------------------------------------------------------------------------------------------

std::string range_text(const ExportedProgram& program) {
  if (program.to_bytes == UINT64_MAX) return fmt::format("{} B and more", with_thousands(program.from_bytes));
  return fmt::format("{} to {} B", with_thousands(program.from_bytes), with_thousands(program.to_bytes));
}

Json json_of(const std::vector<ExportedProgram>& written, const std::string& folder) {
  Json programs = Json::array();
  for (const ExportedProgram& program : written) {
    Json one = Json::object();
    one.set("collective", name_of(program.collective))
        .set("root", program.root == UINT32_MAX ? Json() : Json(uint64_t{program.root}))
        .set("from_bytes", program.from_bytes)
        .set("to_bytes", program.to_bytes == UINT64_MAX ? Json() : Json(program.to_bytes))
        .set("algorithm", program.algorithm)
        .set("pieces", uint64_t{program.pieces})
        .set("file", program.file);
    programs.push(std::move(one));
  }
  Json out = Json::object();
  out.set("programs", std::move(programs)).set("written", folder);
  return out;
}

int export_set(const Exporter& exporter, const ExportOptions& options, Console& console) {
  const PlanSourceOptions& source = options.source;
  if (options.output == "-") throw InputError("-o: a set is a folder, and standard output is none");
  if (!source.plan.empty())
    throw InputError("--plan: a set is made for collectives and a network, not of a plan");
  for (const char* other : {"--pieces", "--counts", "--allow-files", "--queues"}) {
    if (source.app->count(other) > 0)
      throw InputError(
          fmt::format("{}: a set is chosen by time, for any size of message; leave it out", other));
  }
  if (options.candidates != 0 && source.algorithm != "auto")
    throw InputError(fmt::format("--candidates: {} was asked for by name; leave one out", source.algorithm));
  if (source.problem.topology.empty()) throw InputError("for which network? such as \"torus(4,4)\"");
  SetToExport what{.topology = parse_topology(source.problem.network()),
                   .collectives = collectives_of_set(source.problem.collective)};
  say_remarks(what.topology, console);
  what.model = source.problem.model.model(true);
  if (source.app->count("--switching") == 0 && source.problem.model.packets.empty()) {
    what.model = model_of_set(what.topology, what.model);
  } else if (source.problem.model.packets.empty() && !takes_paths(what.model)) {
    what.model.packets = Packets::kMany;
  }
  what.model.cost = source.problem.model.cost.constants(true, what.topology.link_rates());
  what.root = source.problem.rest.root;
  what.sizes = parse_byte_sizes(options.sizes, "--sizes");
  what.algorithm = source.algorithm;
  what.every_size = options.every_size;
  std::vector<ExportedProgram> candidates;
  const std::vector<ExportedProgram> written =
      while_waiting(console, fmt::format("choosing and writing programs for {}", what.topology.name()), [&] {
        std::vector<ExportedProgram> out = exporter.write_set(what, options.output);
        if (options.candidates != 0) {
          what.candidates = options.candidates;
          candidates = exporter.write_set(what, options.output);
        }
        return out;
      });
  const Json all = json_of(written, options.output);
  if (options.form.json) console.out << all.text();
  if (options.form.csv) {
    console.out << csv_header(kColumnsOfSet);
    for (size_t i = 0; i < written.size(); ++i)
      console.out << csv_row(kColumnsOfSet, *all.at(fmt::format("programs/{}", i)));
  }
  if (!options.form.for_people()) return kExitOk;
  Table table({"collective", "root", "messages", "algorithm", "file"});
  for (const ExportedProgram& program : written) {
    table.row({std::string(name_of(program.collective)),
               program.root == UINT32_MAX ? "" : fmt::format("{}", program.root), range_text(program),
               program.pieces == 1 ? program.algorithm
                                   : fmt::format("{} in {} pieces", program.algorithm, program.pieces),
               program.file});
  }
  console.out << table.text(0) << fmt::format("\nwritten       {}\n", options.output);
  if (!candidates.empty())
    console.out << fmt::format("candidates    {} programs more, in candidates.txt\n", candidates.size());
  return kExitOk;
}

int export_plan(const ExportOptions& options, Console& console) {
  const Exporter& exporter = exporter_called(options.to);
  if (exporter.write_network != nullptr) return export_network(exporter, options, console);
  return exporter.write_set == nullptr ? export_one(exporter, options, console)
                                       : export_set(exporter, options, console);
}

CommandAction setup(ArgumentParser& app) {
  const auto options = std::make_shared<ExportOptions>();
  add_plan_source(app, options->source);
  add_bytes_option(app, options->source.problem.bytes);
  app.rename("--to", "--message-time");  // of the costs
  app.add_option("--to", options->to, fmt::format("the form: {}", join(exporter_catalog().names())))
      ->required()
      ->type_name("FORM")
      ->offers("@exporters");
  app.add_option("-o,--output", options->output,
                 "the file, or - ; of a set the folder; of files for each rank, how they begin")
      ->required()
      ->type_name("FILE");
  add_report_form(app, options->form, kColumns,
                  "print what was written, and the figures, as JSON; as a row of CSV");
  app.add_option("--sizes", options->sizes, "of a set: sizes of messages, as `compare --bytes` takes them")
      ->type_name("SIZES");
  app.add_flag("--every-size", options->every_size,
               "of a set: also where an MPI library may be expected to be faster");
  app.add_option("--candidates", options->candidates, "of a set: so many plans for each more, to be measured")
      ->type_name("N")
      ->range(1, 12);
  return [options](Console& console) {
    options->form.require_one();
    options->source.take_plan_word();
    return export_plan(*options, console);
  };
}

}  // namespace
}  // namespace export_parts

namespace commands {

// The word is one of the language's.
extern const Command export_;

const Command export_{
    .name = "export",
    .summary = "write a judged plan in a form that others read or run",
    .details =
        "Makes or reads a plan, judges it, and writes it in another form. A program is what each rank does, in words that "
        "the MPI library runs (docs/program_format.md), for messages of any size. A program-set is a folder of them, for "
        "all collectives or some (alltoall,allreduce; of one --root, or all) on one network: for each size the plan that takes "
        "least time by the model's constants, as `quadrille compare` names it, and an index, programs.txt; where an MPI "
        "library's own algorithms may be expected to be faster (small messages) there is none, and the library does it. "
        "A network needs no plan: `quadrille export \"torus(4,4)\" --to graphml`. docs/exports.md says what each form "
        "is and cannot say.",
    .example = R"~($ quadrille export alltoall "torus(4,4)" --to program -o alltoall.qprog | tail -1
written       alltoall.qprog, 40,232 bytes
)~",
    .setup = export_parts::setup,
};

}  // namespace commands

}  // namespace quadrille
