// quadrille program: what a program file holds, and the same in its other form.
#include <fmt/format.h>

#include <memory>
#include <string>
#include <string_view>

#include "quadrille/base/files.h"
#include "quadrille/base/input_error.h"
#include "quadrille/base/text.h"
#include "quadrille/cli/command.h"
#include "quadrille/cli/report/report.h"
#include "quadrille/cli/report/waiting.h"
#include "quadrille/options/argument_parser.h"
#include "quadrille/program/files/program_file.h"

namespace quadrille {
namespace program_parts {
namespace {

constexpr std::string_view kBinary = ".qprog";
constexpr std::string_view kJson = ".json";

struct ProgramOptions {
  std::string file{};
  std::string output{};
  bool json = false;
};

void require_name(const std::string& output) {
  if (output.empty() || output.ends_with(kBinary) || output.ends_with(kJson)) return;
  throw InputError(
      fmt::format("-o: '{}' names no form; FILE{} is the one for machines, FILE{} the one for people", output,
                  kBinary, kJson));
}

void report_program(const ProgramFile& file, const std::string& words, Report& report) {
  const Program& program = file.program;
  const Collective& collective = program.collective;
  report.add("collective", std::string(collective.name()), collective.name());
  report.add("ranks", with_thousands(collective.num_ranks()), collective.num_ranks());
  report.add("pieces", with_thousands(collective.pieces()), collective.pieces());
  if (const auto root = collective.root())
    report.add("root", fmt::format("{}", index(*root)), uint64_t{index(*root)});
  report.add("topology", file.topology, file.topology);
  report.add("algorithm", file.algorithm, file.algorithm);
  report.add("parts", file.translations ? "one, which is moved to every rank" : "one for each rank",
             uint64_t{file.program.ranks.size()});
  report.add("order", file.in_order ? "contributions are combined in the order of ranks" : "none is kept",
             file.in_order);
  uint64_t actions = 0;
  for (const RankProgram& rank : program.ranks) actions += rank.actions.size();
  const uint64_t same = file.translations ? collective.num_ranks() : 1;
  report.add("actions", with_thousands(actions) + (file.translations ? ", of each rank" : ""), actions);
  const uint64_t messages = same * program.num_messages();
  const uint64_t blocks = same * program.blocks_sent();
  report.add("messages", fmt::format("{}, of {} in all", with_thousands(messages), plural(blocks, "block")),
             messages);
  report.add_json("blocks_sent", blocks);
  const std::string digest = fmt::format("{:016x}", digest_of_program_file(words));
  report.add("digest", digest, digest);
}

int show_program(const ProgramOptions& options, Console& console) {
  require_name(options.output);
  Report report;
  while_waiting(console, "reading and checking", [&] {
    const ProgramFile file = read_program(read_file(options.file), options.file);
    const std::string words = write_program(file);
    report_program(file, words, report);
    if (options.output.empty()) return;
    const std::string content = options.output.ends_with(kJson) ? write_program_json(file) : words;
    write_file(options.output, content);
    report.add("written", fmt::format("{}, {} bytes", options.output, with_thousands(content.size())),
               options.output);
  });
  report.print(console.out, options.json);
  return kExitOk;
}

CommandAction setup(ArgumentParser& app) {
  const auto options = std::make_shared<ProgramOptions>();
  app.add_option("file", options->file, "a program file, in either form")->type_name("FILE")->required();
  app.add_option("-o,--output", options->output,
                 fmt::format("write it: FILE{} for the MPI library, FILE{} for people", kBinary, kJson))
      ->type_name("FILE");
  app.add_flag("--json", options->json, "print what it holds as JSON");
  return [options](Console& console) { return show_program(*options, console); };
}

}  // namespace
}  // namespace program_parts

namespace commands {

extern const Command program;

const Command program{
    .name = "program",
    .summary = "what a program file holds, and the same in its other form",
    .details =
        "Reads what 'quadrille export --to program' or '--to program-json' wrote, or a file of somebody else's, and checks "
        "it: that it fits together, that no slot is written while it is sent, and that no rank waits for ever. Both forms "
        "hold the same and have the same digest, so a file may be turned into JSON, altered, and turned back; one that "
        "was altered on purpose states no digest.",
    .example =
        R"~($ quadrille export allreduce "ring(4)" --to program -o ring.qprog --quiet
$ quadrille program ring.qprog -o ring.json
collective  allreduce
ranks       4
pieces      1
topology    ring(4)
algorithm   allreduce_halving:merged-2
parts       one for each rank
order       none is kept
actions     32
messages    8, of 8 blocks in all
digest      ddc1ab75d911abda
written     ring.json, 2,912 bytes
)~",
    .aside = true,
    .setup = program_parts::setup,
};

}  // namespace commands

}  // namespace quadrille
